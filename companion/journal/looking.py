"""A journal in memory: looked at, or read where nothing can be written.

Law: nothing is written, neither to the file nor beside it; so whatever is wrong with it is still
there, and is said again, when a companion opens it to go on.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.core.i18n import say
from companion.journal import schema as file
from companion.journal.errors import WRONG, is_damage, why
from companion.journal.mending import Mended, mend
from companion.journal.older import moved
from companion.journal.open import EMPTY, Opened, another, bytes_of, first_bytes, told
from companion.journal.reading import check_shown, check_whole
from companion.journal.salvage import anchors_in, lines_in

LOOKED = say("The journal is only looked at: nothing is written to it.")


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
