"""Opening a journal: whose file it is, whether it is whole, and what to do if it is not.

Law: what is not ours, or newer than we are, is not touched. What is ours opens: whole, or with
every sound line that is left of it; the damaged file is kept under another name.

A journal in memory: looked at, or read where nothing can be written.

Law: nothing is written, neither to the file nor beside it; so whatever is wrong with it is still
there, and is said again, when a companion opens it to go on.
"""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, message
from companion.journal import schema as file
from companion.journal.errors import WRONG, is_damage, unusable, why
from companion.journal.row_carving import anchors_in, lines_in
from companion.journal.salvage import Mended, mend
from companion.journal.verify import check_shown, check_whole, end
from companion.journal.version_1 import moved

EMPTY = mend(())


class Opened(NamedTuple):
    """A journal in SQLite's hands, what to say about it, and why it cannot be written, if so."""

    disk: sqlite3.Connection
    notices: list[Message]
    trouble: Message | None = None


def opened(path: Path) -> Opened:
    """Open the file for reading and writing."""
    first = first_bytes(path)
    swap(path)
    log = bytes_of(file.log(path))
    if not first and not log:
        write_whole(path, EMPTY)
        return Opened(_ready(path), [])
    if file.told_version(first) == (0, 1):
        write_whole(path, moved(path), keep=False)
        return Opened(_ready(path), [])
    try:
        return Opened(*_whole(path, first, log))
    except WRONG as error:
        if not is_damage(error):
            raise
        return Opened(*salvaged(path, error))


def first_bytes(path: Path) -> bytes:
    """The first bytes, if a companion of today may go on from there."""
    try:
        first = file.head(path)
    except OSError as error:
        raise unusable(path, error.strerror) from None
    if file.is_newer(first):
        _, schema = file.told_version(first)
        text = N_("{field} was written by a newer companion (journal version {schema}).")
        raise Malformed(path.name, text, schema=schema)
    return first


