"""Already: a simulated table that runs on this machine, and where it is.

Law: the kernel holds the lock for as long as the table runs, and lets go however it ends; what a
killed one left written counts for nothing.
"""

import fcntl
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

LONGEST = 400
"""So many bytes an address has at most."""
SOON = "…"
LOOKS, BETWEEN = 40, 0.1
"""How often, and how many seconds apart, one looks at a sign on which nothing stands yet."""


def sign_of(folder: Path | None) -> Path:
    """Where the sign hangs: in the folder that was named, else where this user's processes meet."""
    if folder is not None:
        return folder / "playing"
    meeting = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    return meeting / f"companion-play-{os.getuid()}"


class Sign:
    """The sign of a table that runs. `elsewhere` is the address of another that hung it first, or
    `SOON` where that one has not said it yet."""

    def __init__(self, path: Path) -> None:
        self._file: int | None = None
        self.elsewhere: str | None = None
        with suppress(OSError):  # Where no sign can hang, nobody is kept from playing.
            how = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            self._file = os.open(path, how, 0o600)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.elsewhere = _read(self._file)

    def __enter__(self) -> Self:
        return self

    def write(self, address: str) -> None:
        """Say where the table is."""
        if self._file is not None:
            with suppress(OSError):
                os.ftruncate(self._file, 0)
                os.pwrite(self._file, address.encode("ascii", "replace"), 0)

    def __exit__(
        self, _kind: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None
    ) -> None:
        """The table runs no longer."""
        if self._file is not None:
            if self.elsewhere is None:
                self.write("")
            os.close(self._file)


def _read(file: int) -> str:
    """The address on a sign; whoever has just hung it writes in a moment."""
    for _ in range(LOOKS):
        found = os.pread(file, LONGEST, 0).decode("ascii", "replace")
        if found:
            return found
        time.sleep(BETWEEN)
    return SOON
