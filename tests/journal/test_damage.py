"""A damaged journal: what was hit is named, all else is there, and tonight's game goes on."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.worlds.campaign import pick
from tests.worlds.journal_damage import (
    BACKUP,
    OPEN,
    PAGE,
    Files,
    Written,
    damages,
    lay_out,
    see,
    write_journal,
)

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
    assert not damaged.db or list(path.parent.glob("journal.sqlite3.damaged-*"))
