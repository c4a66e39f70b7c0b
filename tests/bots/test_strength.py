"""How strong bots are: none of the simple strategies beats them, and they beat weak ones clearly.

A share of 1 is a fair one. As many games as the bars ask for are played in `make bars`.
"""

import pytest

from bench.arena import Match, Share, count_share, play_match
from companion.bots.strategy import our_strategies
from companion.games import find_game, game_names
from tests.worlds.campaign import IS_LARGE, SIZE

GAMES = 2000 if IS_LARGE else 80
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
    if name not in our_strategies({}) and (IS_LARGE or name in HARDEST.get(game, ()))
]


def play(game: str, strategy: str, against: str, games: int, compared: int = 1) -> Share:
    match = Match(game, strategy, (against,) * 3, SEED)
    return count_share(match, play_match(match, range(games)), compared)


@pytest.mark.wide
@pytest.mark.parametrize(("game", "name"), SIMPLE)
def test_no_simple_strategy_wins_more_than_its_part(game: str, name: str) -> None:
    simple = sum(1 for played, _ in SIMPLE if played == game)
    share = play(game, name, "strong", GAMES, simple)
    assert share.share <= (1.10 if IS_LARGE else 1.3)
    assert share.most < (1.25 if IS_LARGE else 1.8)


@pytest.mark.wide
@pytest.mark.parametrize("game", game_names())
def test_one_strong_bot_among_three_weak_ones_wins_clearly(game: str) -> None:
    assert play(game, "strong", "weak", GAMES).share >= 1.4
