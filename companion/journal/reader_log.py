"""Log of readings: evidence for a dispute about what lay where, not the game itself.

Law: it is written with the next line, never on its own account; it never keeps a line from being
written; only the latest readings are kept.
"""

import sqlite3

MAX_ROWS = 20_000
MAX_PENDING = 2_000
MAX_TEXT = 400


class ReaderLog:
    """The readings that are not written yet."""

    def __init__(self) -> None:
        self.pending: list[tuple[float, str]] = []

    def add_reading(self, at: float, text: str) -> None:
        """Keep a reading until it is written; drop the oldest if too many wait."""
        self.pending.append((at, text[:MAX_TEXT]))
        del self.pending[:-MAX_PENDING]

    def write_pending(self, connection: sqlite3.Connection) -> None:
        """Write all pending readings within the open transaction."""
        connection.executemany("INSERT INTO chatter (at, text) VALUES (?, ?)", self.pending)
        connection.execute(
            "DELETE FROM chatter WHERE n <= (SELECT max(n) FROM chatter) - ?", (MAX_ROWS,)
        )
