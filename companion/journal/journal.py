"""An open journal: lines go in at its end.

Law: memory and disk agree. What could not be written was not, and leaves nothing that could come
back later; what a line says besides itself (its key, its tag, what readers said around it) is
kept apart from it and leaves the Pi with no record.
"""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, message
from companion.journal import verify
from companion.journal.errors import WRONG, JournalFailed, JournalHealth, is_damage, unusable, why
from companion.journal.line import BROUGHT, LONGEST, START, Entry, Line, Moment, line
from companion.journal.lock import Lock
from companion.journal.open import Opened, looked, opened, read_only, salvaged
from companion.journal.reader import Shown
from companion.journal.reader_log import Chatter
from companion.journal.salvage import scrub
from companion.journal.schema import (
    ANCHOR,
    EVERY,
    LINE,
    STRETCH,
    anchor_row,
    line_row,
    log,
)  # fmt: skip


class Journal(Shown):
    """An open journal file."""

    def __init__(self, path: Path, look: bool = False) -> None:
        """Open a journal; to `look` writes nothing, and does not mend what is damaged."""
        self._path = Path(path)
        self._lock: Lock | None = None
        self._n, self._chain, self._anchored = 0, START, 0
        self._checked, self._all_checked = (0, START), False
        self._doubt = False
        self._keys: tuple[str, set[str]] = ("", set())
        self._chatter = Chatter()
        self.last_at = 0.0
        self.notices: list[Message] = []
        self.trouble: Message | None = None
        try:
            self._take(self._opened(look))
        except BaseException:
            if self._lock:
                self._lock.undo()
            raise

    def _opened(self, look: bool) -> Opened:
        if look:
            return looked(self._path)
        try:
            self._lock = Lock(self._path)
            return opened(self._path)
        except (OSError, sqlite3.Error) as error:
            if not self._path.exists():
                raise unusable(self._path, getattr(error, "strerror", error)) from None
            return read_only(self._path, error)

    def _take(self, opened: Opened) -> None:
        """Go on with this file."""
        self._disk, notices, self.trouble = opened
        self.notices += notices
        try:
            self._n, self._chain, self._anchored, newest = verify.end(self._disk)
        except WRONG as error:
            self._disk.close()
            if self.trouble or not is_damage(error):
                raise unusable(self._path, error) from None
            return self._take(Opened(*salvaged(self._path, error)))
        self.last_at = max(self.last_at, newest)
        self._checked, self._all_checked = (0, START), False
        self._keys = ("", set())

    def append(  # noqa: PLR0913, PLR0917
        self, game: str, id: str, at: float, via: str, event: bytes, key: str = "", tag: str = ""
    ) -> Line:
        """Write one line; when this returns, it is on disk. JournalFailed if it cannot be."""
        (new,) = self.together([Entry((game, id, float(at), via, event), key, tag)])
        return new

    def together(self, entries: Sequence[Entry]) -> list[Line]:
        """Write the lines of one answer: all of them, or none."""
        for (game, id, _, via, event), key, tag in entries:
            if key and key in self._keys_of(id):
                raise Malformed(key, N_("The request {field} is in the journal already."))
            if len((game + id + via + key + tag).encode()) + len(event) > LONGEST:
                text = N_("Game {field}: this does not fit into a line of the journal.")
                raise Malformed(id, text)
        lines = self._write(entries)
        for entry, new in zip(entries, lines, strict=True):
            self._keys_of(new.id).add(entry.key)
        return lines

    def bring(self, moments: Iterable[Moment]) -> list[Line]:
        """Write the lines of a whole game that was played elsewhere: all of them, or none."""
        return self._write([Entry(moment, tag=BROUGHT) for moment in moments], brought=True)

    @property
    def end(self) -> tuple[int, str]:
        """The number of the last line, and the chain that leads to it."""
        return self._n, self._chain

    def anchor(self) -> None:
        """Note how far the chain goes, as at the end of a game; what comes before opens at once."""
        if self.trouble is None and self._n > self._anchored and not self._doubt:
            with contextlib.suppress(sqlite3.Error):
                self._disk.execute(ANCHOR, anchor_row(self._n, self._chain))
                self._anchored = self._n

    def note(self, at: float, text: str) -> None:
        """What a reader said: written with the next line, or when told to `flush`."""
        self._chatter.note(at, text)

    def flush(self) -> None:
        """Write what readers said; if that fails it is forgotten."""
        if self.trouble is None and self._chatter.waiting:
            try:
                self._disk.execute("BEGIN IMMEDIATE")
                self._chatter.write(self._disk)
                self._disk.execute("COMMIT")
            except sqlite3.Error:
                self._roll_back()
            self._chatter.waiting.clear()

    def _write(self, entries: Sequence[Entry], brought: bool = False) -> list[Line]:
        if self.trouble is not None:
            raise JournalFailed(self.trouble)
        for last_try in (False, True):
            lines = self._made(entries)
            try:
                self._commit(lines, entries, brought)
            except (sqlite3.Error, UnicodeDecodeError) as error:
                self._roll_back()
                if is_damage(error) and not last_try:
                    self._mend(error)
                elif last_try or not self._chatter.waiting:
                    raise JournalFailed(why(error)) from None
                self._chatter.waiting.clear()
            else:
                break
        self._chatter.waiting.clear()
        self._doubt = False
        self._n, self._chain = lines[-1].n, lines[-1].chain
        self._anchored = max(self._anchored, self._n - self._n % EVERY)
        if not brought:  # Another table's clock says nothing about ours.
            self.last_at = max(self.last_at, *(line.at for line in lines))
        return lines

    def _made(self, entries: Sequence[Entry]) -> list[Line]:
        n, chain, lines = self._n, self._chain, []
        for entry in entries:
            lines.append(line(n + 1, chain, entry.moment))
            n, chain = n + 1, lines[-1].chain
        return lines

    def _commit(self, lines: list[Line], entries: Sequence[Entry], brought: bool) -> None:
        """One transaction: the lines, where they begin, what belongs to them."""
        disk = self._disk
        disk.execute("BEGIN IMMEDIATE")
        if self._doubt:
            self._take_back()
        row = disk.execute("SELECT id FROM stretch ORDER BY first DESC LIMIT 1").fetchone()
        before = row[0] if row else ""
        for new, (_, key, tag) in zip(lines, entries, strict=True):
            disk.execute(LINE, line_row(new, key, tag))
            if new.id != before:
                disk.execute(STRETCH, (new.n, new.id, new.game, new.at, brought))
                before = new.id
            if new.n % EVERY == 0:
                disk.execute(ANCHOR, anchor_row(new.n, new.chain))
        self._chatter.write(disk)
        disk.execute("COMMIT")

    def _take_back(self) -> None:
        """What may have been written by a write that failed: nobody was told that it happened."""
        for table in ("line", "anchor"):
            self._disk.execute(f"DELETE FROM {table} WHERE n > ?", (self._n,))
        self._disk.execute("DELETE FROM stretch WHERE first > ?", (self._n,))

    def _roll_back(self) -> None:
        """Nothing of what was begun has happened, now or after the next start."""
        self._doubt = True
        with contextlib.suppress(sqlite3.Error):
            if self._disk.in_transaction:
                self._disk.execute("ROLLBACK")
        scrub(log(self._path), self._n)

    def _mend(self, reason: Exception) -> None:
        """Something in the open file is damaged: go on with what is sound."""
        if self.trouble is not None:
            raise JournalFailed(self.trouble)
        self._disk.close()
        try:
            self._take(Opened(*salvaged(self._path, reason)))
        except Malformed as nothing_left:
            self.trouble = nothing_left.say
            raise JournalFailed(self.trouble) from None
        except (OSError, sqlite3.Error) as error:
            self.trouble = why(error)
            self._disk = read_only(self._path, error).disk
            raise JournalFailed(self.trouble) from None

    def _keys_of(self, id: str) -> set[str]:
        if self._keys[0] != id:
            self._keys = (id, set(self.keys(id)))
        return self._keys[1]

    def health(self, checked: float | None) -> JournalHealth:
        """How the journal is; `checked` is when its last old line was proven."""
        return JournalHealth(
            size=sum(_size(path) for path in (self._path, log(self._path))),
            lines=self._n,
            proven=self._n if self._all_checked else self._checked[0],
            mended=bool(self.notices),
            checked=checked,
            free=_free(self._path),
        )

    def close(self) -> None:
        """Write what waits, note how far the chain goes, and let go of the file."""
        self.flush()
        self.anchor()
        self.trouble = message("The journal is closed.")
        self._disk.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0


def _free(path: Path) -> int | None:
    with contextlib.suppress(OSError):
        return shutil.disk_usage(path.parent).free
    return None
