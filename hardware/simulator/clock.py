"""The table's own time, in whole nanoseconds.

Law: nothing in the simulator waits. Time passes when a transfer, a frame or a sleep takes some,
and whatever was put on the agenda for a moment happens at exactly that moment, in order.
"""

import heapq
from collections.abc import Callable

NEVER = 1 << 62
"""Later than anything."""

SECOND = 1_000_000_000
MILLISECOND = 1_000_000


class SimulatedClock:
    """Virtual time. `now` is read everywhere; only `until` and its callers move it."""

    __slots__ = ("_agenda", "_order", "due", "now")

    def __init__(self) -> None:
        self.now = 0
        self.due = NEVER
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._order = 0

    def schedule_at(self, moment: int, action: Callable[[], None]) -> None:
        """Schedule an action; a moment that has passed already means at once."""
        if moment <= self.now:
            action()
            return
        self._order += 1
        heapq.heappush(self._agenda, (moment, self._order, action))
        self.due = self._agenda[0][0]

    def schedule_after(self, wait: int, action: Callable[[], None]) -> None:
        """Schedule an action this many nanoseconds from now."""
        self.schedule_at(self.now + wait, action)

    def advance_to(self, moment: int) -> None:
        """Advance to this moment, running all that is due on the way."""
        while self.due <= moment:
            due, _, deed = heapq.heappop(self._agenda)
            self.due = self._agenda[0][0] if self._agenda else NEVER
            self.now = max(self.now, due)
            deed()
        self.now = max(self.now, moment)

    def sleep(self, seconds: float) -> None:
        """Replace `time.sleep` for a driver on this table."""
        self.advance_to(self.now + round(seconds * SECOND))

    def monotonic(self) -> float:
        """Replace `time.monotonic` for a driver on this table."""
        return self.now / SECOND
