"""A glimpse of a journal: which games are in it, and how it began.

Law: nothing is proven and nothing is written; it is for telling two journals apart, no more.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.journal.schema import glance, log


def glimpse(path: Path) -> tuple[set[str], bytes]:
    """The ids of its games, and the chain of its first line, which no other journal has; nothing
    where that cannot be read."""
    try:
        with closing(glance(path, still=not log(path).exists())) as disk:
            games = disk.execute("SELECT DISTINCT id FROM stretch").fetchall()
            first = disk.execute("SELECT chain FROM line WHERE n = 1").fetchall()
    except sqlite3.Error:
        return set(), b""
    return {str(id) for (id,) in games}, next((bytes(chain) for (chain,) in first), b"")
