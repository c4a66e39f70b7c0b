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
import tempfile
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from companion.core.databases import (
    DAMAGED,
    READ_ERRORS,
    DamagedFile,
    Row,
    connect,
    connect_read_only,
    describe_error,
    file_size,
    is_damage,
    take_back,
    wal_path,
)
from companion.core.durable_files import sync_file
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, message
from companion.core.log_lines import log_line
from companion.journal import schema
from companion.journal.check import check_gap, check_newest, read_rows
from companion.journal.errors import JournalFailed, JournalHealth, unusable_journal
from companion.journal.line import (
    CHAIN_START,
    IMPORTED_TAG,
    MAX_LINE_BYTES,
    MAX_TIME,
    JournalEntry,
    JournalLine,
    LineFields,
    StoredGame,
    add_row,
    build_row,
    game_row,
    read_row,
)
from companion.journal.lock import JournalLock
from companion.journal.repair import describe_repair, repair_journal, swap_in

LOG = logging.getLogger("companion.journal")
READ_ONLY = message("The journal is only looked at: nothing is written to it.")
T = TypeVar("T")


class Journal:
    """An open journal file."""

    def __init__(self, path: Path, read_only: bool = False) -> None:
        """Open a journal, or make one; with `read_only` write nothing and repair nothing."""
        self.path = Path(path)
        self.notices: list[Message] = []
        self.fault = READ_ONLY if read_only else None
        """Why nothing can be written; None while all is well."""
        self._read_only = read_only
        self._games: dict[str, StoredGame] = {}
        self._known_keys: tuple[str, set[str]] = ("", set())
        self._checked = self._checked_to = 0
        """How many games were verified in their turn, and the last line of these."""
        self.end, self.last_at = 0, 0.0
        """The number of the last line, and the latest time of a line of this table."""
        self._lock: JournalLock | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        try:
            self._disk = self._open_snapshot() if read_only else self._open_to_write()
        except BaseException:
            if self._copy is not None:
                self._copy.cleanup()
            if self._lock is not None:
                self._lock.discard()
            raise

    # Opening.

    def _open_to_write(self) -> sqlite3.Connection:
        try:
            self._lock = JournalLock(self.path)
            schema.require_own_format(self.path)
            swap_in(self.path)
            if not self.path.exists() and not file_size(wal_path(self.path)):
                _create(self.path)
            return self._open_sound()
        except OSError as error:
            return self._open_unwritable(error)
        except READ_ERRORS as error:
            if is_damage(error):
                return self._open_repaired(error)
            return self._open_unwritable(error)

    def _open_snapshot(self) -> sqlite3.Connection:
        """Open a file that is only read; raise JournalFailed if it cannot be, or is damaged."""
        try:
            return self._open_to_read(self.path)
        except READ_ERRORS as error:
            raise JournalFailed(describe_error(error, self.path.name)) from None

    def _open_sound(self) -> sqlite3.Connection:
        """Open a file whose last game is verified; raise READ_ERRORS before anything is written."""
        log = _read_log(self.path)
        self._open_to_read(self.path).close()  # Closing the other would clear the log away.
        disk = connect(self.path)
        try:
            if log:
                self._clear_log(disk, log)
        except BaseException:
            disk.close()
            raise
        return disk

    def _open_to_read(self, path: Path) -> sqlite3.Connection:
        """Open a file as it is now; until it is closed, what is written meanwhile is not seen."""
        try:
            head = schema.require_own_format(path)
        except OSError as error:
            raise unusable_journal(path, error.strerror) from None
        schema.check_head(head)
        disk = connect_read_only(path)
        try:
            disk.execute("BEGIN")
            schema.check_tables(disk)
            self._games, self.end, self.last_at = {}, 0, 0.0
            self._note_games(schema.read_games(disk))
            check_newest(disk, self._games)
        except BaseException:
            disk.close()
            raise
        return disk

    def _clear_log(self, disk: sqlite3.Connection, log: bytes) -> None:
        """Move the log into the file; note if it goes on after what SQLite took from it."""
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

    def _open_repaired(self, reason: Exception) -> sqlite3.Connection:
        """Open what is sound of a damaged file, and say what is not; raise Malformed if the file is
        none of ours."""
        try:
            repair = repair_journal(self.path)
        except DamagedFile:
            raise _not_ours(self.path, reason) from None
        except (OSError, sqlite3.Error) as error:
            return self._open_unwritable(error)
        own = [game for game in (*repair.sound, *repair.lost) if not game.imported]
        newest_is_lost = max(own, key=lambda game: game.last, default=None) in repair.lost
        self.notices += describe_repair(repair, newest_is_lost=newest_is_lost)
        LOG.warning(
            log_line(
                "journal_damaged", lost=" ".join(one.id for one in repair.lost), kept=repair.kept
            )
        )
        self._checked = self._checked_to = 0
        self._known_keys = ("", set())
        return self._open_sound()

    def _open_unwritable(self, error: Exception) -> sqlite3.Connection:
        """Open a copy of what can be read where nothing can be written."""
        if not self.path.exists():
            raise unusable_journal(self.path, getattr(error, "strerror", error)) from None
        self.fault = describe_error(error, self.path.name)
        LOG.error(log_line("journal_not_writable"))
        self._copy = tempfile.TemporaryDirectory()
        copy = Path(self._copy.name) / self.path.name
        try:
            for old, new in (
                (self.path, copy),
                (wal_path(self.path), wal_path(copy)),
            ):
                if old.exists():
                    shutil.copyfile(old, new)
            return self._open_to_read(copy)
        except (OSError, *READ_ERRORS) as again:
            raise unusable_journal(self.path, getattr(again, "strerror", again)) from None

    # Writing.

    def append(  # noqa: PLR0913, PLR0917
        self, game: str, id: str, at: float, via: str, event: bytes, key: str = "", tag: str = ""
    ) -> JournalLine:
        """Write one line; when this returns it is on disk. Raise JournalFailed otherwise."""
        (new,) = self.append_all([JournalEntry((game, id, float(at), via, event), key, tag)])
        return new

    def append_all(
        self, entries: Sequence[JournalEntry], is_over: bool = False
    ) -> list[JournalLine]:
        """Write the lines of one request: all of them, or none. With `is_over` nothing more can be
        played after the last one."""
        for (game, id, at, via, event), key, tag in entries:
            if key and key in self._keys_of(id):
                raise Malformed(key, N_("The request {field} is in the journal already."))
            size = len((game + id + via + key + tag).encode()) + len(event)
            if size > MAX_LINE_BYTES or not abs(at) < MAX_TIME:
                text = N_("Game {field}: this does not fit into a line of the journal.")
                raise Malformed(id, text)
        lines = self._write_lines(entries, is_over)
        for entry, new in zip(entries, lines, strict=True):
            self._keys_of(new.id).add(entry.key)
        return lines

    def import_game(self, moments: Iterable[LineFields], is_over: bool) -> list[JournalLine]:
        """Write the lines of a whole game that was played elsewhere, or none."""
        entries = [JournalEntry(moment, tag=IMPORTED_TAG) for moment in moments]
        return self.append_all(entries, is_over)

    def _write_lines(self, entries: Sequence[JournalEntry], is_over: bool) -> list[JournalLine]:
        for last_try in (False, True):
            if self.fault is not None:
                raise JournalFailed(self.fault)
            rows, games = self._build_rows(entries, is_over)
            try:
                self._commit(rows, games)
            except READ_ERRORS as error:
                take_back(self._disk)
                if last_try or not is_damage(error):
                    raise JournalFailed(describe_error(error, self.path.name)) from None
                self._repair(error)
            else:
                break
        self._note_games(games)
        if is_over:  # A game that is over lies in the file itself, out of reach of the next one.
            with contextlib.suppress(sqlite3.Error):
                self._disk.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return list(map(read_row, rows))

    def _build_rows(
        self, entries: Sequence[JournalEntry], is_over: bool
    ) -> tuple[list[Row], dict[str, StoredGame]]:
        """Return the rows of these entries, and the games as they stand then."""
        rows, games = list[Row](), dict[str, StoredGame]()
        for n, entry in enumerate(entries, self.end + 1):
            id = entry.moment[1]
            game = games.get(id) or self._games.get(id)
            chain = CHAIN_START if game is None else game.chain
            rows.append(build_row(n, chain, entry, is_over and entry is entries[-1]))
            games[id] = add_row(game, rows[-1])
        return rows, games

    def _commit(self, rows: Sequence[Row], games: dict[str, StoredGame]) -> None:
        """Write lines and their games in one transaction."""
        self._disk.execute("BEGIN IMMEDIATE")
        self._disk.executemany(schema.INSERT_LINE, rows)
        self._disk.executemany(schema.INSERT_GAME, map(game_row, games.values()))
        self._disk.execute("COMMIT")

    def _note_games(self, games: dict[str, StoredGame]) -> None:
        self._games |= games
        for game in games.values():
            self.end = max(self.end, game.last)
            if not game.imported:  # Another table's clock says nothing about ours.
                self.last_at = max(self.last_at, game.until)

    def _repair(self, reason: Exception) -> None:
        """Go on with what is sound of the open file, which is damaged."""
        if self._read_only:
            text = Message(DAMAGED, {"field": self.path.name})
            raise JournalFailed(text) from None
        if self.fault is not None:
            raise JournalFailed(self.fault)
        self._disk.close()
        try:
            self._disk = self._open_repaired(reason)
        except Malformed as nothing_left:
            self.fault = nothing_left.say
            raise JournalFailed(self.fault) from None

    def _keys_of(self, id: str) -> set[str]:
        if self._known_keys[0] != id:
            self._known_keys = id, {line.key for line in self.read_lines(id)}
        return self._known_keys[1]

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

    def list_games(self) -> list[StoredGame]:
        """Return every game, the oldest first."""
        return list(self._games.values())

    def read_lines(self, id: str | None = None) -> list[JournalLine]:
        """Return the lines of one game, or of all, in order."""
        if id is None:
            lines = (line for game in self.list_games() for line in self.read_lines(game.id))
            return sorted(lines, key=lambda line: line.n)

        def read() -> list[Row]:
            game = self._games.get(id)
            return [] if game is None else read_rows(self._disk, game)

        return list(map(read_row, self._ask(read)))

    def first_events(self) -> dict[str, str]:
        """Return the first event of every game as JSON, by the id of the game."""
        first = "SELECT line.id, line.event FROM game JOIN line ON line.n = game.first"
        return dict(self._ask(lambda: self._disk.execute(first).fetchall()))

    def newest_requests(self, most: int) -> dict[str, str]:
        """Map the keys of the newest requests, of any game, to the events written for them.

        `most` is the number of newest lines that are looked through.
        """
        newest = "SELECT key, event FROM line WHERE n > ? AND key <> '' ORDER BY n"
        return dict(self._ask(lambda: self._disk.execute(newest, (self.end - most,)).fetchall()))

    def check_next(self) -> bool:
        """Verify the next game in its turn; return True when all are verified.

        Damage is repaired and told. Raise JournalFailed if it cannot be read just now, or repaired.
        """
        if self.fault is not None:
            return True
        self._ask(self._check_next_game)
        return self._checked >= len(self._games)

    def _check_next_game(self) -> None:
        game = next(islice(self._games.values(), self._checked, None), None)
        if game is None:
            return
        check_gap(self._disk, self._checked_to, game.first)
        read_rows(self._disk, game)
        self._checked, self._checked_to = self._checked + 1, max(self._checked_to, game.last)

    def find_damaged(self) -> list[StoredGame]:
        """Verify every game of a journal that is only read; return those that are damaged."""
        damaged = []
        for game in self.list_games():
            try:
                read_rows(self._disk, game)
            except READ_ERRORS as error:
                if not is_damage(error):
                    raise JournalFailed(describe_error(error, self.path.name)) from None
                damaged.append(game)
        return damaged

    def _ask(self, query: Callable[[], T]) -> T:
        """Return what a query returns; if the file is damaged, repair it and ask again."""
        try:
            return query()
        except READ_ERRORS as error:
            if not is_damage(error):
                raise JournalFailed(self.fault or describe_error(error, self.path.name)) from None
            self._repair(error)
        try:
            return query()
        except READ_ERRORS:
            text = message("The journal is damaged and cannot be mended.")
            raise JournalFailed(text) from None

    def health(self, checked: float | None) -> JournalHealth:
        """Return the journal's figures; `checked` is when its last game was verified."""
        games = self.list_games()
        return JournalHealth(
            size=file_size(self.path) + file_size(wal_path(self.path)),
            lines=sum(game.lines for game in games),
            proven=sum(game.lines for game in games[: self._checked]),
            mended=bool(self.notices),
            checked=checked,
            free=_free_bytes(self.path),
        )

    def close(self) -> None:
        """Release the file."""
        self.fault = message("The journal is closed.")
        self._disk.close()
        if self._copy is not None:
            self._copy.cleanup()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _create(path: Path) -> None:
    """Make a new journal; it gets its name once it is whole and on disk."""
    new = path.with_name(path.name + ".mending")
    schema.finish_journal(schema.create_journal(new), new)
    new.replace(path)
    sync_file(path)


def _not_ours(path: Path, reason: Exception) -> Malformed:
    if schema.read_head(path)[:16] == schema.MAGIC:
        text = N_("{field} cannot be used as a journal: it belongs to another program.")
        return Malformed(path.name, text)
    return unusable_journal(path, reason if isinstance(reason, sqlite3.Error) else "no database")


def _read_log(path: Path) -> bytes:
    log = wal_path(path)
    return log.read_bytes() if log.exists() else b""


def _count_frames(log: bytes) -> int:
    """Count the pages written to the log since it was last restarted, even in part."""
    each = 24 + schema.PAGE_SIZE
    salts = [log[at + 8 : at + 16] for at in range(32, len(log), each)]
    alike = 0
    for salt in salts:
        if not salts[0].startswith(salt):  # a page that was begun may have no salt yet
            break
        alike += 1
    return alike


def _free_bytes(path: Path) -> int | None:
    with contextlib.suppress(OSError):
        return shutil.disk_usage(path.parent).free
    return None
