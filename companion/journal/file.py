"""The journal's file: its lock, its first bytes and tables, the proof of its rows, a copy of it.

Laws: what identifies the file stands in the file itself from its first moment, never only in the
log beside it. A game leaves here only if each of its rows follows on the one before it and they end
where the table of games says; anything else is damage and raises DamagedFile.
"""

import errno
import fcntl
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from companion.core import databases
from companion.core.durable_files import sync_file
from companion.core.errors import ExplainedError, Malformed
from companion.core.i18n import N_
from companion.journal.line import StoredGame, add_row, read_game

SCHEMA_VERSION = 5
"""The format of a data folder, which its journal states: it is raised whenever a file in such a
folder is to be read in another way."""
APPLICATION_ID = 0x434A_0000
"""The application id in the file: "CJ", then the version again."""
MAGIC, PAGE_SIZE = b"SQLite format 3\0", 4096
OTHER_FORMAT = N_(
    "The data folder {field} was made by another version of the companion: move it away, or start"
    " with --data and an empty folder."
)
PAGES_AT_ONCE = 1_000
"""Pages to copy before waiting users of the journal have their turn."""

TABLES = (
    "CREATE TABLE line (n INTEGER PRIMARY KEY, game TEXT NOT NULL, id TEXT NOT NULL,"
    " at REAL NOT NULL, via TEXT NOT NULL, event TEXT NOT NULL, key TEXT NOT NULL,"
    " tag TEXT NOT NULL, over INTEGER NOT NULL, chain BLOB NOT NULL) STRICT",
    "CREATE TABLE game (id TEXT PRIMARY KEY, game TEXT NOT NULL, at REAL NOT NULL,"
    " until REAL NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, lines INTEGER NOT NULL,"
    " imported INTEGER NOT NULL, over INTEGER NOT NULL, chain BLOB NOT NULL) STRICT, WITHOUT ROWID",
)
"""Lines, and their sum for each game: that follows from the lines, and tells where a game ends."""
INSERT_LINE = "INSERT INTO line VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_GAME = "INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
ROWS_OF_GAME = "SELECT * FROM line WHERE n BETWEEN ? AND ? AND id = ? ORDER BY n"


class JournalFailed(ExplainedError):
    """A line could not be written or read; `say` is the reason for people."""


class JournalBusy(Malformed):
    """Another companion has this journal open."""


