"""Detection of tags that belong to no card: pure.

Law: a flicker is not reported. An oddity is reported when visit after visit has met it, and is
over when visit after visit has not; a visit to a reader that is not well says nothing.
"""

import msgspec

from companion.core.sensor_events import Oddity

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
