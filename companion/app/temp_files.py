"""Carrying: a backup on its way out of the table, and one on its way into it.

Law: it is a file without a name, which is gone once it is closed. So whatever becomes of who
carries it, or of this process, nothing of it is left on the disk.
"""

import os
import secrets
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from companion.app.backup_worker import DISK_FULL
from companion.backup.service import MAX_UPLOAD_SIZE
from companion.core.i18n import Message, message

CHUNK_SIZE = 1 << 16
MAX_NAME_LENGTH = 60


class OutgoingFile:
    """A backup on its way out: an open file without a name."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._file = path.open("rb")
        path.unlink()
        self.size = os.fstat(self._file.fileno()).st_size

    def read_chunks(self) -> Iterator[bytes]:
        """All of it, a piece at a time."""
        with self._file:
            while piece := self._file.read(CHUNK_SIZE):
                yield piece

    def close(self) -> None:
        """It is gone."""
        self._file.close()


class IncomingFile:
    """A backup on its way in: an open file without a name."""

    def __init__(self, folder: Path, name: str, on_abort: Callable[["IncomingFile"], None]) -> None:
        self.id, self.name, self.size = secrets.token_hex(8), _printable_name(name), 0
        self.file, self.wrong = _open_unlinked(folder), Message("")
        self._on_abort = on_abort

    def write(self, chunk: bytes) -> None:
        """The next bytes of it; nothing more is kept once something is wrong."""
        self.size += len(chunk)
        if self.size > MAX_UPLOAD_SIZE:
            text = "This file is too large: a backup has at most {n} MB here."
            self.wrong = message(text, n=MAX_UPLOAD_SIZE >> 20)
        if not self.wrong.text:
            left = memoryview(chunk)
            try:
                while left:  # A disk that is nearly full takes a part of it.
                    left = left[self.file.write(left) :]
            except OSError:
                self.wrong = message(DISK_FULL)

    def abort(self) -> None:
        """Nothing more comes."""
        self._on_abort(self)


def _open_unlinked(folder: Path) -> BinaryIO:
    """A file that is there for as long as it is open."""
    folder.mkdir(mode=0o700, exist_ok=True)
    number, name = tempfile.mkstemp(dir=folder)
    Path(name).unlink()
    return open(number, "r+b", buffering=0)


def _printable_name(name: str) -> str:
    """The name of a file as it can stand in a sentence."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(sign for sign in last if sign.isprintable())[:MAX_NAME_LENGTH] or "backup.zip"
