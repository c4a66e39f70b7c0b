"""A companion under a wall clock that a test sets.

It is started by `python -m tests.app.shifted_clock FILE run …`. The file holds the seconds by
which the clock is off, read at every look at the clock, so that it jumps while the companion runs;
and the time that was told last. Only the wall clock is shifted, as by a Pi without a battery: what
measures durations goes on.
"""

import datetime
import mmap
import struct
import sys
import time
from pathlib import Path
from typing import Any

NUMBER, NUMBERS = struct.Struct("d"), struct.Struct("dd")
real_time = time.time


def write_shift(file: Path, seconds: float) -> None:
    """Set the clock of the companion that reads this file."""
    if not file.exists():
        file.write_bytes(bytes(NUMBERS.size))
    with file.open("r+b") as opened:
        opened.write(NUMBER.pack(seconds))


def read_last_look(file: Path) -> float:
    """Return the time that was last told to the companion."""
    return float(NUMBERS.unpack(file.read_bytes())[1])


def shift_clock(file: Path) -> None:
    """Have every look at the wall clock of this process see the clock in the file."""
    with file.open("r+b") as opened:
        numbers = mmap.mmap(opened.fileno(), NUMBERS.size)

    def now() -> float:
        told = real_time() + float(NUMBER.unpack_from(numbers)[0])
        NUMBER.pack_into(numbers, NUMBER.size, told)
        return told

    local, utc, words = time.localtime, time.gmtime, time.strftime

    class ShiftedDatetime(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Any:
            return cls.fromtimestamp(now(), tz)

        @classmethod
        def utcnow(cls) -> Any:
            return cls.fromtimestamp(now(), datetime.UTC).replace(tzinfo=None)

    class ShiftedDate(datetime.date):
        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(now())

    time.time, time.time_ns = now, lambda: int(now() * 1e9)
    time.localtime = lambda at=None: local(now() if at is None else at)  # type: ignore[assignment]
    time.gmtime = lambda at=None: utc(now() if at is None else at)  # type: ignore[assignment]
    time.strftime = lambda form, at=None: words(form, at or local(now()))  # type: ignore[assignment]
    datetime.datetime, datetime.date = ShiftedDatetime, ShiftedDate  # type: ignore[misc]


if __name__ == "__main__":
    shift_clock(Path(sys.argv.pop(1)))
    from companion.cli import main  # Only now: it must find the shifted clock.

    sys.exit(main())
