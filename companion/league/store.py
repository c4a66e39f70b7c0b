"""What a league keeps: its book, its records, and the names of those who agreed to be named.

Laws: one SQLite file beside the proof, which anyone may have (`book.jsonl` and the records). A
commit is on disk when it returns; what is deleted is overwritten. A name stands in this file and
nowhere else; it goes when its member leaves. The proof is written from here after each commit; what
a power cut kept from being written is written by the next one.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.core.durable_files import make_folder, write_file
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.league.book import AnyEntry, BookLine, LeagueFounded, to_bytes, write_line
from companion.league.proof import BOOK, RECORDS
from companion.league.state import League, apply_line, read_league

FILE = "league.sqlite3"
BUSY_TIMEOUT = 5.0
"""Seconds that a write waits for another program that writes."""
TABLES = (
    "CREATE TABLE line (n INTEGER PRIMARY KEY, told BLOB NOT NULL) STRICT",
    "CREATE TABLE name (member TEXT PRIMARY KEY, name TEXT NOT NULL, consent INTEGER NOT NULL,"
    " agreed TEXT NOT NULL) STRICT",
    "CREATE TABLE record (file TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT",
)
_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(BookLine).decode
Statement = tuple[str, tuple[object, ...]]
"""One SQL statement and its values."""


class Act(NamedTuple):
    """What is to be written: an entry of the book, and what else changes with it."""

    said: AnyEntry
    also: tuple[Statement, ...] = ()
    drops: tuple[str, ...] = ()
    """Files of the proof that count no more, or are written again."""


class LeagueStore:
    """The store of one league, in a folder that exists; several programs may use it."""

    def __init__(self, folder: Path) -> None:
        """Open the store; raise Malformed if there is none, or if it cannot be read."""
        self.folder = folder
        with _explain_failure(folder):
            self._disk = _open_file(folder / FILE, "rw")
        self.read_league()

    def read_league(self) -> League:
        """Return the league as it is now; raise Malformed if that fails."""
        with _explain_failure(self.folder):
            return read_league(self._read_lines())

    def read_names(self) -> dict[str, str]:
        """Return the names that may be shown, by member."""
        with _explain_failure(self.folder):
            return dict(self._disk.execute("SELECT member, name FROM name").fetchall())

    def write_act(self, decide: Callable[[League], Act]) -> League:
        """Write what is decided of the league as it is, and the proof; return it as it is then.

        What `decide` raises leaves everything as it was; raise NotWritten where the disk fails.
        """
        with _explain_failure(self.folder), _begin_transaction(self._disk):
            league = read_league(self._read_lines())
            act = decide(league)
            line = write_line(act.said, league.head)
            league = apply_line(league, line)
            self._insert_line(line)
            for sql, values in act.also:
                self._disk.execute(sql, values)
        for file in act.drops:
            (self.folder / RECORDS / file).unlink(missing_ok=True)
        self.write_proof()
        return league

    def write_proof(self) -> None:
        """Write the book, and each record that is not in the folder yet."""
        make_folder(self.folder / RECORDS)
        with _explain_failure(self.folder):
            for file, data in self._disk.execute("SELECT file, data FROM record").fetchall():
                if not (self.folder / RECORDS / file).exists():
                    write_file(self.folder / RECORDS / file, data)
            write_file(self.folder / BOOK, to_bytes(self._read_lines()))

    def close(self) -> None:
        self._disk.close()

    def _read_lines(self) -> list[BookLine]:
        told = self._disk.execute("SELECT told FROM line ORDER BY n").fetchall()
        return [_decode(line) for (line,) in told]

    def _insert_line(self, line: BookLine) -> None:
        self._disk.execute("INSERT INTO line VALUES (?, ?)", (line.n, _encode(line)))


def create_store(folder: Path, founded: LeagueFounded) -> LeagueStore:
    """Make a new league in a folder that has none; raise Malformed if it has."""
    if (folder / FILE).exists() or (folder / BOOK).exists():
        raise Malformed(str(folder), N_("In {field} there is a league already."))
    make_folder(folder)
    (folder / FILE).touch(0o600)
    with _explain_failure(folder):
        disk = _open_file(folder / FILE, "rw")
        line = write_line(founded, None)
        with _begin_transaction(disk):
            for table in TABLES:
                disk.execute(table)
            disk.execute("INSERT INTO line VALUES (?, ?)", (line.n, _encode(line)))
        disk.close()
    store = LeagueStore(folder)
    store.write_proof()
    return store


def _open_file(path: Path, mode: str) -> sqlite3.Connection:
    """Open the file so that commits are synced and deletions overwritten."""
    name = f"{path.absolute().as_uri()}?mode={mode}"
    disk = sqlite3.connect(
        name, BUSY_TIMEOUT, isolation_level=None, uri=True, check_same_thread=False
    )
    disk.execute("PRAGMA journal_mode=TRUNCATE")
    disk.execute("PRAGMA synchronous=FULL")
    disk.execute("PRAGMA secure_delete=ON")
    return disk


@contextmanager
def _begin_transaction(disk: sqlite3.Connection) -> Iterator[None]:
    disk.execute("BEGIN IMMEDIATE")
    try:
        yield
        disk.execute("COMMIT")
    except BaseException:
        if disk.in_transaction:
            disk.execute("ROLLBACK")
        raise


@contextmanager
def _explain_failure(folder: Path) -> Iterator[None]:
    """Say in one sentence what SQLite could not do."""
    try:
        yield
    except (sqlite3.Error, msgspec.DecodeError) as error:
        text = N_("The league in {field} cannot be used: {reason}.")
        raise Malformed(str(folder), text, reason=error) from None
