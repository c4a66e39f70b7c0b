"""How strong bots are: none of the simple strategies beats them, and they beat weak ones clearly.

A share of 1 is a fair one. Few games in `make test`, as many as the bars ask for in `make bars`.
"""

from math import inf

import pytest

from companion.bots.arena import Match, Share, count_share, play_match
from companion.bots.strategy import OUR_STRATEGIES
from companion.games import find_game, game_names
from tests.worlds.campaign import IS_LARGE, SIZE, pick

GAMES, CLEAR_GAMES = pick(4, 80, 2000), pick(60, 80, 2000)
SEED = f"bars {SIZE}"
HARDEST = {
    "bankueberfall": ("half_loot", "nothing"),
    "banque_fatale": ("by_chance", "four"),
    "robby_solo": ("richest_or_second", "richest"),
}
"""The simple strategies that do best, and the ones that once won."""
SIMPLE = [
    (game, name)
    for game in game_names()
    for name in find_game(game).strategies
    if name not in OUR_STRATEGIES and (IS_LARGE or name in HARDEST.get(game, ()))
]


def play(game: str, strategy: str, against: str, games: int, compared: int = 1) -> Share:
    match = Match(game, strategy, (against,) * 3, SEED)
    return count_share(match, play_match(match, range(games)), compared)


@pytest.mark.parametrize(("game", "name"), SIMPLE)
def test_no_simple_strategy_wins_more_than_its_part(game: str, name: str) -> None:
    simple = sum(1 for played, _ in SIMPLE if played == game)
    share = play(game, name, "strong", GAMES, simple)
    assert share.share <= pick(2.2, 1.3, 1.10)
    assert share.most < pick(inf, 1.8, 1.25)


@pytest.mark.wide
@pytest.mark.parametrize("game", game_names())
def test_one_strong_bot_among_three_weak_ones_wins_clearly(game: str) -> None:
    assert play(game, "strong", "weak", CLEAR_GAMES).share >= pick(1.2, 1.4, 1.4)
