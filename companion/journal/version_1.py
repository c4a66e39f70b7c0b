"""Journals of version 1: read by their own law, and rewritten as the current version.

Version 1 had one hash for a line, over the line before it, its number and all it said.
"""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.journal.errors import unusable_journal
from companion.journal.line import CHAIN_START, build_line, mark_hash
from companion.journal.recover_rows import CarvedLine
from companion.journal.salvage import SalvagedJournal, salvage_lines
from companion.journal.schema import connect, connect_read_only, wal_path


def convert_journal(path: Path, read_only: bool = False) -> SalvagedJournal:
    """Return every line of a journal of version 1, tied together as today."""
    try:
        with closing(
            connect_read_only(path, not wal_path(path).exists()) if read_only else connect(path)
        ) as disk:
            rows = disk.execute("SELECT * FROM line ORDER BY n").fetchall()
    except sqlite3.Error as error:
        raise unusable_journal(path, error) from None
    before, chain, found = CHAIN_START, CHAIN_START, []
    for n, (was, *fields, told) in enumerate(rows, 1):
        if was != n or _old_chain_hash(before, (was, *fields)) != told:
            raise Malformed(str(was), N_("Journal line {field} was changed by hand."))
        game, id, at, via, event = fields
        new = build_line(n, chain, (game, id, at, via, event.encode()))
        marked = mark_hash(n, new.own, new.chain, "", "")
        found.append(CarvedLine(n, game, id, at, via, event, new.own, new.chain, "", "", marked, 0))
        before, chain = told, new.chain
    return salvage_lines(found)


def _old_chain_hash(before: str, fields: tuple[object, ...]) -> str:
    return hashlib.sha256(msgspec.json.encode([before, *fields])).hexdigest()
