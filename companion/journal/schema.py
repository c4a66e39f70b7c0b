"""Schema: the journal's tables, its first bytes, and how a whole file is written at once.

Law: what identifies the file stands in the file itself from its first moment, never only in the log
beside it; so the first hundred bytes identify it without touching anything.
"""

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.journal.errors import DamagedJournal
from companion.journal.line import IMPORTED_TAG, anchor_row, hash_bytes, mark_hash
from companion.journal.recover_rows import CarvedAnchor, CarvedLine
from companion.journal.salvage import SalvagedJournal

SCHEMA_VERSION = 3
"""The format of a data folder, which its journal states: it is raised whenever a file in such a
folder is to be read in another way."""
APPLICATION_ID = 0x434A_0000
"""The application id in the file: "CJ", then the version again."""
OTHER_FORMAT = N_(
    "The data folder {field} was made by another version of the companion: move it away, or start"
    " with --data and an empty folder."
)

PAGE_SIZE = 4096
MAGIC = b"SQLite format 3\0"
ANCHOR_INTERVAL = 256
"""Lines from one anchor to the next."""

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
    """Return the path of the write-ahead log beside the file."""
    return path.with_name(path.name + "-wal")


def connect(path: Path | str) -> sqlite3.Connection:
    """Open the file with SQLite; each statement is its own transaction unless one is begun."""
    return sqlite3.connect(path, check_same_thread=False, isolation_level=None)


def connect_read_only(path: Path, immutable: bool = False) -> sqlite3.Connection:
    """Open the file without ever writing to it, not even when closing.

    With `immutable`, where no log lies beside it, no file is created beside it either.
    """
    name = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' * immutable}"
    return sqlite3.connect(name, uri=True, check_same_thread=False, isolation_level=None)


def connect_alone(path: Path) -> sqlite3.Connection:
    """Open a file that no other process uses, to write it once: without log, locks and syncs."""
    name = f"{path.absolute().as_uri()}?nolock=1"
    disk = sqlite3.connect(name, uri=True, isolation_level=None)
    disk.execute("PRAGMA journal_mode=OFF")
    disk.execute("PRAGMA synchronous=OFF")
    return disk


def make_durable(connection: sqlite3.Connection) -> None:
    """Sync every commit to disk, and overwrite what is deleted."""
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA secure_delete=ON")


def read_head(path: Path) -> bytes:
    """Return the first hundred bytes; empty where there is no file."""
    try:
        with path.open("rb") as file:
            return file.read(100)
    except (FileNotFoundError, NotADirectoryError):
        return b""


def read_version(head: bytes) -> tuple[int, int]:
    """Return the application id and the schema version in the first bytes."""
    if head[:16] != MAGIC or len(head) < 100:
        return 0, 0
    return int.from_bytes(head[68:72], "big"), int.from_bytes(head[60:64], "big")


def require_own_format(journal: Path) -> bytes:
    """Return the first bytes of a journal; raise Malformed if another version of the companion
    made its folder: both numbers must say so, as damage hardly changes both alike.

    Raise OSError if it cannot be read.
    """
    head = read_head(journal)
    application, version = read_version(head)
    if version != SCHEMA_VERSION and application in (
        APPLICATION_ID + version,
        0 if version else -1,
    ):
        raise Malformed(str(journal.parent), OTHER_FORMAT)
    return head


def check_head(head: bytes) -> None:
    """Raise DamagedJournal unless the first bytes are those of every journal of this version."""
    told = (head[:16], head[16:24], head[44:48], head[56:60], read_version(head))
    right = (
        MAGIC, bytes([PAGE_SIZE >> 8, PAGE_SIZE & 255, 2, 2, 0, 64, 32, 32]), bytes([0, 0, 0, 4]),
        bytes([0, 0, 0, 1]), (APPLICATION_ID + SCHEMA_VERSION, SCHEMA_VERSION),
    )  # fmt: skip
    if told != right:
        raise DamagedJournal("head")


def check_tables(connection: sqlite3.Connection) -> None:
    """Raise DamagedJournal unless the tables are exactly ours."""
    found = connection.execute("SELECT sql FROM sqlite_master").fetchall()
    if sorted(str(sql) for (sql,) in found) != sorted(TABLES):
        raise DamagedJournal("tables")


def create_tables(connection: sqlite3.Connection) -> None:
    """Create an empty journal; write its version before there is a log beside the file."""
    connection.execute(f"PRAGMA page_size={PAGE_SIZE}")
    connection.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        connection.execute(table)
    connection.execute(f"PRAGMA application_id={APPLICATION_ID + SCHEMA_VERSION}")
    connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    connection.execute("COMMIT")


def fill_tables(
    connection: sqlite3.Connection, salvaged: SalvagedJournal, anchors: Iterable[CarvedAnchor] = ()
) -> None:
    """Write a whole journal into an empty one, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(INSERT_LINE, (carved_row(line) for line in salvaged.lines))
    connection.executemany("INSERT INTO gap VALUES (?)", ((n,) for n in salvaged.gaps))
    there = {line.n for line in salvaged.lines}
    ends = {line.n: line.chain for line in salvaged.lines if line.n % ANCHOR_INTERVAL == 0}
    ends |= {salvaged.last: salvaged.chain} if salvaged.last else {}
    ends |= {n: chain for n, chain in anchors if n not in there}
    connection.executemany(
        INSERT_ANCHOR, (anchor_row(n, chain) for n, chain in sorted(ends.items()))
    )
    connection.executemany("INSERT INTO chatter (at, text) VALUES (?, ?)", salvaged.readings)
    rebuild_stretches(connection)
    connection.execute("COMMIT")


def carved_row(line: CarvedLine) -> tuple[object, ...]:
    """Return the row of a carved line."""
    marked = mark_hash(line.n, line.own, line.chain, line.key, line.tag)
    return *line[:6], *hash_bytes(line.own, line.chain), line.key, line.tag, marked


def rebuild_stretches(connection: sqlite3.Connection) -> None:
    """Compute from the lines alone where each stretch of one game begins."""
    connection.execute("DELETE FROM stretch")
    connection.execute(
        "INSERT INTO stretch SELECT n, id, game, at, brought FROM"
        " (SELECT n, id, game, at, max(tag = ?) OVER (PARTITION BY id) AS brought,"
        " lag(id) OVER (ORDER BY n) AS before FROM line)"
        " WHERE before IS NOT id",
        (IMPORTED_TAG,),
    )


def sync_to_disk(path: Path) -> None:
    """Sync the file, and its name in the folder."""
    for name in (path, path.parent):
        descriptor = os.open(name, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
