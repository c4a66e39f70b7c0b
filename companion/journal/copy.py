"""Copy a journal, or read its identity, while a companion may be writing it.

Laws: the copy is a journal of the current version in which every line was verified, and the
original is only read. It is written as plain bytes, since not every file system on a memory stick
can hold SQLite's log. Reading the identity verifies nothing; it only tells two journals apart.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from companion.core.i18n import Message
from companion.journal.errors import JournalFailed, describe_error
from companion.journal.open import open_read_only
from companion.journal.schema import connect_read_only, sync_to_disk, wal_path

WAL_MARK = slice(18, 20), bytes([2, 2])
"""Position and value of the header bytes that tell SQLite to expect a log beside the file."""


def copy_journal(path: Path, target: Path) -> list[Message]:
    """Write all sound lines into a new file; return the notices about the others."""
    opened = open_read_only(path)
    try:
        with closing(opened.connection) as disk:
            data = bytearray(disk.serialize())
    except sqlite3.Error as error:
        raise JournalFailed(describe_error(error)) from None
    where, logged = WAL_MARK
    data[where] = logged
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    sync_to_disk(target)
    return opened.notices


def read_identity(path: Path) -> tuple[set[str], bytes]:
    """Return the ids of its games and the chain of its first line, unique to a journal.

    Empty where the file cannot be read.
    """
    try:
        with closing(connect_read_only(path, immutable=not wal_path(path).exists())) as disk:
            games = disk.execute("SELECT DISTINCT id FROM stretch").fetchall()
            first = disk.execute("SELECT chain FROM line WHERE n = 1").fetchall()
    except sqlite3.Error:
        return set(), b""
    return {str(id) for (id,) in games}, next((bytes(chain) for (chain,) in first), b"")
