"""Repair a damaged journal: copy every game whose own rows read and chain into a new file.

Laws: the damaged file is only read, and is kept under a dated name; the new one is whole and on
disk before it takes the place of the old one, whenever the power fails. A game of which one row is
damaged is taken from the newest sound backup, if it ends there as it did here; else it is named,
and stays behind in the damaged file.
"""

import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from companion.core import databases
from companion.core.durable_files import sync_file
from companion.core.errors import Malformed
from companion.core.i18n import Message, message
from companion.journal import file
from companion.journal.file import JournalFailed
from companion.journal.line import MAX_TIME, StoredGame, add_row, game_row, read_game

BACKUPS, JOURNAL = "backups", "journal.sqlite3"
"""The folder of the backups, beside the journal, and the name of the journal in each."""
MAX_NUMBER = 2**63 - 1
SMALLEST_ROW = 64
"""Bytes that a row takes at least, so that a file says how many of its rows cannot be read."""
MOST_NAMED = 10


class Repair(NamedTuple):
    """Result of a repair: the games that were saved, and those that were not; the
    name under which the damaged file is kept, and that of the newest sound backup."""

    sound: list[StoredGame]
    lost: list[StoredGame]
    is_unreadable: bool
    """Whether nothing of the journal could be read, so that only the backup has games."""
    backup: str = ""
    kept: str = ""


def repair_journal(path: Path) -> Repair:
    """Put a new journal with all sound games in the place of a damaged one.

    Raise DamagedFile if it holds nothing of ours, and no backup says that it was a journal; OSError
    or sqlite3.Error if the new file cannot be written.
    """
    room = path.with_name(path.name + ".mending")
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(0o700)
    try:
        found = _repair_in(room, path)
    finally:
        shutil.rmtree(room, ignore_errors=True)
    return found._replace(kept=swap_in(path))


