"""What a floor keeps of its tables' evenings: games that are over, and how their readers do.

Laws: a game is kept once, however often it is told, also by a table that has another id by now or
was restored from the backup of another; when it ended is counted by the clock of the
floor, no earlier than the table was asked before, because a table has no sure clock. What a table
told is asked for from its last line on, so that nothing is lost while floor or network were away.
Nothing here is about a person. What is older than KEPT_DAYS is dropped.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from companion.floor.played import PlayedEvening, ToldGame

FILE = "evening.sqlite3"
KEPT_DAYS = 400
DAY = 86_400.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, line INTEGER NOT NULL, asked REAL NOT NULL,
    uptime REAL NOT NULL, counts TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (
    tables TEXT NOT NULL, id TEXT NOT NULL, game TEXT NOT NULL, title TEXT NOT NULL,
    ended REAL NOT NULL, seconds REAL NOT NULL, seats INTEGER NOT NULL, judge INTEGER NOT NULL,
    put_right INTEGER NOT NULL, cut_short INTEGER NOT NULL, PRIMARY KEY (tables, id));
CREATE INDEX IF NOT EXISTS games_by_time ON games (ended);
CREATE INDEX IF NOT EXISTS games_by_id ON games (id);
CREATE TABLE IF NOT EXISTS readers (
    tables TEXT NOT NULL, day INTEGER NOT NULL, place INTEGER NOT NULL, seconds REAL NOT NULL,
    retries INTEGER NOT NULL, PRIMARY KEY (tables, day, place));
"""


class EveningGame(msgspec.Struct, frozen=True):
    """A game as it is kept: `ended` by the clock of the floor."""

    table: str
    name: str
    game: str
    title: str
    ended: float
    seconds: float
    seats: int
    judge_called: int
    put_right: int
    is_cut_short: bool


class KeptReader(msgspec.Struct, frozen=True):
    """The retries of one reader on one day of the floor, and for how long it was listened to."""

    table: str
    name: str
    day: int
    place: int
    seconds: float
    retries: int


class EveningStore:
    """The file of a floor's evenings; written on one thread, read on any by `read_evenings`."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._file = sqlite3.connect(self.path, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.executescript(SCHEMA)

    def line_of(self, table: str) -> int:
        """Return the line of a table's journal up to which its games are kept."""
        row = self._file.execute("SELECT line FROM tables WHERE id = ?", (table,)).fetchone()
        return int(row[0]) if row else 0

    def take(self, table: str, name: str, told: PlayedEvening, now: float, day: int) -> bool:
        """Keep what a table told; return whether the disk took it. Otherwise it is asked again."""
        try:
            with self._file:
                self._file.execute("BEGIN IMMEDIATE")
                self._write_evening(table, name, told, now, day)
        except sqlite3.OperationalError:
            return False
        return True

    def _write_evening(
        self, table: str, name: str, told: PlayedEvening, now: float, day: int
    ) -> None:
        known = "SELECT asked, uptime, counts, line FROM tables WHERE id = ?"
        row = self._file.execute(known, (table,)).fetchone()
        asked, uptime, counts, line = row or (0.0, 0.0, "{}", 0)
        self._file.executemany(
            "INSERT INTO games SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE NOT EXISTS"
            " (SELECT 1 FROM games WHERE id = ?2 AND tables <> ?1) ON CONFLICT DO UPDATE SET"
            " seconds = excluded.seconds, judge = excluded.judge,"
            " put_right = excluded.put_right, cut_short = excluded.cut_short",
            [_game_row(table, game, min(asked, now), now) for game in told.games],
        )
        before = msgspec.json.decode(counts, type=dict[int, int])
        is_same_run = told.uptime >= uptime
        listened = told.uptime - (uptime if is_same_run else 0.0)
        for each in told.readers if listened > 0 else ():
            more = each.retries - (before.get(each.place, 0) if is_same_run else 0)
            self._file.execute(
                "INSERT INTO readers VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " seconds = seconds + excluded.seconds, retries = retries + excluded.retries",
                (table, day, each.place, listened, max(0, more)),
            )
        now_counted = {each.place: each.retries for each in told.readers} or before
        line = max((game.line for game in told.games), default=min(line, told.line))
        # What is still to be told may have ended before this: only the last answer moves the time.
        self._file.execute(
            "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?)",
            (table, name, line, asked if told.has_more else now, told.uptime,
             msgspec.json.encode(now_counted).decode()),
        )  # fmt: skip

    def drop_old(self, now: float, day: int) -> None:
        """Drop what is older than KEPT_DAYS."""
        with suppress(sqlite3.OperationalError):
            self._file.execute("DELETE FROM games WHERE ended < ?", (now - KEPT_DAYS * DAY,))
            self._file.execute("DELETE FROM readers WHERE day < ?", (day - KEPT_DAYS,))

    def close(self) -> None:
        self._file.close()


def _game_row(table: str, game: ToldGame, asked: float, now: float) -> tuple[object, ...]:
    ended = min(max(now - game.ago, asked), now)
    return (
        table, game.id, game.game, game.title or game.game, ended, game.seconds, game.seats,
        game.judge_called, game.put_right, game.is_cut_short,
    )  # fmt: skip


def read_games(path: Path, since: float) -> Iterator[EveningGame]:
    """Yield every game that ended after this time, the oldest first; on any thread."""
    with closing(sqlite3.connect(path)) as file:
        for row in file.execute(
            "SELECT games.tables, coalesce(name, ''), game, title, ended, seconds, seats, judge,"
            " put_right, cut_short FROM games LEFT JOIN tables ON tables.id = games.tables"
            " WHERE ended >= ? ORDER BY ended",
            (since,),
        ):
            yield EveningGame(*(*row[:9], bool(row[9])))


def read_readers(path: Path, since_day: int) -> Iterator[KeptReader]:
    """Yield the readers of every table, day by day; on any thread."""
    with closing(sqlite3.connect(path)) as file:
        for row in file.execute(
            "SELECT readers.tables, coalesce(name, ''), day, place, seconds, retries FROM readers"
            " LEFT JOIN tables ON tables.id = readers.tables WHERE day >= ?"
            " ORDER BY readers.tables, place, day",
            (since_day,),
        ):
            yield KeptReader(*row)
