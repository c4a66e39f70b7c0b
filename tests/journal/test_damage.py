"""A damaged journal: what was hit is named, all else is there, and tonight's game goes on."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.backup.archive import write_backup
from companion.core.events import Sealed, to_json
from companion.core.i18n import get_language
from companion.journal import Journal, JournalEntry, JournalLine
from companion.journal.repair import _read_back
from tests.worlds.campaign import pick
from tests.worlds.journal_lines import append

# A journal of a few finished games and one that is open, and damage to its files.

PAGE = 4096
HEAD = 15
"""Bytes of a row before its first column: length, number, and the types of ten columns."""
OPEN = "open-game"
BACKUP = "backups/companion-2026-11-28.zip"


class Files(NamedTuple):
    """The bytes of a journal and of the log beside it."""

    db: bytes
    wal: bytes


class Written(NamedTuple):
    """A journal as it lies on disk, and what was acknowledged."""

    files: Files
    games: dict[str, list[JournalLine]]
    backup: bytes
    """A backup that was made half through the open game."""

    def hit_games(self, damaged: Files) -> set[str]:
        """The games of which a row lies in no page that is as it was."""
        sound = {*pages_of(self.files)} & {*pages_of(damaged)}
        is_there = lambda line: any(bytes(line.event) in page for page in sound)  # noqa: E731
        return {id for id, lines in self.games.items() if not all(map(is_there, lines))}


def pages_of(files: Files) -> Iterator[bytes]:
    """Yield the pages of the file and of the log."""
    for data, first, head in ((files.db, 0, 0), (files.wal, 32, 24)):
        for at in range(first, len(data), head + PAGE):
            yield data[at + head : at + head + PAGE]


def write_journal(
    folder: Path, games: int = 12, lines: int = 40, closed: bool = False, seed: int = 1
) -> Written:
    """Write finished games and an open one; the files are copied while it is open, or after it was
    closed."""
    folder.mkdir(parents=True, exist_ok=True)
    path, random, told = folder / "journal.sqlite3", Random(seed), dict[str, list[JournalLine]]()
    with closing(Journal(path)) as journal:
        for n, id in enumerate([*(f"game-{n}" for n in range(games)), OPEN]):
            for k in range(lines):
                event = to_json(Sealed(k % 5 + 1, f"{random.getrandbits(256):064x}"))
                at, key = 1000.25 + 1000 * n + k, f"key {n} {k} {random.getrandbits(64):016x}"
                moment = "bankueberfall", id, at, f"phone {k % 5}", event
                is_last = k == lines - 1 and id != OPEN
                journal.append_all([JournalEntry(moment, key)], is_last)
                if id == OPEN and k == lines // 2:
                    write_backup(folder, None, folder / BACKUP)
            told[id] = journal.read_lines(id)
        files = Files(path.read_bytes(), path.with_name(path.name + "-wal").read_bytes())
    files = Files(path.read_bytes(), b"") if closed else files
    return Written(files, told, (folder / BACKUP).read_bytes())


def lay_out(folder: Path, files: Files, backup: bytes = b"") -> Path:
    """Make the folder hold these files and nothing else; return the path of the journal."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "journal.sqlite3"
    path.write_bytes(files.db)
    if backup:
        (folder / BACKUP).parent.mkdir()
        (folder / BACKUP).write_bytes(backup)
    if files.wal:
        path.with_name(path.name + "-wal").write_bytes(files.wal)
    return path


class Seen(NamedTuple):
    """What a damaged journal shows once it is open and every game was verified."""

    games: dict[str, list[JournalLine]]
    notices: list[str]
    open_at_start: bool
    """Whether the open game could be read at once."""


def see(path: Path) -> Seen:
    """Open a journal as a start does, and verify all of it as an idle table does."""
    with closing(Journal(path)) as journal:
        open_at_start = journal.newest_game() == OPEN and bool(journal.read_lines(OPEN))
        while not journal.check_next():
            pass
        told = {game.id: journal.read_lines(game.id) for game in journal.list_games()}
        append(journal, "bankueberfall", "next", 9e4, "table", to_json(Sealed(1, "0" * 64)))
        notices = [get_language("en")(notice) for notice in journal.notices]
        return Seen(told, notices, open_at_start)


