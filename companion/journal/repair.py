"""Repair a damaged journal: copy every game whose own rows read and chain into a new file.

Laws: the damaged file is only read, and is kept under a dated name; the new one is whole and on
disk before it takes the place of the old one, whenever the power fails. A game of which one row is
damaged is taken from the newest sound backup, if it ends there as it did here; else it is named,
and stays behind in the damaged file.
"""

import os
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion.core.databases import (
    READ_ERRORS,
    DamagedFile,
    Row,
    connect_read_only,
    file_size,
    remove_database,
    wal_path,
)
from companion.core.durable_files import sync_file
from companion.core.errors import Malformed
from companion.core.i18n import Message, message
from companion.journal import schema
from companion.journal.check import check_file, read_rows
from companion.journal.errors import JournalFailed
from companion.journal.line import StoredGame, add_row, game_row, read_game

BACKUPS, JOURNAL = "backups", "journal.sqlite3"
"""The folder of the backups, beside the journal, and the name of the journal in each."""
LOOKED_UP = 256
"""Rows that are asked for at once."""
SMALLEST_ROW = 64
"""Bytes that a row takes at least, so that a file says how many it may hold."""
MOST_NAMED = 10


class Repair(NamedTuple):
    """What became of a damaged journal: the games that are there again, and those that are not; the
    name under which the damaged file is kept, and that of the newest sound backup.

    Of an unreadable file nothing is known but that backup.
    """

    sound: list[StoredGame]
    lost: list[StoredGame]
    kept: str = ""
    backup: str = ""
    is_unreadable: bool = False


def repair_journal(path: Path) -> Repair:
    """Put a new journal with all sound games in the place of a damaged one.

    Raise DamagedFile if it holds nothing of ours, and no backup says that it was a journal; OSError
    or sqlite3.Error if the new file cannot be written.
    """
    new = path.with_name(path.name + ".mending")
    target = schema.create_journal(new)
    with closing(target):
        readable = _find_readable(path, new)
        try:
            with closing(connect_read_only(readable)) as source:
                found = copy_sound_games(source, target, _most_rows(path))
        finally:
            if readable != path:
                remove_database(readable)
        with suppress(*READ_ERRORS):
            found = _copy_from_backup(path.with_name(BACKUPS), target, found)
        head = schema.read_head(path)
        if head and not (found.sound or found.backup or schema.is_own_head(head)):
            remove_database(new)
            raise DamagedFile("head")
        schema.finish_journal(target, new)
    new.replace(path.with_name(path.name + ".mended"))
    return found._replace(kept=swap_in(path))


def copy_sound_games(source: sqlite3.Connection, target: sqlite3.Connection, most: int) -> Repair:
    """Copy each game whose rows read and chain to where the table of games says that it ends."""
    stated, seen, games = dict[str, StoredGame](), dict[str, int](), dict[str, StoredGame]()
    with suppress(*READ_ERRORS, TypeError):
        for row in source.execute("SELECT * FROM game"):
            stated[row[0]] = read_game(row)
    target.execute("BEGIN IMMEDIATE")
    for rows in (_scan(source), _look_up(source, most)):
        for row in rows:
            n, id = row[0], row[2]
            seen[id] = max(n, seen.get(id, 0))
            with suppress(DamagedFile):
                games[id] = add_row(games.get(id), row)
                target.execute(schema.INSERT_LINE, row)
    lost = [game for id, game in stated.items() if id not in games]
    for id, game in list(games.items()):
        if _is_cut_short(game, stated.get(id), seen[id]):
            target.execute("DELETE FROM line WHERE id = ?", (id,))
            lost.append(stated.get(id, games.pop(id)))
    kept = list(games.values())
    target.executemany(schema.INSERT_GAME, map(game_row, kept))
    target.execute("COMMIT")
    return Repair(
        kept, sorted(lost, key=lambda game: game.first), is_unreadable=not kept and not lost
    )


def _copy_from_backup(folder: Path, target: sqlite3.Connection, found: Repair) -> Repair:
    """Copy the lost games that end in the newest sound backup as they did here; all that are over
    there, where nothing is known of them here."""
    with TemporaryDirectory(dir=folder.parent, prefix=".mending-") as room:
        backup, journal = _unpack_newest(folder, Path(room))
        if journal is None:
            return found
        lost, back = {game.id: game for game in found.lost}, list[StoredGame]()
        with closing(connect_read_only(journal)) as source:
            target.execute("BEGIN IMMEDIATE")
            for game in schema.read_games(source).values():
                if game == lost.get(game.id) or (found.is_unreadable and game.is_over):
                    target.executemany(schema.INSERT_LINE, read_rows(source, game))
                    target.execute(schema.INSERT_GAME, game_row(game))
                    back.append(game)
            target.execute("COMMIT")
    left = [game for game in found.lost if game not in back]
    return found._replace(sound=found.sound + back, lost=left, backup=backup)


