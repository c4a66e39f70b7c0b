"""What readers said: evidence for a quarrel about what lay where, not the game itself.

Law: it is written with the next line, never on its own account; it never keeps a line from being
written; only the latest of it is kept.
"""

import sqlite3

KEPT = 20_000
WAITING = 2_000
LONGEST = 400


class Chatter:
    """What was said and is not written yet."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, str]] = []

    def note(self, at: float, text: str) -> None:
        """Keep this until it is written; if too much waits, the oldest is forgotten."""
        self.waiting.append((at, text[:LONGEST]))
        del self.waiting[:-WAITING]

    def write(self, disk: sqlite3.Connection) -> None:
        """Write all that waits within the transaction that is under way."""
        if not self.waiting:
            return
        disk.executemany("INSERT INTO chatter (at, text) VALUES (?, ?)", self.waiting)
        disk.execute("DELETE FROM chatter WHERE n <= (SELECT max(n) FROM chatter) - ?", (KEPT,))
