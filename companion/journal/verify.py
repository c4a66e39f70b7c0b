"""Verify lines as they are read back.

Law: a line leaves here only if it hashes to itself and follows on the one before it; anything else
is damage and raises DamagedJournal.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.journal.errors import DamagedJournal
from companion.journal.line import (
    CHAIN_START,
    IMPORTED_TAG,
    JournalLine,
    chain_hash,
    hash_parts,
)
from companion.journal.recover_rows import CarvedLine

SLICE_LINES = 256
encode = msgspec.json.Encoder().encode
COLUMNS = ("game", "id", "at", "via", "event", "own", "chain", "key", "tag", "mark")
FIRST_DIFFERING = (
    "SELECT this.n FROM main.line AS this LEFT JOIN proven.line AS that ON that.n = this.n"
    f" WHERE {' OR '.join(f'this.{name} IS NOT that.{name}' for name in COLUMNS)}"
    " ORDER BY this.n LIMIT 1"
)
COMMON_LINES = (
    "SELECT coalesce(max(n), 0), count(*), (SELECT count(*) FROM proven.gap)"
    " FROM main.line WHERE n < ?"
)


class ChainEnd(NamedTuple):
    """The last line, its chain, the anchor it was followed from, the newest own time."""

    n: int
    chain: str
    anchored: int
    newest: float


def stated_gaps(connection: sqlite3.Connection) -> frozenset[int]:
    """Return the lines that do not follow on the one before, as was reported already."""
    return frozenset(n for (n,) in connection.execute("SELECT n FROM gap"))


def verify_row(row: tuple[Any, ...]) -> JournalLine:
    """Return the line in this row, if it hashes to itself."""
    if not _is_sound(row):
        raise DamagedJournal(f"line {row[0]}")
    n, game, id, at, via, event, own, chain, _, _, _ = row
    return JournalLine(n, game, id, at, via, msgspec.Raw(event.encode()), own.hex(), chain.hex())


def _is_sound(row: tuple[Any, ...]) -> bool:
    """Return whether the hash and the mark in this row are those of what it says.

    As `own_hash` and `mark_hash`, written out: a backup asks it of every line.
    """
    n, game, id, at, via, event, own, chain, key, tag, mark = row
    try:
        return bool(
            sha256(encode((game, id, at, via, event))).digest() == own
            and sha256(encode((n, own.hex(), chain.hex(), key, tag))).digest() == mark
        )
    except (AttributeError, TypeError):  # A column that holds something of another type.
        return False


def read_slice(
    connection: sqlite3.Connection, after: int, last: int, limit: int = SLICE_LINES
) -> list[JournalLine]:
    """Return the next few lines, each verified by itself."""
    rows = connection.execute(
        "SELECT * FROM line WHERE n > ? AND n <= ? ORDER BY n LIMIT ?", (after, last, limit)
    )
    return [verify_row(row) for row in rows.fetchall()]


def verify_chain(
    lines: Iterable[JournalLine], n: int, chain: str | None, stated: frozenset[int]
) -> Iterator[JournalLine]:
    """Yield the lines if each follows on the one before; `chain` is None if unknown."""
    for line in lines:
        follows = chain is None or chain_hash(chain, line.own) == line.chain
        if line.n not in stated and (line.n != n + 1 or not follows):
            raise DamagedJournal(f"line {line.n}")
        n, chain = line.n, line.chain
        yield line


def check_reaches(n: int, last: int, stated: frozenset[int]) -> None:
    """Raise DamagedJournal if lines up to the last are missing and that was not stated."""
    if n < last and last + 1 not in stated:
        raise DamagedJournal(f"line {last}")


def verify_end(connection: sqlite3.Connection) -> ChainEnd:
    """Follow the chain from the last anchor to its end."""
    stated = stated_gaps(connection)
    n, chain = _last_anchor(connection)
    last = read_slice(connection, n - 1, n)
    if [line.chain for line in last] != [chain] and n and n + 1 not in stated:
        raise DamagedJournal("anchor")
    anchored = n
    while lines := read_slice(connection, n, 1 << 62):
        last = list(verify_chain(lines, n, chain, stated))
        n, chain = last[-1].n, last[-1].chain
    check_stretches(connection)
    (newest,) = connection.execute(
        "SELECT max(at) FROM (SELECT at FROM stretch WHERE brought = 0"
        " UNION ALL SELECT at FROM line WHERE n >= ? AND tag <> ?)",
        (anchored, IMPORTED_TAG),
    ).fetchone()
    return ChainEnd(n, chain, anchored, newest or 0.0)


def check_all_lines(connection: sqlite3.Connection, proven: Path | None = None) -> None:
    """Check that every line follows on the one before it, from first to last.

    One row at a time is in memory, and nothing is built from it: this decides how long a backup of
    many games takes. Lines that stand in a `proven` journal as well are not proven again.
    """
    stated = stated_gaps(connection)
    before, chain_before = _find_common_end(connection, proven)
    for row in connection.execute("SELECT * FROM line WHERE n > ? ORDER BY n", (before,)):
        n, own, chain = row[0], row[6], row[7]
        if not _is_sound(row) or (
            (n != before + 1 or sha256(chain_before + own).digest() != chain) and n not in stated
        ):
            raise DamagedJournal(f"line {n}")
        before, chain_before = n, chain
    check_reaches(before, verify_end(connection).n, stated)
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise DamagedJournal("pages")


def _find_common_end(connection: sqlite3.Connection, proven: Path | None) -> tuple[int, bytes]:
    """Return the last line, and its chain, up to which both journals hold the very same rows."""
    start = 0, bytes.fromhex(CHAIN_START)
    if proven is None:
        return start
    connection.execute("ATTACH ? AS proven", (f"{proven.absolute().as_uri()}?mode=ro&immutable=1",))
    try:
        differing = connection.execute(FIRST_DIFFERING).fetchone()
        before = differing[0] if differing else 1 << 62
        last, count, gaps = connection.execute(COMMON_LINES, (before,)).fetchone()
        if gaps or last != count:
            return start
        found = connection.execute("SELECT n, chain FROM line WHERE n = ?", (last,)).fetchone()
        return found or start
    finally:
        connection.execute("DETACH proven")


def _last_anchor(connection: sqlite3.Connection) -> tuple[int, str]:
    row = connection.execute("SELECT * FROM anchor ORDER BY n DESC LIMIT 1").fetchone()
    if row is None:
        return 0, CHAIN_START
    n, chain, mine = row
    if not isinstance(chain, bytes) or not isinstance(mine, bytes):
        raise DamagedJournal("anchor")
    if hash_parts(n, chain.hex()) != mine:
        raise DamagedJournal("anchor")
    return n, chain.hex()


def check_stretches(connection: sqlite3.Connection) -> None:
    """Check that each stretch begins with a line of its game and ends before the next."""
    (wrong,) = connection.execute(
        "WITH told AS (SELECT *, lead(first) OVER (ORDER BY first) AS next FROM stretch)"
        " SELECT count(*) FROM told LEFT JOIN line ON line.n = told.first"
        " WHERE line.id IS NOT told.id OR line.game IS NOT told.game OR line.at IS NOT told.at"
        " OR (SELECT id FROM line WHERE n < coalesce(told.next, 1 << 62) ORDER BY n DESC LIMIT 1)"
        " IS NOT told.id"
    ).fetchone()
    (first,) = connection.execute("SELECT min(first) FROM stretch").fetchone()
    (begins,) = connection.execute("SELECT n FROM line ORDER BY n LIMIT 1").fetchone() or (None,)
    if wrong or first != begins:
        raise DamagedJournal("stretches")


def check_all_visible(connection: sqlite3.Connection, carved: Iterable[CarvedLine]) -> None:
    """Check that SQLite shows every line that was carved from the log beside the file.

    One flipped bit makes it pass over all that was written later.
    """
    shown, numberless = set(), []
    for line in carved:
        row = connection.execute("SELECT own, chain FROM line WHERE n = ?", (line.n,)).fetchone()
        if line.n and (row is None or row[0].hex() != line.own):
            raise DamagedJournal(f"line {line.n}")
        shown.add((line.own, line.chain))
        if not line.n:
            numberless.append((line.own, line.chain))
    if not shown.issuperset(numberless):
        raise DamagedJournal("lines")
