"""Clock protocol of the hardware: read the time, let time pass.

Law: nothing in this folder reads the system clock by itself. A device is given its clock when it
is built, so a simulated evening runs as fast as it can be computed, and always the same. On a real
table the `time` module itself is the clock.
"""

from typing import Protocol


class Clock(Protocol):
    """Seconds from some beginning, and a way to let them pass."""

    def monotonic(self) -> float:
        """Seconds since this clock's beginning; never runs backwards."""

    def sleep(self, seconds: float, /) -> None:
        """Return no earlier than after this many seconds."""
