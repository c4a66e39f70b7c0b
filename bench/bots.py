"""Bots against chance, and how long they decide.

One bot, whose seat moves around, plays with three seats that do anything legal. A win that is
shared counts in parts; the games, and so these figures, are the same on every machine. A decision
is timed in CPU time, in games between bots alone.
"""

import time
from collections.abc import Iterator, Sequence
from random import Random
from statistics import median
from typing import Any

from bench.arena import ArenaTable
from bench.measure import Figure
from companion.bots.bot import Bot
from companion.core.verdict import Verdict
from companion.games import find_game, game_names
from tests.worlds.bot_evening import share_of_win, with_bots

GAMES, SEATS = 1000, 4
BAR = 1.6
TIMED_GAMES = 8
MEDIAN_MS, WORST_MS = 3.0, 50.0


def figures() -> Iterator[Figure]:
    """Yield the decision times of bots, and the wins of a bot against its fair share, game by
    game."""
    for game in game_names():
        yield from decision_figures(game)
    for game in game_names():
        won: float = sum(share_of_win(with_bots(game, seed, SEATS).play()) for seed in range(GAMES))
        chance = (GAMES - won) / (SEATS - 1)
        what = f"wins of a bot, {game}, {GAMES} games"
        yield Figure(what, won / GAMES * SEATS, "fair share", BAR, True, "chance", won / chance)


class TimedBot(Bot):
    """A bot that notes the CPU time of its decisions, in milliseconds."""

    took: list[float]

    def decide(self, view: Any, hand: Sequence[str], past: Sequence[Verdict] = ()) -> Any:
        begun = time.process_time_ns()
        wish = super().decide(view, hand, past)
        self.took.append((time.process_time_ns() - begun) / 1e6)
        return wish


def decision_figures(game: str) -> Iterator[Figure]:
    """Yield the median and the worst time of a decision; the peer is the other one of the two."""
    took = decision_times(game)
    usual, worst = median(took), max(took)
    for what, value, bar in (("median", usual, MEDIAN_MS), ("worst", worst, WORST_MS)):
        ratio = value / (worst if what == "median" else usual)
        peer = "worst" if what == "median" else "median"
        yield Figure(f"{what} decision of a bot, {game}", value, "ms", bar, False, peer, ratio)


def decision_times(game: str) -> list[float]:
    """Return the CPU times of all decisions in a few games between four bots."""
    took: list[float] = []
    ours = find_game(game).bot
    for number in range(TIMED_GAMES):
        table = ArenaTable(game, [ours] * SEATS, f"timed {game} {number}")
        for seat in range(1, SEATS + 1):
            bot = TimedBot(seat, Random(f"{game} {number} {seat}"), table.rules.box)
            bot.took = took
            table.bots[seat - 1] = bot
        table.play()
    return took
