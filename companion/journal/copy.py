"""A copy of a journal, taken while a companion may be writing it, or from an older version's.

Law: the copy is a journal of today in which every line was proven; the original is only looked at.
It is written as plain bytes, since not every stick that one carries away can hold SQLite's log.

A glimpse of a journal: which games are in it, and how it began.

Law: nothing is proven and nothing is written; it is for telling two journals apart, no more.
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
"""Where a file says that there may be a log beside it, as every journal does, and how."""


def copy_journal(path: Path, target: Path) -> list[Message]:
    """Write all sound lines of a journal into a new file; what there is to say of the others."""
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
    """The ids of its games, and the chain of its first line, which no other journal has; nothing
    where that cannot be read."""
    try:
        with closing(connect_read_only(path, immutable=not wal_path(path).exists())) as disk:
            games = disk.execute("SELECT DISTINCT id FROM stretch").fetchall()
            first = disk.execute("SELECT chain FROM line WHERE n = 1").fetchall()
    except sqlite3.Error:
        return set(), b""
    return {str(id) for (id,) in games}, next((bytes(chain) for (chain,) in first), b"")
