"""One companion at a time: a lock beside the journal, which the kernel lets go of when we die."""

import fcntl
import os
from pathlib import Path

from companion.errors import Malformed
from companion.texts import N_


class Busy(Malformed):
    """Another companion has this journal open."""


class Lock:
    """The lock on a journal; Busy where another holds it, OSError where it cannot be written."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".lock")
        self._made = not self._path.exists()
        self._held = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._held)
            raise Busy(
                path.name, N_("{field} is open already: one companion at a time writes a journal.")
            ) from None

    def release(self) -> None:
        """Let others have it."""
        os.close(self._held)

    def undo(self) -> None:
        """Let go, and leave nothing beside a file that is not ours."""
        if self._made:
            self._path.unlink(missing_ok=True)
        self.release()
