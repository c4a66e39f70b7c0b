"""Lock file beside the journal: one companion at a time; the kernel frees it when we die."""

import fcntl
import os
from pathlib import Path

from companion.core.errors import Malformed
from companion.core.i18n import N_


class JournalBusy(Malformed):
    """Another companion has this journal open."""


class JournalLock:
    """The lock on a journal.

    Raise JournalBusy where another process holds it, OSError where it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".lock")
        self._made = not self._path.exists()
        self._held = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._held)
            raise JournalBusy(
                path.name, N_("{field} is open already: one companion at a time writes a journal.")
            ) from None

    def release(self) -> None:
        os.close(self._held)

    def discard(self) -> None:
        """Release the lock, and remove the lock file if we made it."""
        if self._made:
            self._path.unlink(missing_ok=True)
        self.release()