def bytes_of(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _ready(path: Path) -> sqlite3.Connection:
    disk = file.connect(path)
    try:
        file.durable(disk)
    except BaseException:
        disk.close()
        raise
    return disk


def _whole(path: Path, first: bytes, log: bytes) -> tuple[sqlite3.Connection, list[Message]]:
    """The journal, if all that can be seen of it at once is sound."""
    file.check_head(first)
    if log:  # Nothing was closed; and SQLite would clear the log away when it closes.
        with closing(file.glance(path)) as disk:
            file.check_tables(disk)
            end(disk)
            check_shown(disk, lines_in(log))
    disk = _ready(path)
    try:
        file.check_tables(disk)
        return disk, _cut_short(disk, log)
    except BaseException:
        disk.close()
        raise


def _cut_short(disk: sqlite3.Connection, log: bytes) -> list[Message]:
    """Whether the log goes on after what SQLite took from it: a write that was never finished."""
    if not log:
        return []
    _, taken, _ = disk.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    if _frames(log) <= taken:
        return []
    text = "The last write to the journal was cut short: what was done last may not have counted."
    return [message(text)]


def _frames(log: bytes) -> int:
    """How many pages were written to the log since it was begun anew, even in part."""
    each = 24 + file.PAGE
    salts = [log[at + 8 : at + 16] for at in range(32, len(log), each)]
    alike = 0
    for salt in salts:
        if not salts[0].startswith(salt):  # a page that was begun may have no salt yet
            break
        alike += 1
    return alike


def salvaged(path: Path, reason: Exception) -> tuple[sqlite3.Connection, list[Message]]:
    """Write a new journal of every sound line that is left; keep the damaged file."""
    data = bytes_of(path) + bytes_of(file.log(path))
    mended = mend(lines_in(data), anchors_in(data))
    if not mended.last and file.told_version(data[:100]) != (file.OURS + file.SCHEMA, file.SCHEMA):
        raise another(path, data, reason)
    kept = write_whole(path, mended, data)
    return _ready(path), [*told(mended, kept)]


def another(path: Path, data: bytes, reason: Exception) -> Malformed:
    if isinstance(reason, sqlite3.Error):
        return unusable(path, reason)
    if isinstance(reason, OSError) and reason.errno:
        return unusable(path, os.strerror(reason.errno))
    if data[:16] == file.MAGIC:
        text = N_("{field} cannot be used as a journal: it belongs to another program.")
        return Malformed(path.name, text)
    return unusable(path, "file is not a database")


def told(mended: Mended, kept: str) -> list[Message]:
    """What was lost, and what was mended, in one sentence."""
    n = len(mended.lines)
    if mended.missing:
        lost = stretches(mended.missing)
        text = (
            "The journal was damaged: {n} lines are sound, these are lost: {several};"
            " the damaged file is kept as {kept}."
        )
        return [Message(text, {"n": n, "several": lost, "kept": kept})]
    if mended.broken:
        text = (
            "The journal was changed by hand before these lines: {numbers};"
            " the file as it was is kept as {kept}."
        )
        return [Message(text, {"numbers": list(mended.broken), "kept": kept})]
    text = (
        "The journal was damaged: {n} lines are sound, none is known to be lost;"
        " the damaged file is kept as {kept}."
    )
    return [Message(text, {"n": n, "kept": kept})]


def stretches(missing: Iterable[tuple[int, int]]) -> list[str]:
    """Numbers as one says them: 3, 7–9."""
    return [f"{a}–{b}" if b > a else str(a) for a, b in missing]


def write_whole(path: Path, mended: Mended, data: bytes = b"", keep: bool = True) -> str:
    """Write a journal anew beside the file, and put it in its place; the name of the old one."""
    new = path.with_name(path.name + ".mending")
    for name in (new, new.with_name(new.name + "-journal"), file.log(new)):
        name.unlink(missing_ok=True)
    new.touch(0o600)  # It tells what lies face down; SQLite's files beside it follow suit.
    with closing(file.connect(new)) as disk:
        file.create(disk)
        file.fill(disk, mended, anchors_in(data))
        disk.execute("PRAGMA journal_mode=WAL")
    file.settle(new)
    new.replace(path.with_name(path.name + ".mended"))
    if not keep:
        path.unlink(missing_ok=True)
    return swap(path)


def swap(path: Path) -> str:
    """Put a journal that was written anew in the place of the old one.

    The power may go at any point here: the next opening goes on from there.
    """
    new = path.with_name(path.name + ".mended")
    if not new.exists():
        return ""
    kept = aside(path)
    file.log(path).unlink(missing_ok=True)
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    new.replace(path)
    file.settle(path)
    return kept.name


def aside(path: Path) -> Path:
    """Keep the file, and the log beside it, under another name; the power may go in between."""
    kept = _free(path)
    for old, other in ((file.log(path), file.log(kept)), (path, kept)):
        if old.exists() and old.stat().st_size:
            old.replace(other)
    return kept


def _free(path: Path) -> Path:
    n = 1
    while (kept := path.with_name(f"{path.name}.damaged-{n}")).exists():
        n += 1
    return kept


LOOKED = message("The journal is only looked at: nothing is written to it.")


def looked(path: Path) -> Opened:
    """The journal with every line proven, or what is left of it and what is wrong."""
    new = path.with_name(path.name + ".mended")  # The power went before it was put in its place.
    path = new if new.exists() else path
    first = first_bytes(path)
    if not first and not bytes_of(file.log(path)):
        return Opened(_in_memory(EMPTY), [], LOOKED)
    if file.told_version(first) == (0, 1):
        return Opened(_in_memory(moved(path, look=True)), [], LOOKED)
    wrong: Exception
    for _ in range(2):  # Somebody may be writing just now.
        try:
            return Opened(_shown(path, first), [], LOOKED)
        except WRONG as error:
            wrong = error
    mended, data = _left(path, first, wrong)
    said = told(mended, path.name) if mended.gaps or is_damage(wrong) else []
    return Opened(_in_memory(mended, data), said, LOOKED)


def read_only(path: Path, error: OSError | sqlite3.Error) -> Opened:
    """The journal as it can be read where nothing may be written."""
    mended, data = _left(path, first_bytes(path), error)
    said = told(mended, path.name) if mended.gaps else []
    return Opened(_in_memory(mended, data), said, why(error))


def _shown(path: Path, first: bytes) -> sqlite3.Connection:
    """What SQLite shows of the file, if all of it is sound."""
    file.check_head(first)
    log, disk = bytes_of(file.log(path)), file.connect(":memory:")
    try:
        with closing(file.glance(path, still=not log)) as there:
            there.backup(disk)
        file.check_tables(disk)
        check_shown(disk, lines_in(log))
        check_whole(disk)
    except BaseException:
        disk.close()
        raise
    return disk


def _left(path: Path, first: bytes, error: Exception) -> tuple[Mended, bytes]:
    """What is left of a journal, as it lies there."""
    log = bytes_of(file.log(path))  # First: what goes from it into the file is then in both.
    data = bytes_of(path) + log
    mended = mend(lines_in(data), anchors_in(data))
    if not mended.last and file.told_version(first) != (file.OURS + file.SCHEMA, file.SCHEMA):
        raise another(path, data, error)
    return mended, data


def _in_memory(mended: Mended, data: bytes = b"") -> sqlite3.Connection:
    disk = file.connect(":memory:")
    file.create(disk)
    file.fill(disk, mended, anchors_in(data))
    return disk
