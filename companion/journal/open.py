"""Open a journal: check whose file it is and whether it is whole, salvage what is not.

Laws: a file that is not ours, or of another format, is not touched. What is ours opens: whole, or
with every sound line that is left; the damaged file is kept under another name. Opened read-only,
nothing is written to the file or beside it, so the next real opening finds and reports the same.
"""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, message
from companion.journal import schema
from companion.journal.errors import READ_ERRORS, describe_error, is_damage, unusable_journal
from companion.journal.recover_rows import carve_anchors
from companion.journal.salvage import SalvagedJournal, carve_all, carve_log, salvage_lines
from companion.journal.verify import check_all_lines, check_all_visible, verify_end

EMPTY_JOURNAL = salvage_lines(())


class OpenedJournal(NamedTuple):
    """An open connection, the notices, and why the journal cannot be written, if so."""

    connection: sqlite3.Connection
    notices: list[Message]
    fault: Message | None = None


def open_journal(path: Path) -> OpenedJournal:
    """Open the file for reading and writing."""
    first = read_known_head(path)
    swap_in(path)
    log = read_bytes(schema.wal_path(path))
    if not first and not log:
        rewrite_journal(path, EMPTY_JOURNAL)
        return OpenedJournal(_connect_durably(path), [])
    try:
        return OpenedJournal(*_open_intact(path, first, log))
    except READ_ERRORS as error:
        if not is_damage(error):
            raise
        return OpenedJournal(*open_salvaged(path, error))


def read_known_head(path: Path) -> bytes:
    """Return the first bytes; raise Malformed if another version of the companion wrote them."""
    try:
        return schema.require_own_format(path)
    except OSError as error:
        raise unusable_journal(path, error.strerror) from None


def read_bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _connect_durably(path: Path) -> sqlite3.Connection:
    disk = schema.connect(path)
    try:
        schema.make_durable(disk)
    except BaseException:
        disk.close()
        raise
    return disk


def _open_intact(path: Path, first: bytes, log: bytes) -> tuple[sqlite3.Connection, list[Message]]:
    """Open the journal if all that can be seen of it at once is sound."""
    schema.check_head(first)
    if log:  # Nothing was closed; and SQLite would clear the log away when it closes.
        with closing(schema.connect_read_only(path)) as disk:
            schema.check_tables(disk)
            verify_end(disk)
            check_all_visible(disk, carve_log(log))
    disk = _connect_durably(path)
    try:
        schema.check_tables(disk)
        return disk, _check_cut_short(disk, log)
    except BaseException:
        disk.close()
        raise


def _check_cut_short(connection: sqlite3.Connection, log: bytes) -> list[Message]:
    """Return a notice if the log goes on after what SQLite took from it."""
    if not log:
        return []
    _, taken, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    if _count_frames(log) <= taken:
        return []
    text = "The last write to the journal was cut short: what was done last may not have counted."
    return [message(text)]


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


def open_salvaged(path: Path, reason: Exception) -> tuple[sqlite3.Connection, list[Message]]:
    """Write a new journal of every sound line that is left; keep the damaged file."""
    file, log = read_bytes(path), read_bytes(schema.wal_path(path))
    data = file + log
    mended = salvage_lines(carve_all(file, log), carve_anchors(data))
    if not mended.last and schema.read_version(data[:100]) != (
        schema.APPLICATION_ID + schema.SCHEMA_VERSION,
        schema.SCHEMA_VERSION,
    ):
        raise unrecognised_file(path, data, reason)
    kept = rewrite_journal(path, mended, data)
    return _connect_durably(path), [*describe_salvage(mended, kept)]


def unrecognised_file(path: Path, data: bytes, reason: Exception) -> Malformed:
    if isinstance(reason, sqlite3.Error):
        return unusable_journal(path, reason)
    if isinstance(reason, OSError) and reason.errno:
        return unusable_journal(path, os.strerror(reason.errno))
    if data[:16] == schema.MAGIC:
        text = N_("{field} cannot be used as a journal: it belongs to another program.")
        return Malformed(path.name, text)
    return unusable_journal(path, "file is not a database")


def describe_salvage(salvaged: SalvagedJournal, kept: str) -> list[Message]:
    """Return one notice that says what was lost, or what was repaired."""
    n = len(salvaged.lines)
    if salvaged.missing:
        lost = format_ranges(salvaged.missing)
        text = (
            "The journal was damaged: {n} lines are sound, these are lost: {several};"
            " the damaged file is kept as {kept}."
        )
        return [Message(text, {"n": n, "several": lost, "kept": kept})]
    if salvaged.broken:
        text = (
            "The journal was changed by hand before these lines: {numbers};"
            " the file as it was is kept as {kept}."
        )
        return [Message(text, {"numbers": list(salvaged.broken), "kept": kept})]
    text = (
        "The journal was damaged: {n} lines are sound, none is known to be lost;"
        " the damaged file is kept as {kept}."
    )
    return [Message(text, {"n": n, "kept": kept})]