class JournalLock:
    """The lock file beside the journal: one companion at a time; the kernel frees it when we die.

    Raise JournalBusy where another process holds it, OSError where it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        file = path.with_name(path.name + ".lock")
        self._held = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._held)
            raise JournalBusy(
                path.name, N_("{field} is open already: one companion at a time writes a journal.")
            ) from None

    def release(self) -> None:
        os.close(self._held)


# Making one.


def create_journal(path: Path) -> sqlite3.Connection:
    """Create an empty journal, private, in place of a leftover; return it open, without its log."""
    databases.remove_database(path)
    path.touch(0o600)  # It tells what lies face down; SQLite's files beside it follow suit.
    disk = databases.connect(path)
    with databases.closed_if_failed(disk):
        disk.execute(f"PRAGMA page_size={PAGE_SIZE}")
        disk.execute("BEGIN IMMEDIATE")
        for table in TABLES:
            disk.execute(table)
        disk.execute(f"PRAGMA application_id={APPLICATION_ID + SCHEMA_VERSION}")
        disk.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        disk.execute("COMMIT")
    return disk


def finish_journal(disk: sqlite3.Connection, new: Path, path: Path) -> None:
    """Have a created journal keep a log from now on; it gets its name once it is whole and on
    disk."""
    with closing(disk):
        disk.execute("PRAGMA journal_mode=WAL")
    sync_file(new)
    new.replace(path)
    sync_file(path)


# Its first bytes.


def read_head(path: Path) -> bytes:
    """Return the first hundred bytes; empty where there is no file."""
    try:
        with path.open("rb") as file:
            return file.read(100)
    except (FileNotFoundError, NotADirectoryError):
        return b""


def read_version(head: bytes) -> int:
    """Return the version that the first bytes state; 0 unless they are a journal's: both numbers
    must say so, as damage hardly changes both alike."""
    application, version = (int.from_bytes(head[at : at + 4], "big") for at in (68, 60))
    is_journal = head[:16] == MAGIC and application == APPLICATION_ID + version
    return version if is_journal else 0


def is_of_other_version(journal: Path) -> bool:
    """Return whether another version of the companion made a journal; OSError if that cannot be
    read."""
    return read_version(read_head(journal)) not in (0, SCHEMA_VERSION)


def require_own_format(journal: Path) -> None:
    """Raise Malformed if another version of the companion made the folder of a journal, OSError if
    that cannot be read."""
    if is_of_other_version(journal):
        raise Malformed(str(journal.parent), OTHER_FORMAT)


# Proving it.


def check_tables(path: Path, disk: sqlite3.Connection) -> None:
    """Raise DamagedFile unless the first bytes and the tables are those of every journal."""
    head = read_head(path)
    told = head[16:24], head[44:48], head[56:60]  # Page size and log; schema format; encoding.
    right = bytes([16, 0, 2, 2, 0, 64, 32, 32]), bytes([0, 0, 0, 4]), bytes([0, 0, 0, 1])
    if told != right or read_version(head) != SCHEMA_VERSION:
        raise databases.DamagedFile("head")
    found = disk.execute("SELECT sql FROM sqlite_master").fetchall()
    if sorted(str(sql) for (sql,) in found) != sorted(TABLES):
        raise databases.DamagedFile("tables")


def read_games(disk: sqlite3.Connection) -> dict[str, StoredGame]:
    """Return the games of the second table by their ids, in order of their start."""
    return {row[0]: read_game(row) for row in disk.execute("SELECT * FROM game ORDER BY first")}


def read_rows(disk: sqlite3.Connection, game: StoredGame) -> list[databases.Row]:
    """Return the rows of a game; raise DamagedFile unless they come to that very game."""
    rows = disk.execute(ROWS_OF_GAME, (game.first, game.last, game.id)).fetchall()
    found: StoredGame | None = None
    for row in rows:
        found = add_row(found, row)
    if found != game:
        raise databases.DamagedFile(f"game {game.id}")
    return rows


def check_file(path: Path) -> None:
    """Prove every row of a file that nothing writes; raise Malformed if it is damaged anywhere, or
    holds more than the pages of a journal. Raise JournalFailed if it cannot be read.

    One row at a time is in memory.
    """
    try:
        if int.from_bytes(read_head(path)[28:32], "big") * PAGE_SIZE != path.stat().st_size:
            raise databases.DamagedFile("length")
        with closing(databases.connect_read_only(path)) as disk:
            check_tables(path, disk)
            games = dict[str, StoredGame]()
            for row in disk.execute("SELECT * FROM line ORDER BY n"):
                games[row[2]] = add_row(games.get(row[2]), row)
            if games != read_games(disk):
                raise databases.DamagedFile("games")
            if disk.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise databases.DamagedFile("pages")
    except databases.READ_ERRORS as error:
        if not databases.is_damage(error):
            raise JournalFailed(databases.describe_error(error, path.name)) from None
        raise Malformed(path.name, databases.DAMAGED) from None


# Copying it.


def copy_journal(path: Path, target: Path) -> None:
    """Write a journal as it is now, also while a companion writes it, into a new private file.

    The copy is made without SQLite's log and locks: not every file system on a memory stick has
    those. Raise OSError where it cannot be written, JournalFailed where the journal cannot be read.
    """
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    name = f"{target.absolute().as_uri()}?nolock=1"
    try:
        with (
            closing(databases.connect_read_only(path)) as disk,
            closing(sqlite3.connect(name, uri=True, isolation_level=None)) as copy,
        ):
            disk.execute("BEGIN")
            disk.execute("SELECT 1 FROM line LIMIT 1")  # From here on this is what it sees.
            copy.execute("PRAGMA journal_mode=OFF")
            copy.execute("PRAGMA synchronous=OFF")  # What is packed is synced.
            disk.backup(copy, pages=PAGES_AT_ONCE)
    except databases.READ_ERRORS as error:
        code = getattr(error, "sqlite_errorcode", 0)
        if code in (databases.FULL, databases.NOT_TAKEN):
            number = errno.ENOSPC if code == databases.FULL else errno.EIO
            raise OSError(number, os.strerror(number)) from None
        raise JournalFailed(databases.describe_error(error, path.name)) from None
