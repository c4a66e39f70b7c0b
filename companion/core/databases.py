"""Databases: opens and writes our SQLite files, and explains SQLite's errors.

Laws: what `write` was given is on disk when it returns, all of it; what it refused is not there,
not after a restart either. What was deleted is overwritten.
"""

import errno
import logging
import shutil
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from companion.core.durable_files import MAYBE_SENTENCE, disk_sentence, sync_file
from companion.core.errors import MaybeWritten, NotWritten
from companion.core.i18n import N_, Message
from companion.core.log_lines import log_line

LOG = logging.getLogger("companion.core")
MEMORY = Path("/dev/shm")
"""The folder that Linux keeps in memory."""

FULL, READ_ONLY, DISK = 13, 8, 10
NOT_DAMAGE = {3, 5, 6, 7, READ_ONLY, DISK, FULL, 14, 23}
"""SQLite's codes for a file that may itself be in order; beside these: no permission, busy, locked,
no memory, no access, not authorised."""
CUT_OFF, NOT_TAKEN, NOT_SYNCED = 522, 778, 1034
"""Three disk errors: the file ends too early, which is damage; it was not written; or all was
written and not synced."""

Row = tuple[Any, ...]
Change = tuple[str, Collection[Row]]
"""One SQL statement, and its rows."""

STOPPING = N_("The companion is being stopped: nothing was changed.")
DAMAGED = N_("{field} is damaged: start the companion, which mends it, and try again.")


class DamagedFile(Exception):
    """The file holds something that no file of ours holds."""


READ_ERRORS = (sqlite3.Error, DamagedFile, UnicodeDecodeError)
"""Errors of reading a damaged file; UnicodeDecodeError where its schema is damaged."""


def error_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary code of the error."""
    return int(getattr(error, "sqlite_errorcode", 1)) & 0xFF


def is_damage(error: Exception) -> bool:
    """Return whether the file is to blame, not the disk."""
    if not isinstance(error, sqlite3.Error):
        return not isinstance(error, OSError)
    cut_off = getattr(error, "sqlite_errorcode", 0) == CUT_OFF
    closed = isinstance(error, sqlite3.ProgrammingError)
    return cut_off or not (closed or error_code(error) in NOT_DAMAGE)


def describe_error(error: Exception, field: str) -> Message:
    """Return the reason nothing can be written, in the user's words."""
    if is_damage(error):
        return Message(DAMAGED, {"field": field})
    number = getattr(error, "errno", None)
    if isinstance(error, sqlite3.Error):
        like = {FULL: errno.ENOSPC, READ_ONLY: errno.EROFS, DISK: errno.EIO}
        number = like.get(error_code(error))
    reason = getattr(error, "strerror", None) or str(error)
    return Message(disk_sentence(number), {"field": field, "reason": reason})


def wal_path(path: Path) -> Path:
    """Return the path of the write-ahead log beside the file."""
    return path.with_name(path.name + "-wal")


def file_size(path: Path) -> int:
    """Return the bytes in a file; 0 where there is none."""
    return path.stat().st_size if path.exists() else 0


@contextmanager
def closed_if_failed(disk: sqlite3.Connection) -> Iterator[None]:
    """Close a file that was opened for the caller if what is done with it first fails."""
    try:
        yield
    except BaseException:
        disk.close()
        raise


def connect(path: Path) -> sqlite3.Connection:
    """Open the file for writing; each commit is synced, and deleted bytes are overwritten."""
    disk = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    with closed_if_failed(disk):
        disk.execute("PRAGMA synchronous=FULL")
        disk.execute("PRAGMA secure_delete=ON")
    return disk


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open the file without ever writing to it, not even when closing; where no log lies beside it,
    no file is created beside it either."""
    immutable = "" if file_size(wal_path(path)) else "&immutable=1"
    name = f"{path.absolute().as_uri()}?mode=ro{immutable}"
    return sqlite3.connect(name, uri=True, check_same_thread=False, isolation_level=None)


def read_apart(path: Path) -> sqlite3.Connection:
    """Copy a file into memory, for one that cannot be opened in place."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        copy = Path(folder, path.name)
        copy_database(path, copy)
        with closing(connect(copy)) as source:
            disk = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
            with closed_if_failed(disk):
                source.backup(disk)
    return disk


def copy_database(path: Path, copy: Path) -> None:
    """Copy a file and its log, byte for byte."""
    for old, new in ((path, copy), (wal_path(path), wal_path(copy))):
        if old.exists():
            shutil.copyfile(old, new)


def remove_database(path: Path) -> None:
    """Remove a file with all that SQLite keeps beside it."""
    for end in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def take_back(disk: sqlite3.Connection) -> bool:
    """Undo a failed transaction, and overwrite its bytes in the log: a write of nothing begins at
    the same byte. Return whether that is on disk."""
    with suppress(sqlite3.Error):
        if disk.in_transaction:
            disk.execute("ROLLBACK")
        (version,) = disk.execute("PRAGMA user_version").fetchone()
        disk.execute(f"PRAGMA user_version={version}")
        return True
    return False


