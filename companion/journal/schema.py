"""The journal's file: its tables, its first bytes, and how a whole one is written at once.

Law: what says whose file this is stands in the file itself from its first moment, never only in
the log beside it; so one look at the first hundred bytes tells, without touching anything.
"""

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion.journal.errors import DamagedJournal
from companion.journal.line import IMPORTED_TAG, JournalLine, hash_parts, mark_hash
from companion.journal.row_carving import CarvedAnchor, CarvedLine
from companion.journal.salvage import SalvagedJournal

SCHEMA_VERSION = 2
APPLICATION_ID = 0x434A_0000
"""The application id in the file: "CJ", then the version again."""

PAGE_SIZE = 4096
MAGIC = b"SQLite format 3\0"
ANCHOR_INTERVAL = 256
"""So many lines after an anchor there is another one."""

TABLES = (
    "CREATE TABLE line (n INTEGER PRIMARY KEY, game TEXT NOT NULL, id TEXT NOT NULL,"
    " at REAL NOT NULL, via TEXT NOT NULL, event TEXT NOT NULL, own BLOB NOT NULL,"
    " chain BLOB NOT NULL, key TEXT NOT NULL, tag TEXT NOT NULL, mark BLOB NOT NULL) STRICT",
    "CREATE TABLE stretch (first INTEGER PRIMARY KEY, id TEXT NOT NULL, game TEXT NOT NULL,"
    " at REAL NOT NULL, brought INTEGER NOT NULL) STRICT",
    "CREATE INDEX stretch_of ON stretch (id)",
    "CREATE TABLE anchor (n INTEGER PRIMARY KEY, chain BLOB NOT NULL, own BLOB NOT NULL) STRICT",
    "CREATE TABLE gap (n INTEGER PRIMARY KEY) STRICT",
    "CREATE TABLE chatter (n INTEGER PRIMARY KEY, at REAL NOT NULL, text TEXT NOT NULL) STRICT",
)
"""Lines; where each stretch of one game begins; anchors of the chain; lines that do not follow on
the one before; what readers said. A line's key and tag lie in its own row, outside its hashes: they
leave with no record, and no torn write can part them from it.
"""

INSERT_LINE = "INSERT INTO line VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_STRETCH = "INSERT INTO stretch VALUES (?, ?, ?, ?, ?)"
INSERT_ANCHOR = "INSERT OR IGNORE INTO anchor VALUES (?, ?, ?)"


def wal_path(path: Path) -> Path:
    """The write-ahead log beside the file."""
    return path.with_name(path.name + "-wal")


def connect(path: Path | str) -> sqlite3.Connection:
    """The file in SQLite's hands; each statement is its own transaction unless one is begun."""
    return sqlite3.connect(path, check_same_thread=False, isolation_level=None)


def connect_read_only(path: Path, immutable: bool = False) -> sqlite3.Connection:
    """The file as it lies there: what is read like this is not written to, not even when closed.

    Where it lies `still`, without a log, no file is put beside it either.
    """
    name = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' * immutable}"
    return sqlite3.connect(name, uri=True, check_same_thread=False, isolation_level=None)


def make_durable(disk: sqlite3.Connection) -> None:
    """What is committed is on disk; what is taken back leaves no copy that could be found again."""
    disk.execute("PRAGMA synchronous=FULL")
    disk.execute("PRAGMA secure_delete=ON")


def read_head(path: Path) -> bytes:
    """The first hundred bytes; none where there is no file."""
    try:
        with path.open("rb") as file:
            return file.read(100)
    except FileNotFoundError:
        return b""


def read_version(head: bytes) -> tuple[int, int]:
    """The application id and the version that the first bytes tell."""
    if head[:16] != MAGIC or len(head) < 100:
        return 0, 0
    return int.from_bytes(head[68:72], "big"), int.from_bytes(head[60:64], "big")


def is_newer_version(head: bytes) -> bool:
    """Whether a later companion wrote this: it says so twice, so that it is not one flipped bit."""
    application, schema = read_version(head)
    said = (
        application - APPLICATION_ID
        if APPLICATION_ID <= application <= APPLICATION_ID + 0xFFFF
        else None
    )
    return schema > SCHEMA_VERSION and (application == 0 or said == schema)


