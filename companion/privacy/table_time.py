"""Time as the table counts it: hours that went by for certain, whatever its clock says.

Laws: while the machine runs, only its running time counts. What went by while it was off counts
only between two moments at which its clock was synchronised, and only beyond the running time in
between. A clock that is set, or jumps, changes nothing in a run; one that goes back counts nothing.
"""

import msgspec

HOUR = 3600.0


class ClockLook(msgspec.Struct, frozen=True):
    """One look at the clocks: which run of the machine, its seconds so far, the time of day, and
    whether that is synchronised."""

    run: str
    running: float
    wall: float
    is_synchronised: bool


class TableTime(msgspec.Struct, frozen=True):
    """The seconds counted so far; the last look; the last one with a synchronised clock, and the
    seconds counted since that."""

    seconds: float = 0.0
    run: str = ""
    running: float = 0.0
    synchronised_in: str = ""
    synchronised_at: float = 0.0
    since: float = 0.0

    @property
    def hours(self) -> float:
        """Return the hours counted so far."""
        return self.seconds / HOUR


def count_on(time: TableTime, look: ClockLook) -> TableTime:
    """Return the time after another look."""
    ran = max(0.0, look.running - (time.running if look.run == time.run else 0.0))
    since = time.since + ran
    counted = msgspec.structs.replace(
        time, seconds=time.seconds + ran, run=look.run, running=look.running, since=since
    )
    if not look.is_synchronised:
        return counted
    is_same_run = not time.synchronised_in or time.synchronised_in == look.run
    off = 0.0 if is_same_run else max(0.0, look.wall - time.synchronised_at - since)
    return msgspec.structs.replace(
        counted,
        seconds=counted.seconds + off,
        synchronised_in=look.run,
        synchronised_at=look.wall,
        since=0.0,
    )
