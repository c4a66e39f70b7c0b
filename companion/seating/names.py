"""The names of players: a table in the file of seats and hosts, and the only one of them all.

Laws: a name is printed as it is stored and sounds like no other at the table; what cannot be seen,
or would turn or bury the text around it, is refused with a sentence. Facts, records and backups
speak of seats, and no backup contains this file. What was erased is overwritten on the disk when
this returns (`secure_delete`). What cannot be read counts as erased.

`since` is the time of day at which a name was last played with. A clock that is behind keeps names
longer, one that is ahead erases those of past games sooner; of a later time counts as now.
"""

import sqlite3
import threading
import time
import unicodedata
from collections.abc import Callable, Container, Iterable
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from msgspec.structs import astuple, replace

from companion.core.databases import Database, TableOfRows, connect_read_only
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games.start import is_visible

MAX_NAME = 20
MAX_MARKS = 2
"""Most accents on one letter in any language that people write by hand."""


def clean_name(typed: str) -> str:
    """Return the name without surplus space; raise Malformed if it is not allowed."""
    name = unicodedata.normalize("NFC", " ".join(typed.split()))
    if not 1 <= len(name) <= MAX_NAME:
        raise Malformed("name", N_("A name has 1 to {most} characters."), most=MAX_NAME)
    if not is_visible(name) or not _is_readable(name):
        text = N_("A name is made of letters and signs that everyone can see.")
        raise Malformed("name", text)
    return name


def _is_readable(name: str) -> bool:
    """Return whether there is more than accents, and no letter buried under them."""
    kinds = "".join("m" if unicodedata.category(c)[0] == "M" else "." for c in name)
    return "." in kinds.replace("m", "") and "m" * (MAX_MARKS + 1) not in kinds


# The table of names.

SEATED = ""
"""Stands in place of the id of a game for those who sit at the table."""
NAMES = TableOfRows(
    "name",
    (
        "game TEXT NOT NULL", "seat INTEGER NOT NULL", "name TEXT NOT NULL",
        "since REAL NOT NULL", "phone TEXT NOT NULL",
    ),
    keys=2,
)  # fmt: skip
DAY = 86_400.0
RENEWED_AFTER = 3600.0
"""Seconds after which names that stay get a newer time: each is a write to the card."""


class Named(msgspec.Struct, frozen=True, order=True):
    """A name: of which game and seat, since when, and the browser that gave it."""

    game: str
    seat: int
    name: str
    since: float
    phone: str = ""


class Names:
    """The names of one table, in a database, or without one in memory. Thread-safe.

    Writing raises NotWritten; reading never waits for the disk.
    """

    def __init__(
        self, database: Database | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.clock = clock
        self._lock = threading.RLock()
        self._database = database or Database(None, (NAMES,))
        self._rows = tuple(sorted(Named(*row) for row in self._database.take_rows(NAMES)))

    def list_names(self) -> tuple[Named, ...]:
        """Return every name that is kept, by game and seat."""
        return self._rows

    def names_of(self, game: str) -> tuple[str, ...]:
        """Return the names of a game by seat, "" for one that is not kept."""
        return names_of(self._rows, game)

    def keep_names(self, game: str, named: Iterable[tuple[int, str, str]]) -> None:
        """Keep these as the names of a game: each seat, its name, and the browser that gave it."""
        with self._lock:
            others = [row for row in self._rows if row.game != game]
            before = {(row.seat, row.name): row.since for row in self._rows if row.game == game}
            now = self.clock()
            rows = (
                Named(game, seat, name, before.get((seat, name), now), phone)
                for seat, name, phone in named
                if name
            )
            self._write((*others, *rows))

    def erase_old(self, days: float, spared: Container[str]) -> None:
        """Erase the names of every game that is so many days old, but for these, whose days begin
        now."""
        with self._lock:
            now = self.clock()
            rows = (
                replace(row, since=now)
                if row.since > now or (row.game in spared and row.since < now - RENEWED_AFTER)
                else row
                for row in self._rows
            )
            self._write(row for row in rows if row.since > now - days * DAY)

    def erase_game(self, game: str) -> None:
        """Erase the names of a game."""
        with self._lock:
            self._write(row for row in self._rows if row.game != game)

    def erase_phone(self, phone: str) -> None:
        """Erase the names that came from a browser."""
        with self._lock:
            self._write(row for row in self._rows if row.phone != phone)

    def erase_all(self) -> None:
        """Erase every name."""
        with self._lock:
            self._write(())

    def _write(self, names: Iterable[Named]) -> None:
        """Have the file hold these names."""
        rows = tuple(sorted(names))
        self._database.write(*NAMES.changes(map(astuple, self._rows), map(astuple, rows)))
        self._rows = rows


def names_of(rows: Iterable[Named], game: str) -> tuple[str, ...]:
    """Return the names of a game by seat, "" for one that is not kept."""
    by_seat = {row.seat: row.name for row in rows if row.game == game}
    return tuple(by_seat.get(seat, "") for seat in range(1, max(by_seat, default=0) + 1))


def read_names(path: Path) -> tuple[Named, ...]:
    """Return the names in a file that another process may have open; none if it cannot be read."""
    with suppress(sqlite3.Error), closing(connect_read_only(path)) as disk:
        return tuple(Named(*row) for row in disk.execute(f"SELECT * FROM {NAMES.name}"))
    return ()
