"""Lock file beside the journal: one companion at a time; the kernel frees it when we die."""

import fcntl
import os
from pathlib import Path

from companion.core.errors import Malformed
from companion.core.i18n import N_

PROC_LOCKS = Path("/proc/locks")
"""The kernel's list of locks: kind, process, device and inode of each."""


class JournalBusy(Malformed):
    """Another companion has this journal open."""


def is_locked(path: Path) -> bool | None:
    """Return whether a companion has this journal open; None if that cannot be told.

    The kernel's list is read, because trying the lock could keep a companion from starting just
    then.
    """
    try:
        ours = path.with_name(path.name + ".lock").stat().st_ino
        held = [line.split() for line in PROC_LOCKS.read_text("ascii").splitlines()]
    except FileNotFoundError:
        return False if PROC_LOCKS.exists() else None
    except OSError:
        return None
    return any(
        words[1] == "FLOCK" and words[5].split(":")[-1] == str(ours)
        for words in held
        if len(words) > 5
    )


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
