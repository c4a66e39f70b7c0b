"""The names of players: a table in the file of seats and hosts, and the only one of them all.

Laws: facts, records and backups speak of seats, and no backup contains this file. What was erased
is overwritten on the disk when this returns (`secure_delete`). What cannot be read counts as
erased. `since` counts hours of the table, never a date.
"""

import sqlite3
import threading
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from msgspec.structs import astuple, replace

from companion.core.databases import Database, TableOfRows, connect_read_only
from companion.privacy.table_time import TableTime

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
TIME = TableOfRows("time", ("one INTEGER NOT NULL", "counted TEXT NOT NULL"))


class Named(msgspec.Struct, frozen=True, order=True):
    """A name: of which game and seat, since which hour, and the browser that gave it."""

    game: str
    seat: int
    name: str
    since: float
    phone: str = ""


class Names:
    """The names of one table, in a database, or without one in memory. Thread-safe.

    Writing raises NotWritten; reading never waits for the disk.
    """

    def __init__(self, database: Database | None = None) -> None:
        self._lock = threading.RLock()
        self._database = database or Database(None, (NAMES, TIME))
        self._rows = tuple(sorted(Named(*row) for row in self._database.take_rows(NAMES)))
        self.time = TableTime()
        for _one, counted in self._database.take_rows(TIME):
            self.time = msgspec.json.decode(counted, type=TableTime)

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
            now = self.time.hours
            rows = (
                Named(game, seat, name, before.get((seat, name), now), phone)
                for seat, name, phone in named
                if name
            )
            self._write((*others, *rows))

    def count_time(self, time: TableTime, played: str, days: float) -> None:
        """Keep the time that was counted; erase what is due but for the game that is played, whose
        days begin now."""
        with self._lock:
            former, self.time = self.time, time
            rows = (
                replace(row, since=time.hours) if row.game == played and played else row
                for row in self._rows
            )
            self._write((row for row in rows if row.since > time.hours - 24 * days), former)

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

    def _write(self, names: Iterable[Named], former: TableTime | None = None) -> None:
        """Have the file hold these names, and the time that was counted if there was a former."""
        rows = tuple(sorted(names))
        changes = [*NAMES.changes(map(astuple, self._rows), map(astuple, rows))]
        if former is not None:
            changes += TIME.changes([_time_row(former)], [_time_row(self.time)])
        self._database.write(*changes)
        self._rows = rows


def _time_row(time: TableTime) -> tuple[int, str]:
    return 1, msgspec.json.encode(time).decode()


def names_of(rows: Iterable[Named], game: str) -> tuple[str, ...]:
    """Return the names of a game by seat, "" for one that is not kept."""
    by_seat = {row.seat: row.name for row in rows if row.game == game}
    return tuple(by_seat.get(seat, "") for seat in range(1, max(by_seat, default=0) + 1))


def read_names(path: Path) -> tuple[Named, ...]:
    """Return the names in a file that another process may have open; none if it cannot be read."""
    with suppress(sqlite3.Error), closing(connect_read_only(path)) as disk:
        return tuple(Named(*row) for row in disk.execute(f"SELECT * FROM {NAMES.name}"))
    return ()
