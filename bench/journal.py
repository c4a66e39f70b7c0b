"""The journal: opening it after many games, with and without a pulled plug, and writing a line.

These are waits, not work: they are measured by the clock on the wall, beside a bare SQLite on the
same disk in the same run.
"""

import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import msgspec

from bench.measure import Figure
from companion.core.events import to_json
from companion.journal import Journal
from tests.worlds.rulebook_players import Dice, Evening

GAMES = 200
PLAYED = 20
"""So many are played; the others are these again, by other ids."""
LINES = 400
RUNS = 5


def figures() -> Iterator[Figure]:
    """Measure opening a journal, and writing a line."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "journal.sqlite3"
        lines = _play_games(path)
        bare = min(_wall_seconds(lambda: _open_bare_database(path)) for _ in range(RUNS))
        opening = min(_wall_seconds(lambda: Journal(path).close()) for _ in range(RUNS))
        what = f"a journal of {GAMES} games, {lines:,} lines, open"
        yield Figure(what, opening, "s", 1.0, False, "a bare opening", opening / bare)
        ours, peers = (
            _seconds_per_line(path, folder / "plug"),
            bare_seconds_per_line(folder / "bare.sqlite3"),
        )
        pulled = _wall_seconds(lambda: Journal(folder / "plug" / path.name))
        what = "… open after a pulled plug"
        yield Figure(what, pulled, "s", 1.0, False, "a bare opening", pulled / bare)
        what = "a line acknowledged and durable, p50"
        yield Figure(what, ours * 1000, "ms", 5.0, False, "a bare insert", ours / peers)


def _play_games(path: Path) -> int:
    names = ("bankueberfall", "banque_fatale", "robby_solo")
    games = [Evening(names[n % 3], Dice(Random(n)), 3 + n % 2) for n in range(PLAYED)]
    for game in games:
        game.play()
    lines = 0
    with closing(Journal(path)) as journal:
        for n in range(GAMES):
            game = games[n % PLAYED]
            id = f"game-{n}"
            told = [msgspec.structs.replace(game.events[0], id=id), *game.events[1:]]
            name = game.rules.box.game
            journal.import_game(
                (name, id, 1e9 + lines + k, "phone 1", to_json(e)) for k, e in enumerate(told)
            )
            lines += len(told)
    return lines


def _wall_seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _open_bare_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as disk:
        disk.execute("SELECT * FROM line ORDER BY n DESC LIMIT 1").fetchone()


def _seconds_per_line(path: Path, plug: Path) -> float:
    """Return the seconds a line; the files at the end are copied as after a power cut."""
    event = b'{"event":"sealed","seat":1,"seal":"%s"}' % (b"a" * 64)
    with closing(Journal(path)) as journal:
        took = [
            _wall_seconds(
                partial(journal.append, "bankueberfall", "now", 2e9 + n, "phone 1", event, f"k{n}")
            )
            for n in range(LINES)
        ]
        plug.mkdir()
        for name in (path.name, path.name + "-wal"):
            shutil.copy(path.with_name(name), plug / name)
    return statistics.median(took)


def bare_seconds_per_line(path: Path) -> float:
    with closing(sqlite3.connect(path, isolation_level=None)) as disk:
        disk.execute("PRAGMA journal_mode=WAL")
        disk.execute("PRAGMA synchronous=FULL")
        disk.execute("CREATE TABLE line (n INTEGER PRIMARY KEY, text)")
        insert = "INSERT INTO line (text) VALUES (?)"
        took = [_wall_seconds(lambda: disk.execute(insert, ("x" * 300,))) for _ in range(LINES)]
    return statistics.median(took)