class TableOfRows(NamedTuple):
    """A table: its name, its columns, and how many of these are its key."""

    name: str
    columns: tuple[str, ...]
    keys: int = 1

    def create(self) -> str:
        """Return the statement that creates it."""
        names = [column.partition(" ")[0] for column in self.columns[: self.keys]]
        columns = ", ".join((*self.columns, f"PRIMARY KEY ({', '.join(names)})"))
        return f"CREATE TABLE {self.name} ({columns}) STRICT"

    def changes(self, before: Iterable[Row], after: Iterable[Row]) -> Iterator[Change]:
        """Yield the statements that turn the rows before into those after."""
        old, new = dict.fromkeys(before), dict.fromkeys(after)
        keys = " AND ".join(f"{each.partition(' ')[0]} = ?" for each in self.columns[: self.keys])
        gone = [row[: self.keys] for row in old if row not in new]
        if gone:
            yield f"DELETE FROM {self.name} WHERE {keys}", gone
        marks = ", ".join("?" * len(self.columns))
        come = [row for row in new if row not in old]
        if come:
            yield f"INSERT INTO {self.name} VALUES ({marks})", come


def _clear_log(disk: sqlite3.Connection) -> None:
    """Move the log into the file, so that deleted bytes are in neither; if that fails, both
    stay."""
    with suppress(sqlite3.Error):
        disk.execute("PRAGMA wal_checkpoint(TRUNCATE)")


class Database:
    """A small file of tables whose rows are all in memory, too; without a path there is no file.

    A broken file is replaced by an empty one. Where nothing can be written, the file is still read,
    and every write is refused. Thread-safe.
    """

    def __init__(self, path: Path | None, tables: Sequence[TableOfRows]) -> None:
        self._path, self._tables = path, tables
        self._lock, self._is_closed = threading.RLock(), False
        self._disk: sqlite3.Connection | None = None
        self._rows: dict[str, list[Row]] = {}
        self.was_broken = False
        """Whether the file's contents are lost."""
        self.fault: Message | None = None
        """The reason the last change was not written; None while all is well."""
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        try:
            if not path.exists():
                self._create(path)
            self._disk = self._open_sound(path)
        except (OSError, *READ_ERRORS) as error:
            if is_damage(error) and not self.was_broken:
                return self._begin_anew(path)
            self.fault = describe_error(error, path.name)
            LOG.error(log_line("database_not_writable", file=path.name))
            with suppress(OSError, *READ_ERRORS), closing(read_apart(path)) as disk:
                self._read(disk)

    def _begin_anew(self, path: Path) -> None:
        """Remove a broken file and open an empty one in its place."""
        LOG.warning(log_line("database_broken", file=path.name))
        self.was_broken = True
        with suppress(OSError):  # Then it is found broken again.
            remove_database(path)
        self._open(path)

    def _create(self, path: Path) -> None:
        """Make an empty file; it gets its name once it is whole and on disk."""
        new = path.with_name(path.name + ".new")
        remove_database(new)
        new.touch(0o600)
        with closing(connect(new)) as disk:
            disk.execute("BEGIN IMMEDIATE")
            for table in self._tables:
                disk.execute(table.create())
            disk.execute("COMMIT")
            disk.execute("PRAGMA journal_mode=WAL")
        remove_database(path)
        new.replace(path)
        sync_file(path)

    def _open_sound(self, path: Path) -> sqlite3.Connection:
        disk = connect(path)
        with closed_if_failed(disk):
            self._read(disk)
            _clear_log(disk)  # A deletion may be in it that the power cut short.
        return disk

    def _read(self, disk: sqlite3.Connection) -> None:
        """Read every row; raise READ_ERRORS unless the file is sound and the tables are ours."""
        if disk.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise DamagedFile("integrity")
        found = disk.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        if {str(sql) for (sql,) in found} != {table.create() for table in self._tables}:
            raise DamagedFile("tables")
        for table in self._tables:
            self._rows[table.name] = disk.execute(f"SELECT * FROM {table.name}").fetchall()

    def take_rows(self, table: TableOfRows) -> list[Row]:
        """Return the rows of a table as the file held them, and forget them here."""
        return self._rows.pop(table.name, [])

    def write(self, *changes: Change) -> None:
        """Write all of it, or nothing and raise NotWritten; MaybeWritten where the disk failed so
        late that nothing more can be told."""
        with self._lock:
            if self._is_closed:  # A late request, while the companion is being stopped.
                raise NotWritten(self._path.name if self._path else "", STOPPING)
            if self._path is None or not changes:
                return
            if self._disk is None:
                assert self.fault is not None
                raise NotWritten(self._path.name, self.fault.text, **self.fault.facts)
            try:
                self._disk.execute("BEGIN IMMEDIATE")
                for sql, rows in changes:
                    self._disk.executemany(sql, rows)
                self._disk.execute("COMMIT")
            except sqlite3.Error as error:
                raise self._take_back(self._disk, self._path, error) from None
            except BaseException:  # A value that no database takes.
                take_back(self._disk)
                raise
            self.fault = None
            _clear_log(self._disk)

    def _take_back(self, disk: sqlite3.Connection, path: Path, error: sqlite3.Error) -> NotWritten:
        """Undo the unwritten change, and return the reason."""
        LOG.error(log_line("change_not_written", file=path.name))
        self.fault = describe_error(error, path.name)
        if not take_back(disk) and getattr(error, "sqlite_errorcode", 0) == NOT_SYNCED:
            return MaybeWritten(path.name, MAYBE_SENTENCE)
        return NotWritten(path.name, self.fault.text, **self.fault.facts)

    def try_again(self) -> None:
        """See whether a disk that took no write takes one now."""
        with self._lock:
            if self.fault is not None and self._disk is not None and take_back(self._disk):
                self.fault = None

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._is_closed = True
            if self._disk is not None:
                self._disk.close()
            self._disk = None
