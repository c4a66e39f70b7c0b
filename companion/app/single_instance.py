"""Single-instance lock of `companion play`: a flock'ed file that holds the address of the table.

Laws: the kernel holds the lock for as long as the table runs, and releases it however it ends; what
a killed one left written does not count. A file that another user could have written is not read,
and a file that holds anything else is not written to.
"""

import fcntl
import os
import re
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

LONGEST = 400
"""Bytes of the longest address."""
ADDRESS = re.compile(rb"(?:http://[A-Za-z0-9.:\[\]-]+/play)?")
"""The contents of the file; empty before the table runs."""
UNKNOWN_ADDRESS = "…"
"""For a table that has not written its address."""
LOOKS, BETWEEN = 40, 0.1
"""How often, and how many seconds apart, an empty file is read again."""


def lock_path(folder: Path | None) -> Path:
    """Return the path: in the folder that was named, else in this user's runtime folder."""
    if folder is not None:
        return folder / "playing"
    meeting = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    return meeting / f"companion-play-{os.getuid()}"


class InstanceLock:
    """The lock of the table that runs. `other_address` is that of another table that has the lock,
    or UNKNOWN_ADDRESS; None if the lock is ours."""

    def __init__(self, path: Path) -> None:
        self._file: int | None = None
        self.other_address: str | None = None
        with suppress(OSError):  # Without a lock file one can still play.
            self._file = _open_lock_file(path)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.other_address = _read_address(self._file)

    def __enter__(self) -> Self:
        return self

    def write_address(self, address: str) -> None:
        """Write the address of the table into the file, if we have the lock."""
        if self._file is not None and self.other_address is None:
            with suppress(OSError):
                os.ftruncate(self._file, 0)
                os.pwrite(self._file, address.encode("ascii", "replace"), 0)

    def __exit__(
        self, _kind: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None
    ) -> None:
        """Empty the file and release the lock."""
        if self._file is not None:
            self.write_address("")
            os.close(self._file)


def _open_lock_file(path: Path) -> int:
    """Open the file, which must be this user's alone and hold nothing but an address: in a shared
    folder another user may have put something there. PermissionError if it is not so."""
    how = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    file = os.open(path, how, 0o600)
    found = os.fstat(file)
    ours = stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid()
    alone = found.st_nlink == 1 and not found.st_mode & 0o077
    if ours and alone and ADDRESS.fullmatch(os.pread(file, LONGEST, 0)):
        return file
    os.close(file)
    raise PermissionError(path)


def _read_address(file: int) -> str:
    """Return the address in the file; a process that has just locked it writes in a moment."""
    for _ in range(LOOKS):
        found = os.pread(file, LONGEST, 0)
        if found and ADDRESS.fullmatch(found):
            return found.decode("ascii")
        time.sleep(BETWEEN)
    return UNKNOWN_ADDRESS
