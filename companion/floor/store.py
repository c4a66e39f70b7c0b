"""What a floor keeps: the last state of each table, in one SQLite file.

Laws: a floor that starts again knows its tables, and shows what it kept as old. A state is written
only when it is another one than before. What the disk does not take is missed later, not now.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.floor.table_state import TableState
from companion.floor.tiles import parse_state

FILE = "floor.sqlite3"
_encode = msgspec.json.Encoder().encode


class FloorStore:
    """The file of a floor; used on one thread."""

    def __init__(self, folder: Path) -> None:
        self._file = sqlite3.connect(folder / FILE, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, state BLOB NOT NULL)"
        )
        self._written: dict[str, TableState] = {}

    def load(self) -> list[tuple[str, TableState]]:
        """Return every table that was kept, with its state; calls are over by now."""
        rows = self._file.execute("SELECT id, state FROM tables").fetchall()
        found = [(table, parse_state(state)) for table, state in rows]
        return [
            (table, msgspec.structs.replace(state, call=None))
            for table, state in found
            if state is not None
        ]

    def keep(self, changed: Iterable[tuple[str, TableState]]) -> None:
        """Keep the states of these tables, those that are other ones than before."""
        told = [(table, state.without_ages()) for table, state in changed]
        news = [(table, state) for table, state in told if self._written.get(table) != state]
        if not news:
            return
        rows = [(table, _encode(state)) for table, state in news]
        with suppress(sqlite3.OperationalError), self._file:
            self._file.execute("BEGIN")
            self._file.executemany("INSERT OR REPLACE INTO tables VALUES (?, ?)", rows)
            self._written.update(news)

    def forget(self, table: str) -> None:
        """Forget a table."""
        self._written.pop(table, None)
        with suppress(sqlite3.OperationalError):
            self._file.execute("DELETE FROM tables WHERE id = ?", (table,))

    def close(self) -> None:
        self._file.close()
