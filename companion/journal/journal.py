"""The open journal: append lines to its end, read games, verify them while the table is idle.

Laws: memory and disk agree, and what could not be written does not come back later. Only the game
that was written last is verified when a journal is opened; each other one when it is read, or in
its turn. Damage that is met is repaired and told, and reading goes on behind it; a journal that is
only read is left as it is.
"""

import contextlib
import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from itertools import islice, takewhile
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.core import databases
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, message
from companion.core.log_lines import log_line
from companion.journal import file, line
from companion.journal.file import JournalFailed, JournalLock, read_rows
from companion.journal.repair import describe_repair, repair_journal, swap_in

LOG = logging.getLogger("companion.journal")
READ_ONLY = message("The journal is only looked at: nothing is written to it.")
T = TypeVar("T")
NEWEST_REQUESTS = 5_000
"""Requests whose repetition is known: those of several games."""


class JournalHealth(msgspec.Struct, frozen=True):
    """The journal: whether it was repaired, how far it is verified.

    `checked` is the time when its last old line was verified, None until then; `free` the bytes
    that are free on its disk, None if unknown.
    """

    mended: bool
    checked: float | None
    free: int | None


class Journal:
    """An open journal file."""

    def __init__(self, path: Path, read_only: bool = False) -> None:
        """Open a journal, or make one; with `read_only` write nothing and repair nothing."""
        self.path = Path(path)
        self.notices: list[Message] = []
        self.fault = READ_ONLY if read_only else None
        """The reason nothing can be written; None while all is well."""
        self._read_only = read_only
        self._games: dict[str, line.StoredGame] = {}
        self._requests: dict[str, bytes] | None = None
        """The events written for the newest requests, by key; None until one is asked for."""
        self._checked = self._checked_to = 0
        """Number of games verified in their turn, and the last line of these."""
        self.end = 0
        """The number of the last line."""
        self._lock: JournalLock | None = None
        try:
            self._disk = self._open_snapshot() if read_only else self._open_to_write()
        except BaseException:
            if self._lock is not None:
                self._lock.release()
            raise

    # Opening.

    def _open_to_write(self) -> sqlite3.Connection:
        try:
            file.require_own_format(self.path)
            self._lock = JournalLock(self.path)
            swap_in(self.path)
            if not self.path.exists() and not databases.file_size(databases.wal_path(self.path)):
                new = self.path.with_name(self.path.name + ".new")
                file.finish_journal(file.create_journal(new), new, self.path)
            return self._open_sound()
        except (OSError, *databases.READ_ERRORS) as error:
            is_damage = databases.is_damage(error)
            return self._open_repaired() if is_damage else self._open_unwritable(error)

    def _open_snapshot(self) -> sqlite3.Connection:
        """Open a file read-only at its present state, without later writes; raise JournalFailed if
        it is damaged or unreadable."""
        try:
            file.require_own_format(self.path)
            disk = databases.connect_read_only(self.path)
            disk.execute("BEGIN")
            return self._note_all(disk)
        except OSError as error:
            raise _unusable(self.path, error.strerror) from None
        except databases.READ_ERRORS as error:
            raise JournalFailed(databases.describe_error(error, self.path.name)) from None

    def _open_sound(self) -> sqlite3.Connection:
        """Open a file whose last game is verified; raise READ_ERRORS before anything is written."""
        wal = databases.wal_path(self.path)
        log = wal.read_bytes() if wal.exists() else b""
        # The end of a connection that may write would clear the log.
        self._note_all(databases.connect_read_only(self.path)).close()
        disk = databases.connect(self.path)
        with databases.closed_if_failed(disk):
            if log:
                self._clear_log(disk, log)
        return disk

    def _note_all(self, disk: sqlite3.Connection) -> sqlite3.Connection:
        """Note the games, verify the last one written, which may be open, and return the open file;
        if that fails, close it."""
        with databases.closed_if_failed(disk):
            file.check_tables(self.path, disk)
            self._games, self.end = {}, 0
            self._note_games(file.read_games(disk))
            (last,) = disk.execute("SELECT coalesce(max(n), 0) FROM line").fetchone()
            newest = max(self._games.values(), key=lambda game: game.last, default=None)
            if last != (0 if newest is None else newest.last):
                raise databases.DamagedFile("end")
            if newest is not None:
                read_rows(disk, newest)
        return disk

    def _clear_log(self, disk: sqlite3.Connection, log: bytes) -> None:
        """Move the log into the file; note if it goes on after the bytes that SQLite took."""
        _, taken, _ = disk.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if _count_frames(log) > taken:
            text = (
                "The last write to the journal was cut short. The newest sound state is moment {n}"
                " of game {id}; what was done after that may not have counted."
            )
            newest = self._games.get(self.newest_game() or "")
            n, id = (newest.lines, newest.id) if newest else (0, "–")
            self.notices.append(message(text, n=n, id=id))
            LOG.warning(log_line("journal_cut_short"))
        disk.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _open_repaired(self) -> sqlite3.Connection:
        """Open the sound part of a damaged file, and name the rest; raise Malformed if the file is
        none of ours."""
        try:
            repair = repair_journal(self.path)
        except databases.DamagedFile:
            text = N_("{field} cannot be used as a journal: it belongs to another program.")
            raise Malformed(self.path.name, text) from None
        except (OSError, sqlite3.Error) as error:
            return self._open_unwritable(error)
        self.notices += describe_repair(repair)
        lost = " ".join(one.id for one in repair.lost)
        LOG.warning(log_line("journal_damaged", lost=lost, kept=repair.kept))
        self._checked = self._checked_to = 0
        self._requests = None
        return self._open_sound()

    def _open_unwritable(self, error: Exception) -> sqlite3.Connection:
        """Open a copy in memory, if nothing can be written."""
        if not self.path.exists():
            raise _unusable(self.path, getattr(error, "strerror", error)) from None
        self.fault = databases.describe_error(error, self.path.name)
        LOG.error(log_line("journal_not_writable"))
        try:
            return self._note_all(databases.read_apart(self.path))
        except (OSError, *databases.READ_ERRORS) as again:
            raise _unusable(self.path, getattr(again, "strerror", again)) from None

    # Writing.

    def append_all(self, entries: Sequence[line.JournalEntry], is_over: bool = False) -> None:
        """Write the lines of one request: all of them, which are on disk when this returns, or
        none; raise JournalFailed then. With `is_over` nothing more can be played after the last."""
        for (game, id, at, via, event), key, tag in entries:
            size = len((game + id + via + key + tag).encode()) + len(event)
            if size > line.MAX_LINE_BYTES or not abs(at) < line.MAX_TIME:
                text = N_("Game {field}: this does not fit into a line of the journal.")
                raise Malformed(id, text)
        self._ask(lambda: self._write_lines(entries, is_over))
        if self._requests is not None:
            self._requests |= {entry.key: entry.moment[-1] for entry in entries if entry.key}
            while len(self._requests) > NEWEST_REQUESTS:
                del self._requests[next(iter(self._requests))]

    def import_game(self, moments: Iterable[line.LineFields], is_over: bool) -> None:
        """Write the lines of a whole game that was played elsewhere, or none."""
        entries = [line.JournalEntry(moment, tag=line.IMPORTED_TAG) for moment in moments]
        self.append_all(entries, is_over)

    def _write_lines(self, entries: Sequence[line.JournalEntry], is_over: bool) -> None:
        """Write lines and their games in one transaction."""
        if self.fault is not None:
            raise JournalFailed(self.fault)
        rows, games = self._build_rows(entries, is_over)
        try:
            self._disk.execute("BEGIN IMMEDIATE")
            self._disk.executemany(file.INSERT_LINE, rows)
            self._disk.executemany(file.INSERT_GAME, map(line.game_row, games.values()))
            self._disk.execute("COMMIT")
        except databases.READ_ERRORS:
            databases.take_back(self._disk)
            raise
        self._note_games(games)
        if is_over:  # A game that is over lies in the file itself, out of reach of the next one.
            with contextlib.suppress(sqlite3.Error):
                self._disk.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _build_rows(
        self, entries: Sequence[line.JournalEntry], is_over: bool
    ) -> tuple[list[databases.Row], dict[str, line.StoredGame]]:
        """Return the rows of these entries, and the games as they stand then."""
        rows, games = list[databases.Row](), dict[str, line.StoredGame]()
        for n, entry in enumerate(entries, self.end + 1):
            id = entry.moment[1]
            game = games.get(id) or self._games.get(id)
            chain = line.CHAIN_START if game is None else game.chain
            rows.append(line.build_row(n, chain, entry, is_over and entry is entries[-1]))
            games[id] = line.add_row(game, rows[-1])
        return rows, games

    def _note_games(self, games: dict[str, line.StoredGame]) -> None:
        self._games |= games
        for game in games.values():
            self.end = max(self.end, game.last)

    def _repair(self) -> None:
        """Go on with the sound part of the open file, which is damaged."""
        if self._read_only:
            text = Message(databases.DAMAGED, {"field": self.path.name})
            raise JournalFailed(text) from None
        if self.fault is not None:
            raise JournalFailed(self.fault)
        self._disk.close()
        try:
            self._disk = self._open_repaired()
        except Malformed as nothing_left:
            self.fault = nothing_left.say
            raise JournalFailed(self.fault) from None

    # Reading.

    def has_game(self, id: str) -> bool:
        """Return whether there is any line of the game of this id."""
        return id in self._games

    def newest_game(self, game: str = "") -> str | None:
        """Return the id of the game played last here, of any box or of this one."""
        own = (one for one in self._games.values() if not one.imported and game in ("", one.game))
        newest = max(own, key=lambda one: one.last, default=None)
        return None if newest is None else newest.id

    def is_open_game(self, id: str) -> bool:
        """Return whether a game can still be played: the last of its box, if it is not over."""
        game = self._games.get(id)
        return game is not None and not game.is_over and self.newest_game(game.game) == id

    def list_games(self) -> list[line.StoredGame]:
        """Return every game, the oldest first."""
        return list(self._games.values())

    def read_lines(self, id: str) -> list[line.JournalLine]:
        """Return the lines of one game in order."""

        def read() -> list[databases.Row]:
            game = self._games.get(id)
            return [] if game is None else read_rows(self._disk, game)

        return list(map(line.read_row, self._ask(read)))

    def first_events(self) -> dict[str, str]:
        """Return the first event of every game as JSON, by the id of the game."""
        first = "SELECT line.id, line.event FROM game JOIN line ON line.n = game.first"
        return dict(self._ask(lambda: _read_texts(self._disk.execute(first))))

    def find_request(self, key: str) -> bytes | None:
        """Return the event that was written for the request of this key, in one of the newest lines
        of any game; None if there is none."""
        if self._requests is None:
            newest = "SELECT key, event FROM line WHERE n > ? AND key <> '' ORDER BY n"
            since = self.end - NEWEST_REQUESTS
            rows = self._ask(lambda: _read_texts(self._disk.execute(newest, (since,))))
            self._requests = {known: event.encode() for known, event in rows}
        return self._requests.get(key)

    def check_next(self) -> bool:
        """Verify the next game in its turn; return True when all are verified.

        Damage is repaired and told. Raise JournalFailed if it cannot be read just now, or repaired.
        """
        if self.fault is not None:
            return True
        if self._checked < len(self._games):
            self._ask(self._check_next_game)
        return self._checked >= len(self._games)

    def _check_next_game(self) -> None:
        game = next(islice(self._games.values(), self._checked, None))
        between = "SELECT 1 FROM line WHERE n > ? AND n < ? LIMIT 1"
        if self._disk.execute(between, (self._checked_to, game.first)).fetchone():
            raise databases.DamagedFile(f"line {self._checked_to + 1}")
        read_rows(self._disk, game)
        self._checked, self._checked_to = self._checked + 1, max(self._checked_to, game.last)

    def _ask(self, query: Callable[[], T]) -> T:
        """Run a query; if the file is damaged, repair it and ask again."""
        for has_asked in (False, True):
            try:
                return query()
            except databases.READ_ERRORS as error:
                if not databases.is_damage(error):
                    reason = self.fault or databases.describe_error(error, self.path.name)
                    raise JournalFailed(reason) from None
                if not has_asked:
                    self._repair()
        raise JournalFailed(message("The journal is damaged and cannot be mended."))

    def health(self, checked: float | None) -> JournalHealth:
        """Return the journal's figures; `checked` is when its last game was verified."""
        free = None
        with contextlib.suppress(OSError):
            free = shutil.disk_usage(self.path.parent).free
        return JournalHealth(bool(self.notices), checked, free)

    def close(self) -> None:
        """Release the file."""
        self.fault = message("The journal is closed.")
        self._disk.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _unusable(path: Path, reason: object) -> Malformed:
    """Return the error for a file that is no journal, or cannot be read at all."""
    return Malformed(path.name, N_("{field} cannot be used: {reason}."), reason=reason)


def _read_texts(found: sqlite3.Cursor) -> list[databases.Row]:
    """Return rows of texts; raise DamagedFile if a column holds something else."""
    rows = found.fetchall()
    if any(type(text) is not str for row in rows for text in row):
        raise databases.DamagedFile("text")
    return rows


def _count_frames(log: bytes) -> int:
    """Count the pages written to the log since it was last restarted, even in part: each has the
    same salt, or none yet."""
    salt = log[40:48]
    frames = range(32, len(log), 24 + file.PAGE_SIZE)
    return sum(1 for _ in takewhile(lambda at: salt.startswith(log[at + 8 : at + 16]), frames))
