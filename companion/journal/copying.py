"""A copy of a journal, taken while a companion may be writing it, or from an older version's.

Law: the copy is a journal of today in which every line was proven; the original is only looked at.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.journal.disk import connect, settle
from companion.journal.failing import JournalFailed, why
from companion.journal.looking import looked
from companion.texts import Say


def copy(path: Path, to: Path) -> list[Say]:
    """Write all sound lines of a journal into a new file; what there is to say of the others."""
    opened = looked(path)
    try:
        to.touch(0o600)
        with closing(opened.disk) as disk, closing(connect(to)) as new:
            disk.backup(new)
            new.execute("PRAGMA journal_mode=WAL")
    except sqlite3.Error as error:
        raise JournalFailed(why(error)) from None
    settle(to)
    return opened.notices
