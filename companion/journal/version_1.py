"""A journal of version 1: read by its own law, then written anew as one of today.

Version 1 had one hash a line, over the line before it, its number and all it said.
"""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.journal.errors import unusable
from companion.journal.line import START, line, mark
from companion.journal.row_carving import Found
from companion.journal.salvage import Mended, mend
from companion.journal.schema import connect, glance, log


def moved(path: Path, look: bool = False) -> Mended:
    """Every line of a journal of version 1, tied together as today."""
    try:
        with closing(glance(path, not log(path).exists()) if look else connect(path)) as disk:
            rows = disk.execute("SELECT * FROM line ORDER BY n").fetchall()
    except sqlite3.Error as error:
        raise unusable(path, error) from None
    before, chain, found = START, START, []
    for n, (was, *fields, told) in enumerate(rows, 1):
        if was != n or _link(before, (was, *fields)) != told:
            raise Malformed(str(was), N_("Journal line {field} was changed by hand."))
        game, id, at, via, event = fields
        new = line(n, chain, (game, id, at, via, event.encode()))
        marked = mark(n, new.own, new.chain, "", "")
        found.append(Found(n, game, id, at, via, event, new.own, new.chain, "", "", marked, 0))
        before, chain = told, new.chain
    return mend(found)


def _link(before: str, fields: tuple[object, ...]) -> str:
    return hashlib.sha256(msgspec.json.encode([before, *fields])).hexdigest()
