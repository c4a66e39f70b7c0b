"""Read an open journal: its games and their lines, each verified as it is read.

Law: opening verifies only what came after the last anchor, so that it does not grow with history;
the rest is verified slice by slice while the table is idle. Damage that is met on the way is
salvaged and reported, and reading goes on behind it.
"""

import sqlite3
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

import msgspec

from companion.core.i18n import Message, message
from companion.journal import verify
from companion.journal.errors import (
    READ_ERRORS,
    DamagedJournal,
    JournalFailed,
    describe_error,
    is_damage,
)
from companion.journal.line import CHAIN_START, IMPORTED_TAG, JournalLine, mark_hash
from companion.journal.names import GameNames


class StoredGame(msgspec.Struct, frozen=True):
    """A game in the journal: `last` is the number of its last line."""

    id: str
    game: str
    at: float
    lines: int
    imported: bool
    """Whether it came from a record."""
    last: int
    is_complete: bool
    """Whether no line of it is known to be lost."""


class JournalReader(ABC):
    """The reading half of a journal."""

    _connection: sqlite3.Connection
    _last_number: int
    _checked_to: tuple[int, str]
    _all_checked: bool
    fault: Message | None
    names: GameNames
    """The names of the players, where they are kept."""

    @abstractmethod
    def _salvage_file(self, reason: Exception) -> None:
        """Replace the open file, which is damaged, by what is sound of it."""

    def _query(self, sql: str, *facts: object) -> list[Any]:
        """Return the rows of a query; if the file is damaged, salvage it and retry."""
        try:
            return self._connection.execute(sql, facts).fetchall()
        except READ_ERRORS as error:
            if not is_damage(error):
                raise JournalFailed(self.fault or describe_error(error)) from None
            self._salvage_file(error)
            return self._connection.execute(sql, facts).fetchall()

    def has_game(self, id: str) -> bool:
        """Return whether there is any line of the game of this id."""
        return bool(self._query("SELECT 1 FROM stretch WHERE id = ? LIMIT 1", id))

    def newest_game(self, game: str = "") -> str | None:
        """Return the id of the game played last here, of any box or of this one."""
        which = "SELECT id FROM stretch WHERE brought = 0 AND ? IN ('', game)"
        found = self._query(f"{which} ORDER BY first DESC LIMIT 1", game)
        return str(found[0][0]) if found else None

    def list_games(self) -> list[StoredGame]:
        """Return every game, the oldest first."""
        rows = self._query("SELECT id, game, at, brought, first FROM stretch ORDER BY first")
        gaps = [n for (n,) in self._query("SELECT n FROM gap ORDER BY n")]
        ends = [row[-1] - 1 for row in rows[1:]] + [self._last_number] * bool(rows)
        games: dict[str, StoredGame] = {}
        for (id, game, at, brought, first), last in zip(rows, ends, strict=True):
            is_whole = bisect_left(gaps, first) == bisect_right(gaps, last + 1)
            lines = last - first + 1 if is_whole else self._count_lines(first, last)
            before = games.get(id, StoredGame(id, game, at, 0, False, 0, True))
            games[id] = StoredGame(
                id,
                before.game,
                min(before.at, at),
                before.lines + lines,
                before.imported or bool(brought),
                last,
                before.is_complete and is_whole,
            )
        return list(games.values())

    def is_complete(self, id: str) -> bool:
        """Return whether no line of this game is known to be lost."""
        gaps = [n for (n,) in self._query("SELECT n FROM gap")]
        return not any(a <= n <= b + 1 for a, b in self._game_stretches(id) for n in gaps)

    def missing_ranges(self) -> list[tuple[int, int]]:
        """Return first and last number of each range of lost lines."""
        return self._query(
            "SELECT first, last FROM (SELECT n - 1 AS last, 1 +"
            " coalesce((SELECT max(line.n) FROM line WHERE line.n < gap.n), 0) AS first FROM gap)"
            " WHERE first <= last ORDER BY first"
        )

    def read_lines(self, id: str | None = None) -> Iterator[JournalLine]:
        """Yield the lines of one game, or of all, in order."""
        after, mended = 0, False
        while True:
            try:
                for each in self._verified_lines(id, after):
                    yield each
                    after = each.n
                return
            except READ_ERRORS as error:
                if not is_damage(error):
                    raise JournalFailed(self.fault or describe_error(error)) from None
                if mended:
                    text = message("The journal is damaged and cannot be mended.")
                    raise JournalFailed(text) from None
                self._salvage_file(error)
                mended = True

    def chain_at(self, n: int) -> str | None:
        """Return the chain that leads to the line of this number; None if there is none."""
        found = self._query("SELECT chain FROM line WHERE n = ?", n)
        return found[0][0].hex() if found else None

    def games_since(self, n: int, chain: str) -> int | None:
        """Return how many games began after this line; None if there is no such line."""
        if self.chain_at(n) != chain:
            return None
        count = "SELECT count(DISTINCT id) FROM stretch WHERE first > ?"
        return int(self._query(count, n)[0][0])

    def request_keys(self, id: str) -> dict[str, int]:
        """Map the key of each request of a game to the number of its line."""
        return {key: n for n, key, _ in self._marked_lines(id) if key}

    def newest_requests(self, most: int) -> dict[str, str]:
        """Map the keys of the newest requests, of any game, to the events written for them.

        `most` is the number of newest lines that are looked through.
        """
        sql = "SELECT n, own, chain, key, tag, mark, event FROM line WHERE n > ? ORDER BY n"
        rows = self._query(sql, self._last_number - most)
        return {row[3]: row[6] for row in rows if row[3] and _has_its_mark(*row[:6])}

    def line_tags(self, id: str) -> dict[int, str]:
        """Map the number of a line to the tags behind it."""
        return {n: tag for n, _, tag in self._marked_lines(id) if tag not in ("", IMPORTED_TAG)}

    def reader_log(self) -> list[tuple[float, str]]:
        """Return the readings that are kept, with their times."""
        return self._query("SELECT at, text FROM chatter ORDER BY n")

    def check_lines(self, limit: int = verify.SLICE_LINES) -> bool:
        """Verify the next few older lines; return True when all are verified.

        Damage is salvaged and reported. Raise JournalFailed if they cannot be read just now, or
        cannot be salvaged.
        """
        if self.fault is not None or self._all_checked:
            return True
        try:
            self._all_checked = self._check_next(limit)
        except READ_ERRORS as error:
            if not is_damage(error):
                raise JournalFailed(describe_error(error)) from None
            self._salvage_file(error)
        return self._all_checked

    def _check_next(self, limit: int) -> bool:
        stated = verify.stated_gaps(self._connection)
        lines = verify.read_slice(self._connection, self._checked_to[0], self._last_number, limit)
        for line in verify.verify_chain(lines, *self._checked_to, stated):
            self._checked_to = (line.n, line.chain)
        if len(lines) == limit:
            return False
        verify.check_reaches(self._checked_to[0], self._last_number, stated)
        verify.check_stretches(self._connection)
        if self._connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise DamagedJournal("pages")
        return True

    def _verified_lines(self, id: str | None, after: int) -> Iterator[JournalLine]:
        stated = verify.stated_gaps(self._connection)
        stretches = [(1, self._last_number)] if id is None else self._game_stretches(id)
        for first, last in stretches:
            n, chain = max(first - 1, after), CHAIN_START if first == 1 and not after else None
            while n < last and (lines := verify.read_slice(self._connection, n, last)):
                if id is not None and any(line.id != id for line in lines):
                    raise DamagedJournal("stretches")
                yield from verify.verify_chain(lines, n, chain, stated)
                n, chain = lines[-1].n, lines[-1].chain
            verify.check_reaches(n, last, stated)

    def _game_stretches(self, id: str) -> list[tuple[int, int]]:
        """Return first and last line of each stretch of this game."""
        return self._query(
            "SELECT first, coalesce((SELECT min(later.first) FROM stretch AS later"
            " WHERE later.first > own.first) - 1, ?)"
            " FROM stretch AS own WHERE id = ? ORDER BY first",
            self._last_number, id,
        )  # fmt: skip

    def _count_lines(self, first: int, last: int) -> int:
        count = "SELECT count(*) FROM line WHERE n BETWEEN ? AND ?"
        return int(self._query(count, first, last)[0][0])

    def _marked_lines(self, id: str) -> Iterator[tuple[int, str, str]]:
        """Yield number, key and tag of a game's lines, where the mark fits."""
        sql = "SELECT n, own, chain, key, tag, mark FROM line WHERE n BETWEEN ? AND ?"
        for each in self._game_stretches(id):
            for row in self._query(sql, *each):
                n, _, _, key, tag, _ = row
                if _has_its_mark(*row):
                    yield n, key, tag


def _has_its_mark(n: int, own: object, chain: object, key: str, tag: str, mark: object) -> bool:
    """Check that key and tag of a line are those that were written with it."""
    if not (isinstance(own, bytes) and isinstance(chain, bytes)):
        return False
    return mark_hash(n, own.hex(), chain.hex(), key, tag) == mark
