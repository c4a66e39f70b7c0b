"""Unlinked temporary files for the download and the upload of a backup.

Law: the file has no name and disappears when it is closed, so that nothing stays on the disk even
if this process is killed.
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
    """A backup that is downloaded: an open, unlinked file; `on_sent` is called after its end.

    That is when the last chunk was handed to the network and the next one is asked for.
    """

    def __init__(self, path: Path, on_sent: Callable[[], object]) -> None:
        self.name, self._on_sent = path.name, on_sent
        self._file = path.open("rb")
        path.unlink()
        self.size = os.fstat(self._file.fileno()).st_size

    def read_chunks(self) -> Iterator[bytes]:
        """Yield its bytes in chunks, then close it."""
        with self._file:
            while piece := self._file.read(CHUNK_SIZE):
                yield piece
        self._on_sent()

    def close(self) -> None:
        """Close and thereby delete the file."""
        self._file.close()


class IncomingFile:
    """A backup that is uploaded: an open, unlinked file."""

    def __init__(self, folder: Path, name: str, on_abort: Callable[["IncomingFile"], None]) -> None:
        self.id, self.name, self.size = secrets.token_hex(8), _printable_name(name), 0
        self.file, self.wrong = _open_unlinked(folder), Message("")
        self._on_abort = on_abort

    def write(self, chunk: bytes) -> None:
        """Append bytes; drop them once something is wrong."""
        self.size += len(chunk)
        if self.size > MAX_UPLOAD_SIZE:
            text = "This file is too large: a backup has at most {n} MB here."
            self.wrong = message(text, n=MAX_UPLOAD_SIZE >> 20)
        if not self.wrong.text:
            left = memoryview(chunk)
            try:
                while left:  # A nearly full disk writes a part of it.
                    left = left[self.file.write(left) :]
            except OSError:
                self.wrong = message(DISK_FULL)

    def abort_upload(self) -> None:
        """End the upload without a check."""
        self._on_abort(self)


def _open_unlinked(folder: Path) -> BinaryIO:
    """Create a file in this folder and unlink it at once."""
    folder.mkdir(mode=0o700, exist_ok=True)
    number, name = tempfile.mkstemp(dir=folder)
    Path(name).unlink()
    return open(number, "r+b", buffering=0)


def _printable_name(name: str) -> str:
    """Return the last part of a file name, printable and short."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(sign for sign in last if sign.isprintable())[:MAX_NAME_LENGTH] or "backup.zip"
