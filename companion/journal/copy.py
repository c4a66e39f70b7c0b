"""Copy a journal, or read its identity, while a companion may be writing it.

Laws: the copy is a journal of the current version, and every line in the very file that was written
is verified; the original is only read. Memory does not grow with the journal: pages are copied a
few at a time, lines are verified one by one. The copy is written without SQLite's log and locks,
since not every file system on a memory stick can hold those. Reading the identity verifies nothing;
it only tells two journals apart.
"""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from companion.core.errors import Malformed
from companion.core.i18n import N_, Message
from companion.journal.errors import READ_ERRORS, JournalFailed, describe_error, is_damage
from companion.journal.line import CHAIN_START
from companion.journal.open import OpenedJournal, open_read_only
from companion.journal.schema import (
    PAGE_SIZE,
    check_head,
    check_tables,
    connect_alone,
    connect_read_only,
    read_head,
    sync_to_disk,
    wal_path,
)
from companion.journal.verify import check_all_lines

WAL_MARK = 18, bytes([2, 2])
"""Position and value of the header bytes that tell SQLite to expect a log beside the file."""
PAGES_AT_ONCE = 1_000
WRITE_FAILED = 10
"""SQLite's primary code where the disk does not take a write, whatever the reason."""
DISK_IS_FULL = 13


def copy_journal(path: Path, target: Path, proven: Path | None = None) -> list[Message]:
    """Write all sound lines into a new file; return the notices about the others.

    Lines that stand in the same place of a `proven` journal are not proven again.
    Raise OSError where the file cannot be written, JournalFailed where the journal cannot be read.
    """
    try:
        return _copy_opened(open_read_only(path, every_line=False), target, proven)
    except READ_ERRORS as error:
        if not is_damage(error):
            raise JournalFailed(describe_error(error)) from None
    target.unlink()
    try:
        return _copy_opened(open_read_only(path), target)
    except READ_ERRORS as error:
        raise JournalFailed(describe_error(error)) from None


def adopt_sound_journal(path: Path, target: Path) -> None:
    """Give a file that no other process uses this name once every line of it is verified.

    Raise Malformed if it is damaged anywhere, or holds more than the pages of a journal.
    """
    pages = int.from_bytes(read_head(path)[28:32], "big")
    if pages * PAGE_SIZE != path.stat().st_size:
        raise _damaged_error(path)
    require_sound_journal(path)
    path.replace(target)


def require_sound_journal(path: Path) -> None:
    """Verify every line of a file that nothing writes; raise Malformed if it is damaged.

    Raise JournalFailed if it cannot be read.
    """
    try:
        check_head(read_head(path))
        with closing(connect_read_only(path, immutable=True)) as disk:
            check_tables(disk)
            check_all_lines(disk)
    except READ_ERRORS as error:
        if not is_damage(error):
            raise JournalFailed(describe_error(error)) from None
        raise _damaged_error(path) from None


def copy_unproven_journal(path: Path, target: Path) -> None:
    """Write the journal into a new file of which only the end is verified.

    Raise Malformed if that is damaged. `require_sound_journal` verifies the rest.
    """
    try:
        opened = open_read_only(path, every_line=False, salvage=False)
        notices = opened.notices
        _write_pages(opened, target)
    except READ_ERRORS as error:
        if not is_damage(error):
            raise JournalFailed(describe_error(error)) from None
        notices = [Message("")]
    if notices:
        raise _damaged_error(path)


def _damaged_error(path: Path) -> Malformed:
    text = N_("{field} is damaged: start the companion, which mends it, and try again.")
    return Malformed(path.name, text)


def _copy_opened(opened: OpenedJournal, target: Path, proven: Path | None = None) -> list[Message]:
    """Copy the pages, and verify every line of the copy; raise READ_ERRORS if one is damaged."""
    _write_pages(opened, target)
    with closing(connect_read_only(target, immutable=True)) as copy:
        check_all_lines(copy, proven)
    return opened.notices


def _write_pages(opened: OpenedJournal, target: Path) -> None:
    """Copy the pages of an open journal into a new file, and close it."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(opened.connection) as disk:
        _copy_pages(disk, target)
    _expect_log(target)
    sync_to_disk(target)


def _expect_log(target: Path) -> None:
    with target.open("r+b") as file:
        file.seek(WAL_MARK[0])
        file.write(WAL_MARK[1])


def _copy_pages(disk: sqlite3.Connection, target: Path) -> None:
    try:
        with closing(connect_alone(target)) as copy:
            disk.backup(copy, pages=PAGES_AT_ONCE)
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == DISK_IS_FULL:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
        if code == WRITE_FAILED:
            _raise_write_error(target)
        raise


def _raise_write_error(target: Path) -> None:
    """Raise the OSError of a write to the end of this file, which SQLite does not tell."""
    with target.open("ab", buffering=0) as file:
        file.write(bytes(1))
        os.fsync(file.fileno())


def read_end(path: Path) -> tuple[int, str]:
    """Return the number of the last line of a verified copy, and the chain that leads to it."""
    with closing(connect_read_only(path, immutable=True)) as disk:
        last = disk.execute("SELECT n, chain FROM line ORDER BY n DESC LIMIT 1").fetchone()
    return (last[0], last[1].hex()) if last else (0, CHAIN_START)


def read_identity(path: Path) -> tuple[set[str], bytes]:
    """Return the ids of its games and the chain of its first line, unique to a journal.

    Empty where the file cannot be read.
    """
    try:
        with closing(connect_read_only(path, immutable=not wal_path(path).exists())) as disk:
            games = disk.execute("SELECT DISTINCT id FROM stretch").fetchall()
            first = disk.execute("SELECT chain FROM line WHERE n = 1").fetchall()
    except sqlite3.Error:
        return set(), b""
    return {str(id) for (id,) in games}, next((bytes(chain) for (chain,) in first), b"")
