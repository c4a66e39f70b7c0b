"""What an open journal shows: its games and their lines, each proven as it is read.

Law: opening proves only what came after the last anchor, so that it does not grow with history;
the rest is proven slice by slice while nothing else is to do. Damage that is met on the way is
mended and stated, and reading goes on behind it.
"""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import msgspec

from companion.core.i18n import Message, message
from companion.journal import verify
from companion.journal.errors import WRONG, Damaged, JournalFailed, is_damage, why
from companion.journal.line import BROUGHT, START, Line, mark


class Game(msgspec.Struct, frozen=True):
    """A game in the journal; `brought` if it came in from a record."""

    id: str
    game: str
    at: float
    lines: int
    brought: bool


class Shown(ABC):
    """The reading half of a journal."""

    _disk: sqlite3.Connection
    _n: int
    _checked: tuple[int, str]
    _all_checked: bool
    trouble: Message | None

    @abstractmethod
    def _mend(self, reason: Exception) -> None:
        """Something in the open file is damaged: go on with what is sound."""

    def _ask(self, sql: str, *facts: Any) -> list[Any]:
        """What the file answers; if it cannot because it is damaged, it is mended first."""
        try:
            return self._disk.execute(sql, facts).fetchall()
        except WRONG as error:
            if not is_damage(error):
                raise JournalFailed(self.trouble or why(error)) from None
            self._mend(error)
            return self._disk.execute(sql, facts).fetchall()

    def holds(self, id: str) -> bool:
        """Whether there is any line of the game of this id."""
        return bool(self._ask("SELECT 1 FROM stretch WHERE id = ? LIMIT 1", id))

    def newest(self, game: str = "") -> str | None:
        """What was played last here, of any game or of this one, if there was any."""
        which = "SELECT id FROM stretch WHERE brought = 0 AND ? IN ('', game)"
        found = self._ask(f"{which} ORDER BY first DESC LIMIT 1", game)
        return str(found[0][0]) if found else None

    def games(self) -> list[Game]:
        """Every game, the oldest first."""
        rows = self._ask(
            "SELECT id, game, min(at), max(brought), min(first) FROM stretch GROUP BY id ORDER BY 5"
        )
        return [Game(id, game, at, self._count(id), bool(came)) for id, game, at, came, _ in rows]

    def whole(self, id: str) -> bool:
        """Whether no line of this game is known to be lost."""
        gaps = [n for (n,) in self._ask("SELECT n FROM gap")]
        return not any(a <= n <= b + 1 for a, b in self._stretches(id) for n in gaps)

    def lost(self) -> list[tuple[int, int]]:
        """From which number to which lines are missing: a mending could not find them."""
        return self._ask(
            "SELECT first, last FROM (SELECT n - 1 AS last, 1 +"
            " coalesce((SELECT max(line.n) FROM line WHERE line.n < gap.n), 0) AS first FROM gap)"
            " WHERE first <= last ORDER BY first"
        )

    def lines(self, id: str | None = None) -> Iterator[Line]:
        """The lines of one game, or of all, in order; damage is mended on the way."""
        after, mended = 0, False
        while True:
            try:
                for each in self._proven(id, after):
                    yield each
                    after = each.n
                return
            except WRONG as error:
                if not is_damage(error):
                    raise JournalFailed(self.trouble or why(error)) from None
                if mended:
                    text = message("The journal is damaged and cannot be mended.")
                    raise JournalFailed(text) from None
                self._mend(error)
                mended = True

    def keys(self, id: str) -> dict[str, int]:
        """The key of each request of a game, and the line that it became."""
        return {key: n for n, key, _ in self._marked(id) if key}

    def tags(self, id: str) -> dict[int, str]:
        """By line, what was noted of the tag behind it."""
        return {n: tag for n, _, tag in self._marked(id) if tag not in ("", BROUGHT)}

    def chatter(self) -> list[tuple[float, str]]:
        """What readers said, as far as it is kept."""
        return self._ask("SELECT at, text FROM chatter ORDER BY n")

    def check(self, most: int = verify.SLICE) -> bool:
        """Prove the next few older lines; True when all is proven. Damage is mended and stated.

        JournalFailed if they cannot be read just now, or cannot be mended.
        """
        if self.trouble is not None or self._all_checked:
            return True
        try:
            self._all_checked = self._check_next(most)
        except WRONG as error:
            if not is_damage(error):
                raise JournalFailed(why(error)) from None
            self._mend(error)
        return self._all_checked

    def _check_next(self, most: int) -> bool:
        stated = verify.gaps(self._disk)
        lines = verify.slice_of(self._disk, self._checked[0], self._n, most)
        for line in verify.follow(lines, *self._checked, stated):
            self._checked = (line.n, line.chain)
        if len(lines) == most:
            return False
        verify.reaches(self._checked[0], self._n, stated)
        verify.check_stretches(self._disk)
        if self._disk.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise Damaged("pages")
        return True

    def _proven(self, id: str | None, after: int) -> Iterator[Line]:
        stated = verify.gaps(self._disk)
        stretches = [(1, self._n)] if id is None else self._stretches(id)
        for first, last in stretches:
            n, chain = max(first - 1, after), START if first == 1 and not after else None
            while n < last and (lines := verify.slice_of(self._disk, n, last)):
                if id is not None and any(line.id != id for line in lines):
                    raise Damaged("stretches")
                yield from verify.follow(lines, n, chain, stated)
                n, chain = lines[-1].n, lines[-1].chain
            verify.reaches(n, last, stated)

    def _stretches(self, id: str) -> list[tuple[int, int]]:
        """From which line to which each stretch of this game goes."""
        return self._ask(
            "SELECT first, coalesce(next - 1, ?) FROM (SELECT first, id, lead(first)"
            " OVER (ORDER BY first) AS next FROM stretch) WHERE id = ? ORDER BY first",
            self._n, id,
        )  # fmt: skip

    def _count(self, id: str) -> int:
        count = "SELECT count(*) FROM line WHERE n BETWEEN ? AND ?"
        return sum(self._ask(count, *each)[0][0] for each in self._stretches(id))

    def _marked(self, id: str) -> Iterator[tuple[int, str, str]]:
        """The lines of a game with their keys and tags, as far as these hash to their marks."""
        sql = "SELECT n, own, chain, key, tag, mark FROM line WHERE n BETWEEN ? AND ?"
        for each in self._stretches(id):
            for n, own, chain, key, tag, marked in self._ask(sql, *each):
                if not (isinstance(own, bytes) and isinstance(chain, bytes)):
                    continue
                if mark(n, own.hex(), chain.hex(), key, tag) == marked:
                    yield n, key, tag