def format_ranges(missing: Iterable[tuple[int, int]]) -> list[str]:
    """Return ranges of numbers as people write them: 3, 7–9."""
    return [f"{a}–{b}" if b > a else str(a) for a, b in missing]


def rewrite_journal(path: Path, salvaged: SalvagedJournal, data: bytes = b"") -> str:
    """Write a new journal beside the file and swap it in; return the old one's name."""
    new = path.with_name(path.name + ".mending")
    for name in (new, new.with_name(new.name + "-journal"), schema.wal_path(new)):
        name.unlink(missing_ok=True)
    new.touch(0o600)  # It tells what lies face down; SQLite's files beside it follow suit.
    with closing(schema.connect(new)) as disk:
        schema.create_tables(disk)
        schema.fill_tables(disk, salvaged, carve_anchors(data))
        disk.execute("PRAGMA journal_mode=WAL")
    schema.sync_to_disk(new)
    new.replace(path.with_name(path.name + ".mended"))
    return swap_in(path)


def swap_in(path: Path) -> str:
    """Put a rewritten journal, if there is one, in place of the old one; return its new name.

    The power may fail at any point here: the next opening goes on from there.
    """
    new = path.with_name(path.name + ".mended")
    if not new.exists():
        return ""
    kept = move_aside(path)
    schema.wal_path(path).unlink(missing_ok=True)
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    new.replace(path)
    schema.sync_to_disk(path)
    return kept.name


def move_aside(path: Path) -> Path:
    """Keep the file and its log under another name; the power may fail in between."""
    kept = _free_name(path)
    for old, other in ((schema.wal_path(path), schema.wal_path(kept)), (path, kept)):
        if old.exists() and old.stat().st_size:
            old.replace(other)
    return kept


def _free_name(path: Path) -> Path:
    n = 1
    while (kept := path.with_name(f"{path.name}.damaged-{n}")).exists():
        n += 1
    return kept


READ_ONLY_NOTICE = message("The journal is only looked at: nothing is written to it.")


def open_read_only(path: Path, every_line: bool = True, salvage: bool = True) -> OpenedJournal:
    """Open the journal as it is now: whole, or what is left and what is wrong.

    Without `every_line` only its end is verified, as when it is opened to be written; without
    `salvage` damage is raised as one of READ_ERRORS, since what is left has to fit into memory.
    """
    new = path.with_name(path.name + ".mended")  # The power went before it was put in its place.
    path = new if new.exists() else path
    first = read_known_head(path)
    if not first and not read_bytes(schema.wal_path(path)):
        return OpenedJournal(_build_in_memory(EMPTY_JOURNAL), [], READ_ONLY_NOTICE)
    wrong: Exception
    for _ in range(2):  # A companion may be writing just now.
        try:
            return OpenedJournal(_open_snapshot(path, first, every_line), [], READ_ONLY_NOTICE)
        except READ_ERRORS as error:
            wrong = error
    if not salvage and is_damage(wrong):
        raise wrong
    mended, data = _salvage_readable(path, first, wrong)
    said = describe_salvage(mended, path.name) if mended.gaps or is_damage(wrong) else []
    return OpenedJournal(_build_in_memory(mended, data), said, READ_ONLY_NOTICE)


def open_unwritable(path: Path, error: OSError | sqlite3.Error) -> OpenedJournal:
    """Open the journal as far as it can be read where nothing can be written."""
    mended, data = _salvage_readable(path, read_known_head(path), error)
    said = describe_salvage(mended, path.name) if mended.gaps else []
    return OpenedJournal(_build_in_memory(mended, data), said, describe_error(error))


def _open_snapshot(path: Path, first: bytes, every_line: bool) -> sqlite3.Connection:
    """Open what SQLite shows of the file now, and go on seeing that, if all of it is sound."""
    schema.check_head(first)
    log = read_bytes(schema.wal_path(path))
    disk = schema.connect_read_only(path, immutable=not log)
    try:
        disk.execute("BEGIN")  # Until it is closed it sees nothing that is written meanwhile.
        schema.check_tables(disk)
        check_all_visible(disk, carve_log(log))
        (check_all_lines if every_line else verify_end)(disk)
    except BaseException:
        disk.close()
        raise
    return disk


def _salvage_readable(path: Path, first: bytes, error: Exception) -> tuple[SalvagedJournal, bytes]:
    """Return what is left of a journal, without touching the file."""
    log = read_bytes(schema.wal_path(path))  # First, so that a page moved meanwhile is in both.
    file = read_bytes(path)
    data = file + log
    mended = salvage_lines(carve_all(file, log), carve_anchors(data))
    if not mended.last and schema.read_version(first) != (
        schema.APPLICATION_ID + schema.SCHEMA_VERSION,
        schema.SCHEMA_VERSION,
    ):
        raise unrecognised_file(path, data, error)
    return mended, data


def _build_in_memory(salvaged: SalvagedJournal, data: bytes = b"") -> sqlite3.Connection:
    disk = schema.connect(":memory:")
    schema.create_tables(disk)
    schema.fill_tables(disk, salvaged, carve_anchors(data))
    return disk
