"""The open journal: append lines to its end.

Law: memory and disk agree. What could not be written leaves nothing that could come back later;
what belongs to a line beside its hashes (key, tag, readings around it) leaves the Pi with no
record.
"""

import contextlib
import logging
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, message
from companion.core.log_lines import log_line
from companion.journal import verify
from companion.journal.errors import (
    READ_ERRORS,
    JournalFailed,
    JournalHealth,
    describe_error,
    is_damage,
    unusable_journal,
)
from companion.journal.line import (
    CHAIN_START,
    IMPORTED_TAG,
    MAX_LINE_BYTES,
    JournalEntry,
    JournalLine,
    LineFields,
    anchor_row,
    build_line,
    line_row,
)
from companion.journal.lock import JournalLock
from companion.journal.names import GameNames
from companion.journal.open import (
    OpenedJournal,
    open_journal,
    open_read_only,
    open_salvaged,
    open_unwritable,
)
from companion.journal.reader import JournalReader
from companion.journal.reader_log import ReaderLog
from companion.journal.salvage import wipe_unfinished
from companion.journal.schema import (
    ANCHOR_INTERVAL,
    INSERT_ANCHOR,
    INSERT_LINE,
    INSERT_STRETCH,
    wal_path,
)  # fmt: skip

LOG = logging.getLogger("companion.journal")


