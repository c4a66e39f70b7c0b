"""A copy of a journal, taken while a companion may be writing it, or from an older version's.

Law: the copy is a journal of today in which every line was proven; the original is only looked at.
It is written as plain bytes, since not every stick that one carries away can hold SQLite's log.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from companion.core.i18n import Say
from companion.journal.errors import JournalFailed, why
from companion.journal.looking import looked
from companion.journal.schema import settle

LOGGED = slice(18, 20), bytes([2, 2])
"""Where a file says that there may be a log beside it, as every journal does, and how."""


def copy(path: Path, to: Path) -> list[Say]:
    """Write all sound lines of a journal into a new file; what there is to say of the others."""
    opened = looked(path)
    try:
        with closing(opened.disk) as disk:
            data = bytearray(disk.serialize())
    except sqlite3.Error as error:
        raise JournalFailed(why(error)) from None
    where, logged = LOGGED
    data[where] = logged
    with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    settle(to)
    return opened.notices
