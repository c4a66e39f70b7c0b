"""Schema: the journal's tables, its first bytes, and how the file is opened.

Law: what identifies the file stands in the file itself from its first moment, never only in the log
beside it; so the first hundred bytes identify it without touching anything.
"""

import sqlite3
from pathlib import Path

from companion.core.databases import DamagedFile, connect, remove_database
from companion.core.durable_files import sync_file
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.journal.line import StoredGame, read_game

SCHEMA_VERSION = 5
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

TABLES = (
    "CREATE TABLE line (n INTEGER PRIMARY KEY, game TEXT NOT NULL, id TEXT NOT NULL,"
    " at REAL NOT NULL, via TEXT NOT NULL, event TEXT NOT NULL, key TEXT NOT NULL,"
    " tag TEXT NOT NULL, over INTEGER NOT NULL, chain BLOB NOT NULL) STRICT",
    "CREATE TABLE game (id TEXT PRIMARY KEY, game TEXT NOT NULL, at REAL NOT NULL,"
    " until REAL NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, lines INTEGER NOT NULL,"
    " imported INTEGER NOT NULL, over INTEGER NOT NULL, chain BLOB NOT NULL) STRICT, WITHOUT ROWID",
)
"""Lines, and what they come to for each game: that follows from the lines, and tells where a game
ends."""

INSERT_LINE = "INSERT INTO line VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_GAME = "INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def create_journal(path: Path) -> sqlite3.Connection:
    """Create an empty journal, private, in place of a leftover; return it open, without its log."""
    remove_database(path)
    path.touch(0o600)  # It tells what lies face down; SQLite's files beside it follow suit.
    disk = connect(path)
    disk.execute(f"PRAGMA page_size={PAGE_SIZE}")
    disk.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        disk.execute(table)
    disk.execute(f"PRAGMA application_id={APPLICATION_ID + SCHEMA_VERSION}")
    disk.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    disk.execute("COMMIT")
    return disk


def finish_journal(disk: sqlite3.Connection, path: Path) -> None:
    """Have a created journal keep a log from now on, close it and sync it to disk."""
    disk.execute("PRAGMA journal_mode=WAL")
    disk.close()
    sync_file(path)


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
    if is_other_version(head):
        raise Malformed(str(journal.parent), OTHER_FORMAT)
    return head


def is_other_version(head: bytes) -> bool:
    """Return whether the first bytes are those of a journal of another version."""
    application, version = read_version(head)
    known = APPLICATION_ID + version, 0 if version else -1
    return version != SCHEMA_VERSION and application in known


def is_own_head(head: bytes) -> bool:
    """Return whether the first bytes state this very version."""
    return read_version(head) == (APPLICATION_ID + SCHEMA_VERSION, SCHEMA_VERSION)


def check_head(head: bytes) -> None:
    """Raise DamagedFile unless the first bytes are those of every journal of this version."""
    told = head[:16], head[16:24], head[44:48], head[56:60]
    right = (
        MAGIC, bytes([PAGE_SIZE >> 8, PAGE_SIZE & 255, 2, 2, 0, 64, 32, 32]), bytes([0, 0, 0, 4]),
        bytes([0, 0, 0, 1]),
    )  # fmt: skip
    if told != right or not is_own_head(head):
        raise DamagedFile("head")


def check_tables(disk: sqlite3.Connection) -> None:
    """Raise DamagedFile unless the tables are exactly ours."""
    found = disk.execute("SELECT sql FROM sqlite_master").fetchall()
    if sorted(str(sql) for (sql,) in found) != sorted(TABLES):
        raise DamagedFile("tables")


def read_games(disk: sqlite3.Connection) -> dict[str, StoredGame]:
    """Return the games of the second table by their ids, in the order in which they began."""
    return {row[0]: read_game(row) for row in disk.execute("SELECT * FROM game ORDER BY first")}
