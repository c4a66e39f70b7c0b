"""The names of players: a table in the file of seats and hosts, and the only one of them all.

Laws: a name is printed as it is stored and sounds like no other at the table; what cannot be seen,
or would turn or bury the text around it, is refused with a sentence. Facts, records and backups
speak of seats, and no backup contains this file. What was erased is overwritten on the disk when
this returns (`secure_delete`). What cannot be read counts as erased.

`since` counts hours of the table, never a date. While the machine runs, only its running time
counts. What went by while it was off counts only between two moments at which its clock was
synchronised, and only beyond the running time in between. A clock that is set, or jumps, changes
nothing in a run; one that goes back counts nothing.
"""

import sqlite3
import threading
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from msgspec.structs import astuple, replace

from companion.core.databases import Database, TableOfRows, connect_read_only
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games.start import LONGEST_NAME, is_visible

MAX_MARKS = 2
"""Most accents on one letter in any language that people write by hand."""


def clean_name(typed: str) -> str:
    """Return the name without surplus space; raise Malformed if it is not allowed."""
    name = unicodedata.normalize("NFC", " ".join(typed.split()))
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Malformed("name", N_("A name has 1 to {most} characters."), most=LONGEST_NAME)
    if not is_visible(name) or not _is_readable(name):
        text = N_("A name is made of letters and signs that everyone can see.")
        raise Malformed("name", text)
    return name


def _is_readable(name: str) -> bool:
    """Return whether there is more than accents, and no letter buried under them."""
    kinds = "".join("m" if unicodedata.category(c)[0] == "M" else "." for c in name)
    return "." in kinds.replace("m", "") and "m" * (MAX_MARKS + 1) not in kinds


# The time that a table counts.

HOUR = 3600.0


class ClockLook(msgspec.Struct, frozen=True):
    """One look at the clocks: which run of the machine, its seconds so far, the time of day, and
    whether that is synchronised."""

    run: str
    running: float
    wall: float
    is_synchronised: bool


class CountedTime(msgspec.Struct, frozen=True):
    """The seconds counted so far; the last look; the last one with a synchronised clock, and the
    seconds counted since that."""

    seconds: float = 0.0
    run: str = ""
    running: float = 0.0
    synchronised_in: str = ""
    synchronised_at: float = 0.0
    since: float = 0.0

    @property
    def hours(self) -> float:
        """Return the hours counted so far."""
        return self.seconds / HOUR


def count_on(time: CountedTime, look: ClockLook) -> CountedTime:
    """Return the time after another look."""
    ran = max(0.0, look.running - (time.running if look.run == time.run else 0.0))
    since = time.since + ran
    counted = msgspec.structs.replace(
        time, seconds=time.seconds + ran, run=look.run, running=look.running, since=since
    )
    if not look.is_synchronised:
        return counted
    is_same_run = not time.synchronised_in or time.synchronised_in == look.run
    off = 0.0 if is_same_run else max(0.0, look.wall - time.synchronised_at - since)
    return msgspec.structs.replace(
        counted,
        seconds=counted.seconds + off,
        synchronised_in=look.run,
        synchronised_at=look.wall,
        since=0.0,
    )


# The table of names.

SEATED = ""
"""Stands for a game's id in the names of seated players."""
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
    """A name: its game and seat, its hour, and the browser that gave it."""

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
        self._keep(Named(*row) for row in self._database.take_rows(NAMES))
        newest = max((row.since for row in self.rows), default=0.0)
        self.time = CountedTime(newest * HOUR)  # What is counted at least.
        with suppress(msgspec.DecodeError):
            for _one, counted in self._database.take_rows(TIME):
                self.time = msgspec.json.decode(counted, type=CountedTime)

    def _keep(self, names: Iterable[Named]) -> None:
        self.rows = tuple(sorted(names))
        """Every name that is kept, by game and seat."""
        self.by_game = names_by_game(self.rows)

    def keep_names(
        self,
        game: str,
        named: Iterable[tuple[int, str, str]],
        write: Callable[..., None] | None = None,
    ) -> None:
        """Keep these as the names of a game: each seat, its name, and the browser that gave it;
        `write` writes them with a change of its own."""
        with self._lock:
            others = [row for row in self.rows if row.game != game]
            before = {(row.seat, row.name): row.since for row in self.rows if row.game == game}
            now = self.time.hours
            rows = (
                Named(game, seat, name, before.get((seat, name), now), phone)
                for seat, name, phone in named
                if name
            )
            self._write((*others, *rows), write=write)

    def count_time(self, time: CountedTime, played: str, days: float) -> None:
        """Store the counted time; erase expired names, but for the game in progress, whose days
        begin now."""
        with self._lock:
            former, self.time = self.time, time
            rows = (
                replace(row, since=time.hours) if row.game == played and played else row
                for row in self.rows
            )
            self._write((row for row in rows if row.since > time.hours - 24 * days), former)

    def erase_game(self, game: str) -> None:
        """Erase the names of a game."""
        with self._lock:
            self._write(row for row in self.rows if row.game != game)

    def erase_phone(self, phone: str) -> None:
        """Erase the names that came from a browser."""
        with self._lock:
            self._write(row for row in self.rows if row.phone != phone)

    def erase_all(self) -> None:
        """Erase every name."""
        with self._lock:
            self._write(())

    def _write(
        self,
        names: Iterable[Named],
        former: CountedTime | None = None,
        write: Callable[..., None] | None = None,
    ) -> None:
        """Have the file hold these names, and the time that was counted if there was a former."""
        rows = tuple(sorted(names))
        changes = [*NAMES.changes(map(astuple, self.rows), map(astuple, rows))]
        if former is not None:
            changes += TIME.changes([_time_row(former)], [_time_row(self.time)])
        (write or self._database.write)(*changes)
        self._keep(rows)


def _time_row(time: CountedTime) -> tuple[int, str]:
    return 1, msgspec.json.encode(time).decode()


def names_by_game(rows: Iterable[Named]) -> dict[str, tuple[str, ...]]:
    """Return the names of each game by seat, "" for one that is not kept."""
    seats = dict[str, dict[int, str]]()
    for row in rows:
        seats.setdefault(row.game, {})[row.seat] = row.name
    return {
        game: tuple(named.get(seat, "") for seat in range(1, max(named) + 1))
        for game, named in seats.items()
    }


def read_names(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the names of each game in a file that another process may have open; none if it cannot
    be read."""
    with suppress(sqlite3.Error), closing(connect_read_only(path)) as disk:
        rows = disk.execute(f"SELECT * FROM {NAMES.name}")
        return names_by_game(Named(*row) for row in rows)
    return {}
