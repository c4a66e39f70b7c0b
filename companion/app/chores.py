"""Chores: slow work of a running table that is done beside the event loop.

Law: each chore has a thread of its own, one at a time, so that the loop never waits for the disk.
"""

import threading
import time
from collections.abc import Callable

from companion.table.table import Table

COUNT_EVERY = 600.0
"""Seconds between two counts of the time that names are kept: each is written to the card."""


class Chore:
    """A job that the event loop begins in its turn whenever it is due."""

    def __init__(self, name: str, work: Callable[[], object], is_due: Callable[[], bool]) -> None:
        self._name, self._work, self._is_due = name, work, is_due
        self._thread: threading.Thread | None = None

    def begin_when_due(self) -> None:
        """Begin the work if it is due, and not still being done."""
        is_working = self._thread is not None and self._thread.is_alive()
        if not is_working and self._is_due():
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Wait until what was begun is done: what it writes is on disk then."""
        if self._thread is not None:
            self._thread.join()


def every(seconds: float, clock: Callable[[], float] = time.monotonic) -> Callable[[], bool]:
    """Return a condition that is due at once, then so many seconds after each start."""
    due_at = float("-inf")

    def is_due() -> bool:
        nonlocal due_at
        now = clock()
        if now < due_at:
            return False
        due_at = now + seconds
        return True

    return is_due


def after_each_game(table: Table) -> Callable[[], bool]:
    """Return a condition that is due once for each game that ends from now on."""
    done = table.history if table.history.is_over else None

    def is_due() -> bool:
        nonlocal done
        history = table.history
        if history.state is None or not history.is_over or history is done:
            return False
        done = history
        return True

    return is_due
