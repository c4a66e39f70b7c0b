"""Detection of tags that belong to no card: pure.

Law: a flicker is not reported. An oddity is reported when visit after visit has met it, and is
over when visit after visit has not; a visit to a reader that is not well says nothing.
"""

from collections.abc import Sequence

import msgspec

from companion.core.sensor_events import Oddity
from hardware.interference import FIRMLY, MANY, Duel

STEADY, OVER = 3, 10
"""Visits in a row; with eight readers about half a second, and a second and a half."""


class Suspicion(msgspec.Struct, frozen=True):
    """The oddity last reported of a place, and what the latest visits met instead."""

    reported: Oddity = "nothing"
    met: Oddity = "nothing"
    times: int = 0


def update_suspicion(suspicion: Suspicion, oddity: Oddity) -> tuple[Suspicion, bool]:
    """Return the suspicion after one more visit, and whether there is news to report."""
    if oddity == suspicion.reported:
        return Suspicion(oddity, oddity), False
    times = suspicion.times + 1 if oddity == suspicion.met else 1
    if times < (OVER if oddity == "nothing" else STEADY):
        return Suspicion(suspicion.reported, oddity, times), False
    return Suspicion(oddity, oddity), True


def are_twins(duels: Sequence[Duel]) -> bool:
    """Return whether two places hear a tag so firmly, and so much alike, that it is two tags, or
    one in between."""
    home, rival = sum(duel.home for duel in duels), sum(duel.rival for duel in duels)
    alike = abs(home - rival) < len(duels)  # less than one step on the average
    return len(duels) >= MANY and alike and min(home, rival) >= FIRMLY * len(duels)
