"""Identity file: its tables, how they are read, and how a new file is made.

Laws: a commit is on disk when it returns, and what failed is rolled back when the file is opened
next; therefore a rollback journal, not a write-ahead log. A new file is written aside, synced, and
renamed with all its content in it.
"""

import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from companion.core.durable_files import sync_folder
from companion.identity.state import COOKIE_KEY_SIZE, Browser, IdentityState
from companion.seating.seat_map import SeatHolder

FILE = "identity.sqlite3"
MEMORY = Path("/dev/shm")
"""The folder that Linux keeps in memory."""

TABLES = (
    "CREATE TABLE fact (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT",
    "CREATE TABLE change (one INTEGER PRIMARY KEY CHECK (one = 1), n INTEGER NOT NULL) STRICT",
    "CREATE TABLE browser (id TEXT PRIMARY KEY, used INTEGER NOT NULL, language TEXT NOT NULL,"
    " public_key BLOB NOT NULL CHECK (length(public_key) IN (0, 32)),"
    " counter_ceiling INTEGER NOT NULL) STRICT",
    "CREATE TABLE seat (seat INTEGER PRIMARY KEY, browser TEXT NOT NULL, name TEXT NOT NULL,"
    " hands TEXT NOT NULL) STRICT",
    "CREATE TABLE host (browser TEXT PRIMARY KEY,"
    " made_by TEXT NOT NULL CHECK (made_by IN ('pass', 'button'))) STRICT",
)

Statement = tuple[str, tuple[object, ...]]
"""One SQL statement and its values."""


class DamagedIdentity(Exception):
    """The file holds something that no identity file holds."""


READ_ERRORS = (sqlite3.Error, DamagedIdentity, UnicodeDecodeError, ValueError)
"""What reading a damaged file may raise."""


def connect(path: Path | None) -> sqlite3.Connection:
    """Open an existing file, or memory, so that commits are synced and deletions overwritten."""
    name = f"{path.absolute().as_uri()}?mode=rw" if path else ":memory:"
    disk = sqlite3.connect(
        name,
        isolation_level=None,
        check_same_thread=False,
        uri=path is not None,
    )
    try:
        disk.execute("PRAGMA journal_mode=TRUNCATE")
        disk.execute("PRAGMA synchronous=FULL")
        disk.execute("PRAGMA secure_delete=ON")
    except BaseException:
        disk.close()
        raise
    return disk


def open_sound(path: Path) -> tuple[sqlite3.Connection, IdentityState]:
    """Open an existing file and read it; raise one of READ_ERRORS unless it is sound."""
    disk = connect(path)
    try:
        if disk.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise DamagedIdentity("integrity")
        return disk, read_state(disk)
    except BaseException:
        disk.close()
        raise


def read_state(disk: sqlite3.Connection) -> IdentityState:
    """Read everything; raise DamagedIdentity unless the tables are exactly ours."""
    tables = disk.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    if sorted(str(sql) for (sql,) in tables) != sorted(TABLES):
        raise DamagedIdentity("tables")
    facts = dict(disk.execute("SELECT name, value FROM fact").fetchall())
    changes = disk.execute("SELECT n FROM change").fetchone()
    if len(facts.get("cookie_key", b"")) < COOKIE_KEY_SIZE or changes is None:
        raise DamagedIdentity("facts")
    browsers = disk.execute("SELECT id, used, language, public_key, counter_ceiling FROM browser")
    seats = disk.execute("SELECT seat, browser, name, hands FROM seat")
    return IdentityState(
        facts["cookie_key"],
        changes[0],
        {id: Browser(*known) for id, *known in browsers.fetchall()},
        {seat: SeatHolder(*holder) for seat, *holder in seats.fetchall()},
        dict(disk.execute("SELECT browser, made_by FROM host").fetchall()),
    )


def read_copy(path: Path) -> IdentityState:
    """Read a copy of a file that cannot be opened, where its rollback journal may be needed.

    The copy is made in memory if there is a folder for that; raise OSError or one of READ_ERRORS.
    """
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for each in filter(Path.exists, (path, journal_path(path))):
            Path(folder, each.name).write_bytes(each.read_bytes())
        disk, state = open_sound(Path(folder, path.name))
        disk.close()
        return state


def create_file(path: Path, state: IdentityState) -> None:
    """Make a new file with this content, private, in place of any other."""
    create_aside(path, state).replace(path)
    sync_folder(path.parent)


def create_aside(path: Path, state: IdentityState) -> Path:
    """Make a new file with this content beside the path, on disk; return where it is."""
    aside = path.with_name(path.name + ".new")
    for leftover in (aside, journal_path(aside)):
        leftover.unlink(missing_ok=True)
    aside.touch(0o600)
    with closing(connect(aside)) as disk:
        create_tables(disk, state)
    journal_path(aside).unlink(missing_ok=True)
    return aside


def create_tables(disk: sqlite3.Connection, state: IdentityState) -> None:
    """Create the tables with this content, all at once."""
    disk.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        disk.execute(table)
    for sql, values in fill_statements(state):
        disk.execute(sql, values)
    disk.execute("COMMIT")


def fill_statements(state: IdentityState) -> Iterable[Statement]:
    """Yield the statements that write this content into empty tables."""
    yield "INSERT INTO fact VALUES ('cookie_key', ?)", (state.cookie_key,)
    yield "INSERT INTO change VALUES (1, ?)", (state.changes,)
    for id, known in state.browsers.items():
        yield "INSERT INTO browser VALUES (?, ?, ?, ?, ?)", (
            id, known.used, known.language, known.public_key, known.counter_ceiling
        )  # fmt: skip
    for seat, holder in state.seats.items():
        yield INSERT_SEAT, (seat, holder.browser, holder.name, holder.hands)
    for browser, made_by in state.hosts.items():
        yield "INSERT INTO host VALUES (?, ?)", (browser, made_by)


INSERT_SEAT = "INSERT INTO seat VALUES (?, ?, ?, ?)"


def journal_path(path: Path) -> Path:
    """Return the path of the rollback journal beside the file."""
    return path.with_name(path.name + "-journal")
