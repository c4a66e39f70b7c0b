"""Copy a journal page by page while a companion may be writing it.

Law: the original is only read. The copy is written without SQLite's log and locks, since not every
file system on a memory stick can hold those; `check_file` verifies it.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from companion.core.databases import (
    DISK,
    FULL,
    READ_ERRORS,
    connect_read_only,
    describe_error,
    error_code,
)
from companion.journal.errors import JournalFailed

WAL_MARK = 18, bytes([2, 2])
"""Position and value of the header bytes that tell SQLite to expect a log beside the file."""
PAGES_AT_ONCE = 1_000


def copy_journal(path: Path, target: Path) -> None:
    """Write a journal as it is now into a new private file.

    Raise OSError where the copy cannot be written, JournalFailed where the journal cannot be read.
    """
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with closing(connect_read_only(path)) as disk:
            disk.execute("BEGIN")
            disk.execute("SELECT 1 FROM line LIMIT 1")  # From here on this is what it sees.
            _copy_pages(disk, target)
    except READ_ERRORS as error:
        raise JournalFailed(describe_error(error, path.name)) from None
    with target.open("r+b") as file:
        file.seek(WAL_MARK[0])
        file.write(WAL_MARK[1])


def _copy_pages(disk: sqlite3.Connection, target: Path) -> None:
    name = f"{target.absolute().as_uri()}?nolock=1"
    try:
        with closing(sqlite3.connect(name, uri=True, isolation_level=None)) as copy:
            copy.execute("PRAGMA journal_mode=OFF")
            copy.execute("PRAGMA synchronous=OFF")
            disk.backup(copy, pages=PAGES_AT_ONCE)
    except sqlite3.Error as error:
        if error_code(error) in (DISK, FULL):
            _raise_write_error(target)
        raise


def _raise_write_error(target: Path) -> None:
    """Raise the OSError of a write to the end of this file, which SQLite does not tell."""
    with target.open("ab", buffering=0) as file:
        file.write(bytes(1))
        os.fsync(file.fileno())
