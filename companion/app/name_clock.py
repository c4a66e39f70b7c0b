"""The clock of the names: has the table count its time every few minutes.

Law: it runs beside the event loop, which never waits for the disk.
"""

import threading
from collections.abc import Callable

from companion.host.name_keeping import NameKeeping

COUNT_EVERY = 600.0
"""Seconds between two counts: each is written to the card."""


class NameClock:
    """Counts the time of one table; called in every turn of the event loop."""

    def __init__(self, names: NameKeeping, clock: Callable[[], float]) -> None:
        self._names, self._clock = names, clock
        self._due_at = float("-inf")
        self._counting: threading.Thread | None = None

    def count_when_due(self) -> None:
        """Count the time, and erase what is due, if it is time to."""
        if self._clock() < self._due_at or (self._counting and self._counting.is_alive()):
            return
        self._due_at = self._clock() + COUNT_EVERY
        self._counting = threading.Thread(target=self._names.count_time, name="names", daemon=True)
        self._counting.start()

    def close(self) -> None:
        """Wait until a count that goes on is over: what it erases is on disk then."""
        if self._counting:
            self._counting.join()