class Journal(JournalReader):
    """An open journal file."""

    def __init__(
        self,
        path: Path,
        read_only: bool = False,
        every_line: bool = True,
        keeps_names_apart: bool = False,
    ) -> None:
        """Open a journal; with `read_only` write nothing and salvage nothing.

        A journal that is only read is verified from first to last; without `every_line` only its
        end is, and each other line when it is read. With `keeps_names_apart` its table writes
        pseudonyms.
        """
        self._path = Path(path)
        self.names = GameNames(self._path, keeps_names_apart)
        self._lock: JournalLock | None = None
        self._last_number, self._chain, self._anchored = 0, CHAIN_START, 0
        self._checked_to, self._all_checked = (0, CHAIN_START), False
        self._unfinished = False
        self._known_keys: tuple[str, set[str]] = ("", set())
        self._pending_readings = ReaderLog()
        self.last_at = 0.0
        self.notices: list[Message] = []
        self.fault: Message | None = None
        self._reopens = read_only
        """Whether what is left is shown once if damage is met; nothing of it is written."""
        try:
            self._use_file(self._open_file(read_only, every_line))
        except BaseException:
            if self._lock:
                self._lock.discard()
            raise

    def _open_file(self, read_only: bool, every_line: bool) -> OpenedJournal:
        if read_only:
            return open_read_only(self._path, every_line)
        try:
            self._lock = JournalLock(self._path)
            return open_journal(self._path)
        except (OSError, sqlite3.Error) as error:
            if not self._path.exists():
                raise unusable_journal(self._path, getattr(error, "strerror", error)) from None
            return open_unwritable(self._path, error)

    def _use_file(self, opened: OpenedJournal) -> None:
        """Go on with this file; salvage it if its end is damaged."""
        self._connection, notices, self.fault = opened
        self.notices += notices
        if self._lock is not None:  # A file that is only read is neither mended nor written.
            _log_opening(len(notices), self.fault)
        try:
            self._last_number, self._chain, self._anchored, newest = verify.verify_end(
                self._connection
            )
        except READ_ERRORS as error:
            self._connection.close()
            if self.fault or not is_damage(error):
                raise unusable_journal(self._path, error) from None
            return self._use_file(OpenedJournal(*open_salvaged(self._path, error)))
        self.last_at = max(self.last_at, newest)
        self._checked_to, self._all_checked = (0, CHAIN_START), False
        self._known_keys = ("", set())

    def append(  # noqa: PLR0913, PLR0917
        self, game: str, id: str, at: float, via: str, event: bytes, key: str = "", tag: str = ""
    ) -> JournalLine:
        """Write one line; when this returns it is on disk. Raise JournalFailed otherwise."""
        (new,) = self.append_all([JournalEntry((game, id, float(at), via, event), key, tag)])
        return new

    def append_all(self, entries: Sequence[JournalEntry]) -> list[JournalLine]:
        """Write the lines of one request: all of them, or none."""
        for (game, id, _, via, event), key, tag in entries:
            if key and key in self._keys_of(id):
                raise Malformed(key, N_("The request {field} is in the journal already."))
            if len((game + id + via + key + tag).encode()) + len(event) > MAX_LINE_BYTES:
                text = N_("Game {field}: this does not fit into a line of the journal.")
                raise Malformed(id, text)
        lines = self._write_lines(entries)
        for entry, new in zip(entries, lines, strict=True):
            self._keys_of(new.id).add(entry.key)
        return lines

    def import_game(self, moments: Iterable[LineFields]) -> list[JournalLine]:
        """Write the lines of a whole game that was played elsewhere, or none."""
        return self._write_lines(
            [JournalEntry(moment, tag=IMPORTED_TAG) for moment in moments], imported=True
        )

    @property
    def path(self) -> Path:
        """Return the path of the file that holds the journal."""
        return self._path

    @property
    def end(self) -> tuple[int, str]:
        """Return the number of the last line, and the chain that leads to it."""
        return self._last_number, self._chain

    def write_anchor(self) -> None:
        """Note how far the chain goes; what comes before is not verified at opening."""
        if self.fault is None and self._last_number > self._anchored and not self._unfinished:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute(INSERT_ANCHOR, anchor_row(self._last_number, self._chain))
                self._anchored = self._last_number

    def note_reading(self, at: float, text: str) -> None:
        """Keep a reading until the next line is written, or until `flush`."""
        self._pending_readings.add_reading(at, text)

    def flush(self) -> None:
        """Write the pending readings; drop them if that fails."""
        if self.fault is None and self._pending_readings.pending:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._pending_readings.write_pending(self._connection)
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                self._roll_back()
            self._pending_readings.pending.clear()

    def _write_lines(
        self, entries: Sequence[JournalEntry], imported: bool = False
    ) -> list[JournalLine]:
        if self.fault is not None:
            raise JournalFailed(self.fault)
        for last_try in (False, True):
            lines = self._build_lines(entries)
            try:
                self._commit_lines(lines, entries, imported)
            except (sqlite3.Error, UnicodeDecodeError) as error:
                self._roll_back()
                if is_damage(error) and not last_try:
                    self._salvage_file(error)
                elif last_try or not self._pending_readings.pending:
                    raise JournalFailed(describe_error(error)) from None
                self._pending_readings.pending.clear()
            else:
                break
        self._pending_readings.pending.clear()
        self._unfinished = False
        self._last_number, self._chain = lines[-1].n, lines[-1].chain
        self._anchored = max(
            self._anchored, self._last_number - self._last_number % ANCHOR_INTERVAL
        )
        if not imported:  # Another table's clock says nothing about ours.
            self.last_at = max(self.last_at, *(line.at for line in lines))
        return lines

    def _build_lines(self, entries: Sequence[JournalEntry]) -> list[JournalLine]:
        n, chain, lines = self._last_number, self._chain, []
        for entry in entries:
            lines.append(build_line(n + 1, chain, entry.moment))
            n, chain = n + 1, lines[-1].chain
        return lines

    def _commit_lines(
        self, lines: list[JournalLine], entries: Sequence[JournalEntry], imported: bool
    ) -> None:
        """Write lines, stretches, anchors and readings in one transaction."""
        disk = self._connection
        disk.execute("BEGIN IMMEDIATE")
        if self._unfinished:
            self._delete_unfinished()
        row = disk.execute("SELECT id FROM stretch ORDER BY first DESC LIMIT 1").fetchone()
        before = row[0] if row else ""
        for new, (_, key, tag) in zip(lines, entries, strict=True):
            disk.execute(INSERT_LINE, line_row(new, key, tag))
            if new.id != before:
                disk.execute(INSERT_STRETCH, (new.n, new.id, new.game, new.at, imported))
                before = new.id
            if new.n % ANCHOR_INTERVAL == 0:
                disk.execute(INSERT_ANCHOR, anchor_row(new.n, new.chain))
        if self._pending_readings.pending:
            self._pending_readings.write_pending(disk)
        disk.execute("COMMIT")

    def _delete_unfinished(self) -> None:
        """Delete what a failed write may have left: it was never acknowledged."""
        for table in ("line", "anchor"):
            self._connection.execute(f"DELETE FROM {table} WHERE n > ?", (self._last_number,))
        self._connection.execute("DELETE FROM stretch WHERE first > ?", (self._last_number,))

    def _roll_back(self) -> None:
        """Undo the transaction, and wipe its lines from the log beside the file."""
        self._unfinished = True
        with contextlib.suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        wipe_unfinished(wal_path(self._path), self._last_number)

    def _salvage_file(self, reason: Exception) -> None:
        """Replace the open file, which is damaged, by what is sound of it."""
        if self._reopens:
            self._reopens = False
            self._connection.close()
            return self._use_file(open_read_only(self._path))
        if self.fault is not None:
            raise JournalFailed(self.fault)
        self._connection.close()
        try:
            self._use_file(OpenedJournal(*open_salvaged(self._path, reason)))
        except Malformed as nothing_left:
            self.fault = nothing_left.say
            raise JournalFailed(self.fault) from None
        except (OSError, sqlite3.Error) as error:
            self.fault = describe_error(error)
            self._connection = open_unwritable(self._path, error).connection
            raise JournalFailed(self.fault) from None

    def _keys_of(self, id: str) -> set[str]:
        if self._known_keys[0] != id:
            self._known_keys = (id, set(self.request_keys(id)))
        return self._known_keys[1]

    def health(self, checked: float | None) -> JournalHealth:
        """Return the journal's figures; `checked` is when its last old line was verified."""
        return JournalHealth(
            size=sum(_file_size(path) for path in (self._path, wal_path(self._path))),
            lines=self._last_number,
            proven=self._last_number if self._all_checked else self._checked_to[0],
            mended=bool(self.notices),
            checked=checked,
            free=_free_bytes(self._path),
        )

    def close(self) -> None:
        """Write what is pending, anchor the chain, and release the file."""
        self.flush()
        self.write_anchor()
        self.fault = message("The journal is closed.")
        self._connection.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _log_opening(notices: int, fault: Message | None) -> None:
    if notices:
        LOG.warning(log_line("journal_mended", notices=notices))
    if fault is not None:
        LOG.error(log_line("journal_not_writable"))


def _file_size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0


def _free_bytes(path: Path) -> int | None:
    with contextlib.suppress(OSError):
        return shutil.disk_usage(path.parent).free
    return None
