"""How strong bots are: none of 25 one-line strategies a game has more than its part among them.

A share of 1 is a fair one. Every game is decided by its number, so the same ones win every time;
all strategies are played in `make bars`.
"""

import pytest

from bench.one_liners import BAR, ONE_LINERS, play_one_liner
from tests.worlds.campaign import IS_LARGE

GAMES = 1000 if IS_LARGE else 40
HARDEST = {
    "80 % of the loot", "65 % of the loot", "never sells", "any number",
    "bank 3, moves", "bank 2, moves", "bank 1",
}  # fmt: skip
"""The strategies that do best, and those that once won."""
PLAYED = [
    (game, name)
    for game, strategies in ONE_LINERS.items()
    for name in strategies
    if IS_LARGE or name in HARDEST
]


@pytest.mark.wide
@pytest.mark.parametrize(("game", "name"), PLAYED)
def test_no_one_line_strategy_wins_more_than_its_part(game: str, name: str) -> None:
    assert play_one_liner(game, name, GAMES).least <= BAR
