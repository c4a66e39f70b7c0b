"""How strong bots are: none of 25 one-line strategies a game has more than its part among them.

A share of 1 is a fair one. Every game is decided by its number, so the same ones win every time;
all strategies are played in `make bars`.
"""

import pytest

from bench.arena import otherwise, play_against
from bench.one_liners import BAR, ONE_LINERS
from tests.worlds.campaign import IS_LARGE

GAMES = 1000 if IS_LARGE else 40
HARDEST = {
    "80 % of the expected loot", "65 % of the expected loot", "never sells", "any number",
    "third, moves", "second, moves", "richest",
}  # fmt: skip
"""The strategies that do best, and those that once won."""
PLAYED = [
    (game, name)
    for game, strategies in ONE_LINERS.items()
    for name in strategies
    if IS_LARGE or name in HARDEST
]


def test_every_game_has_25_strategies_to_stand_against() -> None:
    assert {len(strategies) for strategies in ONE_LINERS.values()} == {25}


@pytest.mark.wide
@pytest.mark.parametrize(("game", "name"), PLAYED)
def test_no_one_line_strategy_wins_more_than_its_part(game: str, name: str) -> None:
    decisions = otherwise(game, ONE_LINERS[game][name])
    assert play_against(game, decisions, range(GAMES)).least <= BAR
