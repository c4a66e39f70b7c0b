"""Salvage: whatever happens to the files, every sound line is there, and what is lost is said."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.journal import Journal
from tests.worlds.campaign import pick
from tests.worlds.journal_damage import FRAME, Files, cuts, flipped, judge, opened, written


@pytest.fixture(scope="module")
def torn(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A journal as a pulled plug leaves it: all of it in the log."""
    return written(tmp_path_factory.mktemp("torn"), games=2, lines=20)


@pytest.fixture(scope="module")
def shut(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A journal that was closed: all of it in the file."""
    return written(tmp_path_factory.mktemp("shut"), closed=True)


def test_the_rows_are_written_as_the_test_thinks(torn: Files, shut: Files) -> None:
    for files in (torn, shut):
        assert files.survivors() == {line.n for line in files.lines}
    assert len(torn.wal) > 40 * FRAME
    assert not shut.wal


def test_a_log_cut_anywhere_in_its_last_writes_keeps_every_whole_line(
    tmp_path: Path, torn: Files
) -> None:
    lost_in_all = set()
    for cut in cuts(torn, "wal", 5 * FRAME, pick(2406, 401, 101)):
        files = torn._replace(wal=torn.wal[:cut])
        seen = opened(tmp_path / "cut", files)
        lost = judge(torn, files, seen)
        assert lost == {line.n for line in torn.lines} - files.survivors()
        assert set(seen.keys.values()) == {line.n for line in seen.lines}, "a key was lost"
        if (cut - 32) % FRAME:
            assert len(seen.notices) == 1, f"nothing is said of a cut at {cut}"
        lost_in_all.add(len(lost))
    assert lost_in_all >= {0, 1, 2}


def test_a_line_that_was_not_written_to_its_end_does_not_come_back_without_its_key(
    tmp_path: Path, torn: Files
) -> None:
    hashed, whole = torn.images[-1]
    begin = torn.wal.rfind(whole)
    for cut in range(begin + len(hashed) - 40, begin + len(whole), pick(16, 4, 1)):
        less = torn._replace(wal=torn.wal[:cut] + bytes(len(torn.wal) - cut))
        seen = opened(tmp_path / "cut", less)
        assert judge(torn, less, seen) == {len(torn.lines)}
        assert set(seen.keys.values()) == {line.n for line in seen.lines}
        assert not any("by hand" in notice for notice in seen.notices)


def test_a_file_cut_anywhere_at_its_end_keeps_every_whole_line(tmp_path: Path, shut: Files) -> None:
    lost_in_all = set()
    for cut in cuts(shut, "db", 8 * 4096, pick(4854, 809, 101)):
        files = shut._replace(db=shut.db[:cut])
        seen = opened(tmp_path / "cut", files)
        lost = judge(shut, files, seen)
        assert len(seen.notices) == 1, f"nothing is said of a cut at {cut}"
        lost_in_all.add(len(lost))
    assert len(lost_in_all) > 5


@pytest.mark.parametrize("where", ["wal", "db"])
def test_a_flipped_bit_costs_no_more_than_the_line_it_hits(
    tmp_path: Path, torn: Files, shut: Files, where: str
) -> None:
    files = torn if where == "wal" else shut
    random = Random(7)
    harmed = 0
    for _ in range(pick(30, 110, 2000)):
        bit = random.randrange(8 * len(getattr(files, where)))
        hurt = flipped(files, where, bit)
        seen = opened(tmp_path / "flip", hurt)
        lost = judge(files, hurt, seen)
        assert len(lost) <= 1
        assert seen.notices or not lost
        harmed += bool(seen.notices)
    assert harmed > 10


@pytest.mark.parametrize("byte", [*range(0, 28), *range(40, 72), 100, 101, 103, 104, 105, 108])
def test_a_broken_head_costs_nothing(tmp_path: Path, shut: Files, byte: int) -> None:
    data = bytearray(shut.db)
    data[byte] ^= 0x41
    seen = opened(tmp_path / "head", shut._replace(db=bytes(data)))
    assert seen.lines == shut.lines


@pytest.mark.parametrize("first", [0, 16, 4096, 8192])
def test_a_hole_in_the_file_costs_what_was_in_it(tmp_path: Path, shut: Files, first: int) -> None:
    data = shut.db[:first] + bytes(4096) + shut.db[first + 4096 :]
    files = shut._replace(db=data)
    seen = opened(tmp_path / "hole", files)
    judge(shut, files, seen)
    assert {line.n for line in seen.lines} == files.survivors()
    assert len(seen.notices) == 1


def test_a_file_that_is_gone_is_had_from_its_log(tmp_path: Path, torn: Files) -> None:
    seen = opened(tmp_path / "gone", torn._replace(db=b""))
    assert seen.lines == torn.lines
    assert len(seen.notices) == 1


def test_keys_and_tags_are_salvaged_with_the_lines(tmp_path: Path, torn: Files) -> None:
    seen = opened(tmp_path / "keys", torn._replace(db=b""))
    assert seen.keys == {f"key {k // 20} {k % 20}": k + 1 for k in range(40)}


@pytest.mark.parametrize("where", ["db", "wal"])
def test_a_read_only_open_shows_the_salvaged_lines_and_changes_nothing(
    where: str, tmp_path: Path
) -> None:
    files, random = written(tmp_path, 2, 20, closed=False), Random(7)
    size = 8 * len(getattr(files, where))
    for _ in range(pick(10, 60, 600)):
        bent = flipped(files, where, random.randrange(size))
        path = tmp_path / "looked.sqlite3"
        path.write_bytes(bent.db)
        path.with_name(path.name + "-wal").write_bytes(bent.wal)
        with closing(Journal(path, read_only=True)) as looking:
            seen, notices = list(looking.read_lines()), looking.notices
        assert path.read_bytes() == bent.db
        assert path.with_name(path.name + "-wal").read_bytes() == bent.wal
        told = opened(tmp_path / "opened", bent)
        assert seen == told.lines
        assert bool(notices) == any(
            "damaged:" in said or "by hand" in said for said in told.notices
        )
