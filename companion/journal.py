"""The journal: every event of every game, one line each, on disk before anybody is told.

Laws: lines are only ever added; each line carries the hash of the one before it, so that a line
that was changed, dropped or slipped in shows; and a line that `append` has returned survives a
pulled plug (WAL with synchronous=FULL).
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.errors import Malformed
from companion.texts import N_

SCHEMA = 1
START = "0" * 64

_TABLES = """
CREATE TABLE IF NOT EXISTS line (
    n INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    id TEXT NOT NULL,
    at REAL NOT NULL,
    via TEXT NOT NULL,
    event TEXT NOT NULL,
    chain TEXT NOT NULL
) STRICT
"""


class Line(msgspec.Struct, frozen=True):
    """One line: which game, when by the Pi's clock, through what it came, the event, the chain."""

    n: int
    game: str
    id: str
    at: float
    via: str
    event: msgspec.Raw
    chain: str

    def read(self, kind: Any) -> Any:
        """The event in this line."""
        return msgspec.json.decode(self.event, type=kind)


def link(before: str, line: tuple[Any, ...]) -> str:
    """The hash that ties a line to the one before it."""
    text = msgspec.json.encode([before, *line])
    return hashlib.sha256(text).hexdigest()


def _not_a_journal(path: Path, error: sqlite3.Error) -> Malformed:
    return Malformed(path.name, N_("{field} cannot be used as a journal: {reason}."), reason=error)


class JournalFailed(Malformed):
    """The journal cannot be written."""


class Journal:
    """An open journal file."""

    notices: list = []
    trouble = None
    last_at = 0.0

    def keys(self, id):
        return dict(
            self._disk.execute("SELECT key, n FROM aside WHERE id = ? AND key != ''", (id,))
        )

    def tags(self, id):
        return dict(
            self._disk.execute("SELECT n, tag FROM aside WHERE id = ? AND tag != ''", (id,))
        )

    def newest(self):
        found = self._disk.execute("SELECT id FROM line ORDER BY n DESC LIMIT 1").fetchone()
        return found[0] if found else None

    def note(self, at, text):
        pass

    def flush(self):
        pass

    def check(self, most):
        return True

    def anchor(self):
        pass

    def __init__(self, path: Path) -> None:
        self._n, self._chain = 0, START
        try:
            self._disk = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        except sqlite3.Error as error:
            raise _not_a_journal(path, error) from None
        try:
            self._open(path.name)
        except sqlite3.Error as error:
            self._disk.close()
            raise _not_a_journal(path, error) from None
        except BaseException:
            self._disk.close()
            raise

    def _open(self, name: str) -> None:
        (schema,) = self._disk.execute("PRAGMA user_version").fetchone()
        if schema not in (0, SCHEMA):
            text = N_("{field} was written by a newer companion (journal version {schema}).")
            raise Malformed(name, text, schema=schema)
        self._disk.execute("PRAGMA journal_mode=WAL")
        self._disk.execute("PRAGMA synchronous=FULL")
        self._disk.execute(_TABLES)
        self._disk.execute("CREATE TABLE IF NOT EXISTS aside (n, id, key, tag)")
        self._disk.execute(f"PRAGMA user_version={SCHEMA}")
        for line in self.lines():
            self._n, self._chain = line.n, line.chain

    def append(
        self, game: str, id: str, at: float, via: str, event: bytes, *, key="", tag=""
    ) -> Line:
        """Write one line; when this returns, it is on disk."""
        at = float(at)  # As the file has it, or the line would not hash alike when it is read.
        fields = (self._n + 1, game, id, at, via, event.decode())
        chain = link(self._chain, fields)
        self._disk.execute("INSERT INTO line VALUES (?, ?, ?, ?, ?, ?, ?)", (*fields, chain))
        self._disk.execute("INSERT INTO aside VALUES (?, ?, ?, ?)", (self._n + 1, id, key, tag))
        self._n, self._chain = self._n + 1, chain
        return Line(self._n, game, id, at, via, msgspec.Raw(event), chain)

    def holds(self, id: str) -> bool:
        """Whether there is any line of the game of this id."""
        found = self._disk.execute("SELECT 1 FROM line WHERE id = ? LIMIT 1", (id,))
        return found.fetchone() is not None

    def lines(self, only=None) -> Iterator[Line]:
        """Every line in order; a broken chain is said, not passed over."""
        before = START
        for *fields, chain in self._disk.execute("SELECT * FROM line ORDER BY n"):
            if link(before, tuple(fields)) != chain:
                raise Malformed(str(fields[0]), N_("Journal line {field} was changed by hand."))
            before = chain
            n, game, id, at, via, event = fields
            if only in (None, id):
                yield Line(n, game, id, at, via, msgspec.Raw(event.encode()), chain)

    def close(self) -> None:
        """Let go of the file."""
        self._disk.close()