def damages(files: Files, where: str, random: Random) -> Iterator[Files]:
    """Yield the same files, damaged anywhere in one of them: bits, pages and ends in turn."""
    whole = getattr(files, where)
    while True:
        for kind in ("bit", "page", "cut"):
            data = bytearray(whole)
            if kind == "bit":
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
            elif kind == "page":
                at = random.randrange(len(data) // PAGE) * PAGE
                data[at : at + PAGE] = bytes(PAGE)
            else:
                del data[random.randrange(len(data)) :]
            yield files._replace(**{where: bytes(data)})


NEWEST = "ewest sound state"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """A journal as it lies there while it is open: the open game in the log, the others not."""
    return write_journal(tmp_path_factory.mktemp("open"))


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The same after it was closed: all games in one file."""
    return write_journal(tmp_path_factory.mktemp("closed"), closed=True)


def test_damage_outside_the_open_game_costs_only_the_games_that_it_hit(
    written: Written, tmp_path: Path
) -> None:
    found, told = damages(written.files, "db", Random(1)), 0
    for _ in range(pick(12, 60, 300)):
        damaged = next(found)
        hit, seen = written.hit_games(damaged), see(lay_out(tmp_path / "x", damaged))
        lost = {id for id, lines in written.games.items() if seen.games.get(id) != lines}
        assert lost <= hit
        assert seen.open_at_start
        assert seen.notices or not lost
        told += bool(lost)
    assert told >= 6


def test_a_row_that_cannot_be_read_costs_no_other_game_of_its_page(tmp_path: Path) -> None:
    """A search meets the middle row of a page first, so what lies after it is read from behind."""
    whole = write_journal(tmp_path / "few", games=6, lines=2, closed=True)
    for id in whole.games.keys() - {OPEN}:
        data = whole.files.db
        event = data.index(bytes(whole.games[id][0].event))
        row = data.rindex(b"bankueberfall" + id.encode(), 0, event) - HEAD
        damaged = data[:row] + b"\xff" * 9 + data[row + 9 :]
        seen = see(lay_out(tmp_path / "x", Files(damaged, b"")))
        assert whole.games.keys() - seen.games.keys() == {id}


def test_rows_that_are_read_from_behind_come_in_order(closed: Written, tmp_path: Path) -> None:
    with closing(sqlite3.connect(lay_out(tmp_path / "x", closed.files))) as disk:
        assert [row[0] for row in _read_back(disk, 3, 8)] == [4, 5, 6, 7]


def test_damage_inside_the_open_game_is_told_with_the_newest_sound_state(
    written: Written, closed: Written, tmp_path: Path
) -> None:
    for whole, where in ((written, "wal"), (closed, "db")):
        found, hits = damages(whole.files, where, Random(2)), 0
        while hits < pick(5, 20, 100):
            seen = see(lay_out(tmp_path / "x", next(found), whole.backup))
            kept = seen.games.get(OPEN, [])
            if kept != whole.games[OPEN]:
                hits += 1
                assert any(NEWEST in notice for notice in seen.notices)
                assert kept == whole.games[OPEN][: len(kept)]


def test_a_page_of_the_file_costs_no_game_that_the_backup_holds(
    closed: Written, tmp_path: Path
) -> None:
    """Not even the page that leads to all others; what is not in the backup is named."""
    data, told = closed.files.db, 0
    pages = range(0, len(data), PAGE)
    for at in pages[:: pick(4, 1, 1)]:
        damaged = Files(data[:at] + bytes(PAGE) + data[at + PAGE :], b"")
        seen = see(lay_out(tmp_path / "x", damaged, closed.backup))
        lost = {id for id, lines in closed.games.items() if seen.games.get(id) != lines}
        assert lost <= {OPEN}
        assert not any(f"({id})" in said for id in {*seen.games} - lost for said in seen.notices)
        assert any(NEWEST in notice for notice in seen.notices) or not lost
        told += bool(seen.notices)
    assert told >= len(pages[:: pick(4, 1, 1)]) // 2


@pytest.mark.parametrize("damage", [lambda _: b"", lambda data: b"\xff" * len(data)])
def test_of_a_file_that_cannot_be_read_the_backup_is_there_again(
    closed: Written, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    damaged = Files(damage(closed.files.db), b"")
    path = lay_out(tmp_path / "x", damaged, closed.backup)
    seen = see(path)
    unread, newest = seen.notices
    assert unread.startswith("The journal could not be read; ")
    assert newest.endswith(f"The newest sound state is the backup {Path(BACKUP).name}.")
    assert {id: seen.games.get(id) for id in closed.games} == closed.games | {OPEN: None}
    kept = unread.rpartition(" ")[2].rstrip(".")
    assert (path.parent / kept).read_bytes() == damaged.db


def test_a_lost_game_is_named_whatever_its_time_says(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with closing(Journal(path)) as journal:
        append(journal, "bankueberfall", "g1", 1e3, "table", to_json(Sealed(1, "0" * 64)))
        append(journal, "bankueberfall", "g2", 2e3, "table", to_json(Sealed(1, "0" * 64)))
    with closing(sqlite3.connect(path)) as disk, disk:
        disk.execute("UPDATE game SET at = -9e10 WHERE id = 'g1'")
        disk.execute("UPDATE line SET via = '' WHERE id = 'g1'")
    seen = see(path)
    assert [*seen.games] == ["g2"]
    assert "damaged" in seen.notices[0]


def test_a_bit_of_the_table_of_games_keeps_no_table_down(tmp_path: Path) -> None:
    told = write_journal(tmp_path / "one", games=1, lines=3, closed=True)
    db = told.files.db
    page = len(db) - PAGE
    row = page + int.from_bytes(db[page + 8 : page + 10], "big")
    for at in (*range(page, page + 8), *range(row, row + HEAD)):
        for bit in range(pick(1, 8, 8)):
            damaged = bytearray(db)
            damaged[at] ^= 1 << bit
            seen = see(lay_out(tmp_path / "x", Files(bytes(damaged), b"")))
            assert all(lines == told.games[id] for id, lines in seen.games.items())


@pytest.mark.parametrize("ask", [lambda it: it.find_request("key"), Journal.first_events])
def test_an_event_that_is_no_text_is_damage(tmp_path: Path, ask: Callable[[Journal], Any]) -> None:
    told = write_journal(tmp_path / "one", games=1, lines=3, closed=True)
    [first, *_] = told.games["game-0"]
    at = told.files.db.index(bytes(first.event)) - len("bankueberfall" + first.id + first.via) - 8
    types = told.files.db.rindex(bytes([2 * len(first.via) + 13]), 0, at)
    damaged = bytearray(told.files.db)
    damaged[types + 1] ^= 128
    path = lay_out(tmp_path / "x", Files(bytes(damaged), b""))
    with closing(Journal(path)) as journal:
        ask(journal)
        assert not journal.has_game("game-0")
        assert journal.notices