def _unpack_newest(folder: Path, room: Path) -> tuple[str, Path | None]:
    """Unpack the journal of the newest backup that is sound; return the backup's name as well."""
    for packed in sorted(folder.glob("companion-*.zip"), reverse=True):
        with suppress(OSError, zipfile.BadZipFile, zlib.error, KeyError, Malformed, JournalFailed):
            with zipfile.ZipFile(packed) as archive:
                journal = Path(archive.extract(JOURNAL, room))
            check_file(journal)
            return packed.name, journal
    return "", None


def _is_cut_short(game: StoredGame, stated: StoredGame | None, seen: int) -> bool:
    """Return whether a game went on beyond its last sound line, up to the number that was seen.

    A row of another game whose id was hit looks like that, so the chain decides where it can; one
    damaged fact in the table of games does not say so.
    """
    if stated is None or stated.chain == game.chain:
        return stated is None and seen > game.last
    return seen > game.last or (stated.last, stated.lines) != (game.last, game.lines)


def _scan(disk: sqlite3.Connection) -> Iterator[Row]:
    """Yield the rows in order, up to the first that cannot be read."""
    with suppress(*READ_ERRORS):
        yield from disk.execute("SELECT * FROM line ORDER BY n")


def _look_up(disk: sqlite3.Connection, most: int) -> Iterator[Row]:
    """Yield each row that can be read when it is asked for by its number."""
    for first in range(1, most + 1, LOOKED_UP):
        last = first + LOOKED_UP - 1
        try:
            yield from _select(disk, first, last)
        except READ_ERRORS:
            for n in range(first, last + 1):
                with suppress(*READ_ERRORS):
                    yield from _select(disk, n, n)


def _select(disk: sqlite3.Connection, first: int, last: int) -> list[Row]:
    rows = "SELECT * FROM line WHERE n BETWEEN ? AND ? ORDER BY n"
    return disk.execute(rows, (first, last)).fetchall()


def _most_rows(path: Path) -> int:
    size = file_size(path) + file_size(wal_path(path))
    return size // SMALLEST_ROW


def _find_readable(path: Path, new: Path) -> Path:
    """Return a file that SQLite reads: the damaged one, or a copy with the first page of a new
    journal, which is the same in all of them but for their length."""
    with suppress(*READ_ERRORS):
        schema.check_head(schema.read_head(path))
        with closing(connect_read_only(path)) as disk:
            schema.check_tables(disk)
            return path
    copy = path.with_name(path.name + ".reading")
    remove_database(copy)
    for old, other in ((path, copy), (wal_path(path), wal_path(copy))):
        if old.exists():
            shutil.copyfile(old, other)
    pages = max(1, file_size(copy) // schema.PAGE_SIZE)
    first = bytearray(new.read_bytes()[: schema.PAGE_SIZE])
    first[18:20], first[28:32] = bytes([2, 2]), pages.to_bytes(4, "big")
    with open(os.open(copy, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(first)
    return copy


def swap_in(path: Path) -> str:
    """Put a repaired journal, if there is one, in place of the old one; return the old one's name.

    The power may fail at any point here: the next opening goes on from there.
    """
    new = path.with_name(path.name + ".mended")
    if not new.exists():
        return ""
    kept = move_aside(path)
    remove_database(path)
    new.replace(path)
    sync_file(path)
    return kept.name


def move_aside(path: Path) -> Path:
    """Keep the file and its log under a dated name; the power may fail in between."""
    kept, n = path.with_name(f"{path.name}.damaged-{date.today()}"), 1
    while kept.exists():
        n += 1
        kept = path.with_name(f"{path.name}.damaged-{date.today()}-{n}")
    for old, other in ((wal_path(path), wal_path(kept)), (path, kept)):
        if file_size(old):
            old.replace(other)
    return kept


def describe_repair(repair: Repair, *, newest_is_lost: bool) -> list[Message]:
    """Return what people are told of a repair."""
    if repair.is_unreadable:
        if not repair.backup:
            text = "The journal could not be read; the damaged file is kept as {kept}."
            return [message(text, kept=repair.kept)]
        text = (
            "The journal could not be read. The finished games of the backup {name}, the newest"
            " sound state, are here again; the damaged file is kept as {kept}."
        )
        return [message(text, name=repair.backup, kept=repair.kept)]
    if not repair.lost:
        text = "The journal was damaged, but no game is lost; the damaged file is kept as {kept}."
        return [message(text, kept=repair.kept)]
    named = [f"{datetime.fromtimestamp(game.at):%Y-%m-%d} ({game.id})" for game in repair.lost]
    named = [*named[:MOST_NAMED], *["…"] * (len(named) > MOST_NAMED)]
    text = (
        "The journal was damaged. These games are lost: {several}; all others are sound, and the"
        " damaged file is kept as {kept}."
    )
    told = [message(text, several=named, kept=repair.kept)]
    if newest_is_lost:
        text = "The game that was played last cannot go on, and there is no sound backup."
        if repair.backup:
            text = (
                "The game that was played last cannot go on. The newest sound state is the backup"
                " {name}."
            )
        told.append(message(text, name=repair.backup))
    return told
