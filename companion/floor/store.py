"""What a floor keeps: the last state of each table and its place in the plan, in a SQLite file.

Laws: a floor that starts again knows its tables, and shows what it kept as old. A state is written
only when it is another one than before. What the disk does not take of a state is missed later, not
now; that a table is forgotten is on disk when it is acknowledged. Writing a state does not wait for
the disk: one that the power takes is heard again from its table. The checkpoint, which moves the
log of SQLite into its file, waits for the disk, and so it runs on another thread.
"""

import errno
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from companion.core.durable_files import disk_sentence
from companion.core.errors import NotWritten
from companion.floor.table_state import TableState
from companion.floor.tiles import FloorTiles, RoomSpot, parse_state

FILE = "floor.sqlite3"
_encode = msgspec.json.Encoder().encode


class FloorStore:
    """The file of a floor; used on one thread, but for `run_checkpoint`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._file = sqlite3.connect(self._path, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA wal_autocheckpoint=0")
        self._file.execute("PRAGMA synchronous=FULL")
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, state BLOB NOT NULL)"
        )
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS spots"
            " (id TEXT PRIMARY KEY, x REAL NOT NULL, y REAL NOT NULL)"
        )
        self._written: dict[str, TableState] = {}

    def load_states(self) -> list[tuple[str, TableState]]:
        """Return every table that was kept, with its state; calls are over by now."""
        rows = self._file.execute("SELECT id, state FROM tables").fetchall()
        found = [(table, parse_state(state)) for table, state in rows]
        return [
            (table, msgspec.structs.replace(state, call=None))
            for table, state in found
            if state is not None
        ]

    def keep_states(self, changed: Iterable[tuple[str, TableState]]) -> None:
        """Keep the states of these tables, those that are other ones than before."""
        told = [(table, state.without_ages()) for table, state in changed]
        news = [(table, state) for table, state in told if self._written.get(table) != state]
        if not news:
            return
        rows = [(table, _encode(state)) for table, state in news]
        with suppress(sqlite3.OperationalError):
            with self._without_waiting(), self._file:
                self._file.execute("BEGIN")
                self._file.executemany("INSERT OR REPLACE INTO tables VALUES (?, ?)", rows)
            self._written.update(news)

    @contextmanager
    def _without_waiting(self) -> Iterator[None]:
        """Have commits not wait for the disk: SQLite syncs only at a checkpoint, with the first
        write after it, and with the next that counts. A card can take a second, in which no tile
        would be sent."""
        self._file.execute("PRAGMA synchronous=NORMAL")
        try:
            yield
        finally:
            self._file.execute("PRAGMA synchronous=FULL")

    def keep_changes(self, changed: Iterable[str], tiles: FloorTiles) -> set[str]:
        """Keep the states of these tables, and forget those that have no tile any more; return
        those that the disk did not let be forgotten."""
        told = {*changed}
        self.keep_states([(table, tiles[table].state) for table in told if table in tiles])
        left = set[str]()
        for table in told:
            try:
                if table not in tiles:
                    self.forget_table(table)
            except NotWritten:
                left.add(table)
        return left

    def load_spots(self) -> dict[str, RoomSpot]:
        """Return where the tables stand in the plan of the room."""
        rows = self._file.execute("SELECT id, x, y FROM spots").fetchall()
        return {table: RoomSpot(x, y) for table, x, y in rows}

    def keep_spot(self, table: str, spot: RoomSpot) -> None:
        """Keep where a table stands; NotWritten if the disk does not take that."""
        self._execute_change("INSERT OR REPLACE INTO spots VALUES (?, ?, ?)", table, spot.x, spot.y)

    def forget_table(self, table: str) -> None:
        """Forget a table, and where it stood; NotWritten if the disk does not take that."""
        self._execute_change("DELETE FROM tables WHERE id = ?", table)
        self._execute_change("DELETE FROM spots WHERE id = ?", table)
        self._written.pop(table, None)

    def _execute_change(self, change: str, *facts: object) -> None:
        try:
            self._file.execute(change, facts)
        except sqlite3.OperationalError:
            raise NotWritten(FILE, disk_sentence(errno.EIO)) from None

    def run_checkpoint(self) -> None:
        """Move what is written from the log into the file, on any thread, while others write; what
        the disk does not take stays in the log."""
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(self._path)) as other:
            other.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        self._file.close()