def check_head(head: bytes) -> None:
    """The first bytes are those that every journal of this version has."""
    told = (head[:16], head[16:24], head[44:48], head[56:60], read_version(head))
    right = (
        MAGIC, bytes([PAGE_SIZE >> 8, PAGE_SIZE & 255, 2, 2, 0, 64, 32, 32]), bytes([0, 0, 0, 4]),
        bytes([0, 0, 0, 1]), (APPLICATION_ID + SCHEMA_VERSION, SCHEMA_VERSION),
    )  # fmt: skip
    if told != right:
        raise DamagedJournal("head")


def check_tables(disk: sqlite3.Connection) -> None:
    """The tables are ours to the letter."""
    found = disk.execute("SELECT sql FROM sqlite_master").fetchall()
    if sorted(str(sql) for (sql,) in found) != sorted(TABLES):
        raise DamagedJournal("tables")


def create_tables(disk: sqlite3.Connection) -> None:
    """Make an empty journal; its version stands in the file before there is a log beside it."""
    disk.execute(f"PRAGMA page_size={PAGE_SIZE}")
    disk.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        disk.execute(table)
    disk.execute(f"PRAGMA application_id={APPLICATION_ID + SCHEMA_VERSION}")
    disk.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    disk.execute("COMMIT")


def fill_tables(
    disk: sqlite3.Connection, mended: SalvagedJournal, anchors: Iterable[CarvedAnchor] = ()
) -> None:
    """Write a whole journal into an empty one, in one transaction."""
    disk.execute("BEGIN IMMEDIATE")
    disk.executemany(INSERT_LINE, (carved_row(line) for line in mended.lines))
    disk.executemany("INSERT INTO gap VALUES (?)", ((n,) for n in mended.gaps))
    there = {line.n for line in mended.lines}
    ends = {line.n: line.chain for line in mended.lines if line.n % ANCHOR_INTERVAL == 0}
    ends |= {mended.last: mended.chain} if mended.last else {}
    ends |= {n: chain for n, chain in anchors if n not in there}
    disk.executemany(INSERT_ANCHOR, (anchor_row(n, chain) for n, chain in sorted(ends.items())))
    rebuild_stretches(disk)
    disk.execute("COMMIT")


def line_row(line: JournalLine, key: str = "", tag: str = "") -> tuple[Any, ...]:
    """The row of a new line."""
    told = line.n, line.game, line.id, line.at, line.via, bytes(line.event).decode()
    return *told, *_hash_bytes(line), key, tag, mark_hash(line.n, line.own, line.chain, key, tag)


def carved_row(line: CarvedLine) -> tuple[Any, ...]:
    """The row of a line that was found."""
    marked = mark_hash(line.n, line.own, line.chain, line.key, line.tag)
    return *line[:6], *_hash_bytes(line), line.key, line.tag, marked


def _hash_bytes(line: JournalLine | CarvedLine) -> tuple[bytes, bytes]:
    return bytes.fromhex(line.own), bytes.fromhex(line.chain)


def anchor_row(n: int, chain: str) -> tuple[int, bytes, bytes]:
    """An anchor: so far the chain was sound, and this it was."""
    return n, bytes.fromhex(chain), hash_parts(n, chain)


def rebuild_stretches(disk: sqlite3.Connection) -> None:
    """Tell from the lines alone where each stretch of one game begins."""
    disk.execute("DELETE FROM stretch")
    disk.execute(
        "INSERT INTO stretch SELECT n, id, game, at, brought FROM"
        " (SELECT n, id, game, at, max(tag = ?) OVER (PARTITION BY id) AS brought,"
        " lag(id) OVER (ORDER BY n) AS before FROM line)"
        " WHERE before IS NOT id",
        (IMPORTED_TAG,),
    )


def sync_to_disk(path: Path) -> None:
    """The file, and its name in the folder, are on disk."""
    for name in (path, path.parent):
        descriptor = os.open(name, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
