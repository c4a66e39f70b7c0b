"""Index of the games in a journal: what a list shows of each, so that none is replayed for it.

Laws: the journal is the truth, and the index can be deleted at any time. It is believed only as far
as the journal's chain is the one that it was made from, and of a game only while its lines are as
many and end where they did. An index that is damaged, or was made from another journal, counts as
empty and is made anew. It is in no backup.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from companion.journal.line import hash_parts
from companion.journal.reader import JournalReader
from companion.journal.schema import connect_read_only

INDEX_VERSION = 1
TABLES = (
    "CREATE TABLE game (id TEXT PRIMARY KEY, last INTEGER NOT NULL, lines INTEGER NOT NULL,"
    " facts TEXT NOT NULL, own BLOB NOT NULL) STRICT",
    "CREATE TABLE mark (n INTEGER PRIMARY KEY, chain TEXT NOT NULL) STRICT",
)
"""The games, each with the hash of its row; and the last line of the journal when one was added."""
LOCK_TIMEOUT = 1.0
"""Seconds to wait for another process that writes the index."""
DAMAGE_ERRORS = (sqlite3.Error, OSError, ValueError, TypeError)


class IndexedGame(msgspec.Struct, frozen=True):
    """What is kept of a game: the number of its last line, how many they are, and facts as JSON."""

    id: str
    last: int
    lines: int
    facts: str


def index_path(journal: Path) -> Path:
    """Return the path of the index of this journal."""
    return journal.with_name(journal.name + ".index")


def read_index(path: Path, journal: JournalReader) -> dict[str, IndexedGame]:
    """Return the games of the index by id; none if it does not belong to this journal."""
    try:
        with closing(connect_read_only(path)) as disk:
            if not _belongs_to(disk, journal):
                return {}
            return {game.id: game for game in _sound_rows(disk)}
    except DAMAGE_ERRORS:
        return {}


def add_to_index(
    path: Path, journal: JournalReader, end: tuple[int, str], games: Iterable[IndexedGame]
) -> bool:
    """Add games of a journal that ends so; return False if they cannot be written."""
    rows = [(*msgspec.structs.astuple(game), _row_hash(game)) for game in games]
    for _ in range(2):
        try:
            with _open_index(path) as disk:
                disk.execute("BEGIN IMMEDIATE")
                if not _belongs_to(disk, journal):
                    disk.execute("DELETE FROM game")
                disk.execute("DELETE FROM mark")
                disk.execute("INSERT INTO mark VALUES (?, ?)", end)
                disk.executemany("INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?)", rows)
                disk.execute("COMMIT")
                return True
        except sqlite3.OperationalError:  # Another process writes it, or the disk is full.
            return False
        except DAMAGE_ERRORS:
            with suppress(OSError):
                path.unlink(missing_ok=True)
    return False


@contextmanager
def _open_index(path: Path) -> Iterator[sqlite3.Connection]:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # It names the players.
    with closing(sqlite3.connect(path, timeout=LOCK_TIMEOUT, isolation_level=None)) as disk:
        (version,) = disk.execute("PRAGMA user_version").fetchone()
        if version != INDEX_VERSION:
            disk.execute("BEGIN IMMEDIATE")
            tables = disk.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            for (name,) in tables.fetchall():
                disk.execute(f'DROP TABLE "{name}"')
            for table in TABLES:
                disk.execute(table)
            disk.execute(f"PRAGMA user_version={INDEX_VERSION}")
            disk.execute("COMMIT")
        yield disk


def _belongs_to(disk: sqlite3.Connection, journal: JournalReader) -> bool:
    """Return whether the journal begins with the very lines that the index was made from."""
    mark = disk.execute("SELECT n, chain FROM mark").fetchone()
    return mark is not None and journal.chain_at(mark[0]) == mark[1]


def _sound_rows(disk: sqlite3.Connection) -> Iterator[IndexedGame]:
    if disk.execute("PRAGMA user_version").fetchone() != (INDEX_VERSION,):
        return
    for id, last, lines, facts, own in disk.execute("SELECT * FROM game"):
        game = IndexedGame(id, last, lines, facts)
        if _row_hash(game) == own:
            yield game


def _row_hash(game: IndexedGame) -> bytes:
    return hash_parts(*msgspec.structs.astuple(game))