def _repair_in(room: Path, path: Path) -> Repair:
    """Write the new journal into this folder."""
    with closing(file.create_journal(room / JOURNAL)) as target:
        with closing(databases.connect_read_only(_copy_readable(path, room))) as source:
            size = databases.file_size(path) + databases.file_size(databases.wal_path(path))
            found = _copy_sound_games(source, target, size // SMALLEST_ROW)
        with suppress(*databases.READ_ERRORS):
            found = _copy_from_backup(path.with_name(BACKUPS), target, found, room)
        head = file.read_head(path)
        if head and not (found.sound or found.backup or file.read_version(head)):
            raise databases.DamagedFile("head")
        file.finish_journal(target, room / JOURNAL, path.with_name(path.name + ".mended"))
    return found


def _copy_readable(path: Path, room: Path) -> Path:
    """Return a copy that SQLite reads: with the first page of a new journal, which is the same in
    all of them but for their length."""
    copy = room / "damaged"
    databases.copy_database(path, copy)
    first = bytearray((room / JOURNAL).read_bytes()[: file.PAGE_SIZE])
    pages = max(1, databases.file_size(copy) // file.PAGE_SIZE)
    first[18:20], first[28:32] = bytes([2, 2]), pages.to_bytes(4, "big")
    copy.touch()
    with copy.open("r+b") as damaged:
        damaged.write(first)
    return copy


def _copy_sound_games(source: sqlite3.Connection, target: sqlite3.Connection, most: int) -> Repair:
    """Copy each game with readable, chained rows up to the end noted in the table of games."""
    stated, seen, games = dict[str, StoredGame](), dict[str, int](), dict[str, StoredGame]()
    with suppress(*databases.READ_ERRORS):
        for row in source.execute("SELECT * FROM game"):
            with suppress(databases.DamagedFile):
                game = read_game(row)
                if 0 < game.first <= game.last and abs(game.at) < MAX_TIME:
                    stated[game.id] = game
    target.execute("BEGIN IMMEDIATE")
    for row in _readable_rows(source, most):
        n, id = row[0], row[2]
        seen[id] = max(n, seen.get(id, 0))
        with suppress(databases.DamagedFile):
            games[id] = add_row(games.get(id), row)
            target.execute(file.INSERT_LINE, row)
    lost = [game for id, game in stated.items() if id not in games]
    for id, game in list(games.items()):
        if _is_cut_short(game, stated.get(id), seen[id]):
            target.execute("DELETE FROM line WHERE id = ?", (id,))
            lost.append(stated.get(id, games.pop(id)))
    kept = list(games.values())
    target.executemany(file.INSERT_GAME, map(game_row, kept))
    target.execute("COMMIT")
    return Repair(kept, sorted(lost, key=lambda game: game.first), not kept and not lost)


def _readable_rows(disk: sqlite3.Connection, most: int) -> Iterator[databases.Row]:
    """Yield the rows in order. At an unreadable one, of at most `most`, read backwards to it, then
    begin again at the next readable number."""
    last = at = 0
    for _ in range(most):
        try:
            first = disk.execute("SELECT min(n) FROM line WHERE n > ?", (at,)).fetchone()[0]
            if at > last:
                yield from _read_back(disk, last, MAX_NUMBER if first is None else first)
                last = at
            before = at
            for row in disk.execute("SELECT * FROM line WHERE n > ? ORDER BY n", (at,)):
                yield row
                if row[0] > before:  # No larger number follows on a damaged one.
                    last = at = max(at, before)
                before = row[0]
        except databases.READ_ERRORS:
            at += 1
        else:
            return


def _read_back(disk: sqlite3.Connection, after: int, before: int) -> list[databases.Row]:
    """Return the rows between these numbers that are readable from behind, in order."""
    rows = list[databases.Row]()
    between = "SELECT * FROM line WHERE n > ? AND n < ? ORDER BY n DESC"
    with suppress(*databases.READ_ERRORS):
        for row in disk.execute(between, (after, before)):
            rows.append(row)
    return rows[::-1]


def _is_cut_short(game: StoredGame, stated: StoredGame | None, seen: int) -> bool:
    """Return whether a game went on beyond its last sound line, up to the number that was seen.

    A row of another game whose id was hit looks like that, so the chain decides where it can; one
    damaged fact in the table of games does not say so.
    """
    if stated is None or stated.chain == game.chain:
        return stated is None and seen > game.last
    return seen > game.last or (stated.last, stated.lines) != (game.last, game.lines)


def _copy_from_backup(
    folder: Path, target: sqlite3.Connection, found: Repair, room: Path
) -> Repair:
    """Copy lost games from the newest sound backup if they have the same end there; if the journal
    is unreadable, copy all finished ones."""
    backup, journal = _unpack_newest(folder, room)
    if journal is None:
        return found
    lost, back = {game.id: game for game in found.lost}, list[StoredGame]()
    with closing(databases.connect_read_only(journal)) as source:
        target.execute("BEGIN IMMEDIATE")
        for game in file.read_games(source).values():
            if game == lost.get(game.id) or (found.is_unreadable and game.is_over):
                target.executemany(file.INSERT_LINE, file.read_rows(source, game))
                target.execute(file.INSERT_GAME, game_row(game))
                back.append(game)
        target.execute("COMMIT")
    left = [game for game in found.lost if game not in back]
    return found._replace(sound=found.sound + back, lost=left, backup=backup)


def _unpack_newest(folder: Path, room: Path) -> tuple[str, Path | None]:
    """Unpack the journal of the newest backup that is sound; return the backup's name as well."""
    for packed in sorted(folder.glob("companion-*.zip"), reverse=True):
        with suppress(OSError, zipfile.BadZipFile, zlib.error, KeyError, Malformed, JournalFailed):
            with zipfile.ZipFile(packed) as archive:
                journal = Path(archive.extract(JOURNAL, room / "backup"))
            file.check_file(journal)
            return packed.name, journal
    return "", None


def swap_in(path: Path) -> str:
    """Put a repaired journal, if there is one, in place of the old one, which is kept with its log
    under a dated name; return that name.

    The power may fail at any point here: the next opening goes on from there.
    """
    new = path.with_name(path.name + ".mended")
    if not new.exists():
        return ""
    kept, n = path.with_name(f"{path.name}.damaged-{date.today()}"), 1
    while kept.exists():
        n += 1
        kept = path.with_name(f"{path.name}.damaged-{date.today()}-{n}")
    for old, other in ((databases.wal_path(path), databases.wal_path(kept)), (path, kept)):
        if old.exists():
            old.replace(other)
    databases.remove_database(path)
    new.replace(path)
    sync_file(path)
    return kept.name


def describe_repair(repair: Repair) -> list[Message]:
    """Return the public sentence on a repair."""
    named = [f"{datetime.fromtimestamp(game.at):%Y-%m-%d} ({game.id})" for game in repair.lost]
    named = [*named[:MOST_NAMED], *["…"] * (len(named) > MOST_NAMED)]
    if repair.is_unreadable:
        text = "The journal could not be read; the damaged file is kept as {kept}."
    elif not named:
        text = "The journal was damaged, but no game is lost; the damaged file is kept as {kept}."
    else:
        text = (
            "The journal was damaged. These games are lost: {several}; all others are sound, and"
            " the damaged file is kept as {kept}."
        )
    told = [message(text, several=named, kept=repair.kept)]
    own = [game for game in (*repair.sound, *repair.lost) if not game.imported]
    newest = max(own, key=lambda game: game.last, default=None)
    if repair.is_unreadable or newest in repair.lost:
        text = "The game that was played last cannot go on, and there is no sound backup."
        if repair.backup:
            text = (
                "The game that was played last cannot go on. The newest sound state is the backup"
                " {name}."
            )
        told.append(message(text, name=repair.backup))
    return told
