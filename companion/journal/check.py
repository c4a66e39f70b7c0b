"""Verify the rows of a journal.

Law: a game leaves here only if each of its rows follows on the one before it and they end where the
table of games says; anything else is damage and raises DamagedFile.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from companion.core.databases import (
    DAMAGED,
    READ_ERRORS,
    DamagedFile,
    Row,
    connect_read_only,
    describe_error,
    is_damage,
)
from companion.core.errors import Malformed
from companion.journal.errors import JournalFailed
from companion.journal.line import StoredGame, add_row, fold_rows
from companion.journal.schema import PAGE_SIZE, check_head, check_tables, read_games, read_head

ROWS_OF_GAME = "SELECT * FROM line WHERE n BETWEEN ? AND ? AND id = ? ORDER BY n"


def read_rows(disk: sqlite3.Connection, game: StoredGame) -> list[Row]:
    """Return the rows of a game; raise DamagedFile unless they come to that very game."""
    rows = disk.execute(ROWS_OF_GAME, (game.first, game.last, game.id)).fetchall()
    if fold_rows(rows) != game:
        raise DamagedFile(f"game {game.id}")
    return rows


def check_newest(disk: sqlite3.Connection, games: Mapping[str, StoredGame]) -> None:
    """Verify the game that was written last: the one that may be open."""
    (last,) = disk.execute("SELECT coalesce(max(n), 0) FROM line").fetchone()
    newest = max(games.values(), key=lambda game: game.last, default=None)
    if last != (0 if newest is None else newest.last):
        raise DamagedFile("end")
    if newest is not None:
        read_rows(disk, newest)


def check_gap(disk: sqlite3.Connection, after: int, before: int) -> None:
    """Raise DamagedFile if there is a line between these two, where no game has any."""
    between = "SELECT 1 FROM line WHERE n > ? AND n < ? LIMIT 1"
    if before - after > 1 and disk.execute(between, (after, before)).fetchone():
        raise DamagedFile(f"line {after + 1}")


def check_file(path: Path) -> None:
    """Verify every row of a file that nothing writes; raise Malformed if it is damaged anywhere, or
    holds more than the pages of a journal. Raise JournalFailed if it cannot be read.

    One row at a time is in memory.
    """
    try:
        head = read_head(path)
        check_head(head)
        if int.from_bytes(head[28:32], "big") * PAGE_SIZE != path.stat().st_size:
            raise DamagedFile("length")
        with closing(connect_read_only(path)) as disk:
            check_tables(disk)
            _check_all(disk)
    except READ_ERRORS as error:
        if not is_damage(error):
            raise JournalFailed(describe_error(error, path.name)) from None
        raise Malformed(path.name, DAMAGED) from None


def _check_all(disk: sqlite3.Connection) -> None:
    games = dict[str, StoredGame]()
    for row in disk.execute("SELECT * FROM line ORDER BY n"):
        games[row[2]] = add_row(games.get(row[2]), row)
    if games != read_games(disk):
        raise DamagedFile("games")
    if disk.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise DamagedFile("pages")
