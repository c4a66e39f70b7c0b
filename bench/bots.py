"""Bots against chance: one bot, whose seat moves around, and three seats that do anything legal.

A win that is shared counts in parts; the games, and so the figures, are the same on every machine.
"""

from collections.abc import Iterator

from bench.measure import Figure
from companion.games import game_names
from tests.worlds.bot_evening import share_of_win, with_bots

GAMES, SEATS = 1000, 4
BAR = 1.6


def figures() -> Iterator[Figure]:
    """Yield the share of wins of a bot against its fair share, game by game."""
    for game in game_names():
        won: float = sum(share_of_win(with_bots(game, seed, SEATS).play()) for seed in range(GAMES))
        chance = (GAMES - won) / (SEATS - 1)
        what = f"wins of a bot, {game}, {GAMES} games"
        yield Figure(what, won / GAMES * SEATS, "fair share", BAR, True, "chance", won / chance)
