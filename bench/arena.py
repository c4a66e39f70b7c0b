"""The arena: games between bots by the rules alone, without a table.

Law: a game is decided by its number alone.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from companion.bots.bot import Bot
from companion.bots.decisions import Decisions
from companion.games import make_rulebook
from tests.worlds.bot_evening import Seated, share_of_win

SEATS = 4
CERTAINTY = 1.96
"""How many standard errors an interval of 95 % reaches to either side."""


class Share(NamedTuple):
    """A part of the wins as a multiple of the fair part, with its interval of 95 %."""

    share: float
    least: float
    most: float

    def __str__(self) -> str:
        return f"{self.share:.2f} ({self.least:.2f} … {self.most:.2f})"


def play_against(game: str, decisions: Decisions, others: Decisions, games: Sequence[int]) -> Share:
    """Return the share of a bot among three others, at each seat in turn."""
    box, won = make_rulebook(game).box, list[float]()
    for number in games:
        turn = number % SEATS + 1
        decides = dict.fromkeys(range(1, SEATS + 1), others) | {turn: decisions}
        bots = {
            seat: Bot(seat, Random(f"{game} {number} bot {seat}"), box, how)
            for seat, how in decides.items()
        }
        won.append(share_of_win(Seated(game, number, SEATS, bots).play(), turn))
    share, reach = SEATS * fmean(won), CERTAINTY * SEATS * stdev(won) / len(won) ** 0.5
    return Share(share, share - reach, share + reach)
