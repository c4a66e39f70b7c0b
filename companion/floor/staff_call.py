"""The call for staff of one table.

Laws: there is at most one call, the newest: calls do not queue. An answer that was meant for an
older call leaves a newer one as it is. A call says from which seat it came, and no name.
"""

import threading
from collections.abc import Callable

import msgspec

SCREEN = 0
"""The seat of a call from the table screen."""


class StaffCall(msgspec.Struct, frozen=True):
    """A call for staff: its number since this program began, its seat, and when it was made."""

    number: int
    seat: int
    begun: float = 0.0


class StaffCalls:
    """The call of one table; pages and the floor use it from any thread."""

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._made = 0
        self.current: StaffCall | None = None

    def call(self, seat: int) -> StaffCall:
        """Call staff to this seat; the call replaces an older one."""
        with self._lock:
            self._made += 1
            self.current = StaffCall(self._made, seat, self._clock())
            return self.current

    def answer(self, number: int = 0) -> bool:
        """End the call of this number, or with 0 any; return whether there was one."""
        with self._lock:
            current = self.current
            if current is None or number not in (0, current.number):
                return False
            self.current = None
            return True
