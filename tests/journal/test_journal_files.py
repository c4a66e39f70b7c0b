"""Journals and the disk they lie on: other people's files, older ones, failing disks."""

import errno
import os
import shutil
import sqlite3
import stat
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from companion.core.errors import Malformed
from companion.core.events import Passed, to_json
from companion.core.i18n import get_language
from companion.journal import Journal, JournalEntry, JournalFailed
from companion.journal.file import APPLICATION_ID, SCHEMA_VERSION
from tests.worlds.campaign import pick
from tests.worlds.failing_disk import FailingDisk, Fault
from tests.worlds.journal_lines import append, every_line

PASSED = to_json(Passed(1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.sqlite3"


def put(journal: Journal, n: int = 1) -> None:
    for _ in range(n):
        append(journal, "bankueberfall", "g1", 5.0, "phone 1", PASSED)


def count(path: Path) -> int:
    with closing(Journal(path)) as journal:
        assert journal.notices == []
        return len(every_line(journal))


def left_alone(path: Path) -> str:
    """The file is refused in one sentence, and nothing is written beside it but the lock."""
    before, beside = (
        path.read_bytes(),
        {*path.parent.iterdir(), path.with_name(f"{path.name}.lock")},
    )
    with pytest.raises(Malformed) as caught:
        Journal(path)
    assert path.read_bytes() == before
    assert {*path.parent.iterdir()} <= beside
    return str(caught.value)


def test_journal_files_are_readable_by_their_owner_only(path: Path) -> None:
    with closing(Journal(path)) as journal:
        put(journal)
        for file in path.parent.glob("evening.sqlite3*"):
            assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0 or file.name.endswith(".lock")


# Files that are not ours.


@pytest.mark.parametrize("version", [1, SCHEMA_VERSION - 1, SCHEMA_VERSION + 1])
def test_a_journal_of_another_format_is_left_alone(path: Path, version: int) -> None:
    with closing(sqlite3.connect(path)) as disk:
        disk.execute(f"PRAGMA user_version = {version}")
        disk.execute(f"PRAGMA application_id = {APPLICATION_ID + version}")
    assert left_alone(path).startswith(f"The data folder {path.parent} was made by another ")


@pytest.mark.parametrize("text", [b"Dear diary, " * 200, b"x", b"SQLite format 3\0" + b"x" * 5000])
def test_a_file_that_is_no_journal_is_left_alone(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    assert left_alone(path).startswith("evening.sqlite3 cannot be used")


def test_a_second_companion_is_refused_until_the_first_is_gone(path: Path) -> None:
    with closing(Journal(path)) as first:
        with pytest.raises(Malformed, match="is open already: one companion at a time"):
            Journal(path)
        put(first)
    assert count(path) == 1


# Interrupted repair.


def test_a_repair_that_was_interrupted_is_finished(path: Path) -> None:
    with closing(Journal(path)) as journal:
        put(journal, 3)
    whole = path.read_bytes()
    path.with_name(path.name + ".mended").write_bytes(whole)
    path.write_bytes(whole[:5000])
    path.with_name(path.name + "-wal").write_bytes(b"what is left of a log")
    half = path.with_name(path.name + ".mending")
    half.mkdir()
    (half / "journal.sqlite3").write_bytes(b"half of another one")
    assert count(path) == 3
    kept = path.with_name(f"{path.name}.damaged-{date.today()}")
    assert kept.read_bytes() == whole[:5000]
    assert kept.with_name(kept.name + "-wal").exists()


# Full and read-only disks.


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 200 kB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(folder)]
    if os.getuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_can_only_be_read_shows_every_line_and_takes_none(small_disk: Path) -> None:
    path = small_disk / "journal.sqlite3"
    journal = Journal(path)
    put(journal, 5)
    held = [path.read_bytes(), path.with_name(path.name + "-wal").read_bytes()]
    journal.close()
    path.write_bytes(held[0])
    path.with_name(path.name + "-wal").write_bytes(held[1])  # as after a pulled plug
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with closing(Journal(path)) as journal:
        assert journal.fault is not None
        said = get_language("en")(journal.fault)
        assert said == "The disk can only be read: nothing can be written."
        assert len(journal.read_lines("g1")) == 5
        assert (journal.has_game("g1"), journal.newest_game(), journal.check_next()) == (
            True,
            "g1",
            True,
        )
        with pytest.raises(JournalFailed) as caught:
            put(journal)
        assert caught.value.say == journal.fault
    with pytest.raises(Malformed, match="cannot be used"):
        Journal(small_disk / "none.sqlite3")


NO_FAULT = Fault(0, 0)


@pytest.fixture
def start(tmp_path: Path) -> Path:
    """A journal of an open game, as a killed companion leaves it."""
    (tmp_path / "here").mkdir()
    with closing(Journal(tmp_path / "here/journal.sqlite3")) as journal:
        assert [write(journal, n) for n in range(3)] == ["granted"] * 3
        shutil.copytree(tmp_path / "here", tmp_path / "start")
    return tmp_path / "start"


def write(journal: Journal, n: int, is_over: bool = False) -> str:
    moment = "bankueberfall", "evening", 1000.0 + n, "phone 1", to_json(Passed(1))
    try:
        journal.append_all([JournalEntry(moment, f"key {n}")], is_over)
    except JournalFailed:
        return "refused"
    return "granted"


def play(folder: Path, answers: dict[int, str]) -> None:
    """Open a journal and write two lines, the second of which ends the game; note the answers."""
    with closing(Journal(folder / "journal.sqlite3")) as journal:
        for n in (3, 4):
            answers[n] = write(journal, n, is_over=n == 4)


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("lasting", [False, True])
def test_what_is_granted_is_kept_wherever_the_disk_fails(
    start: Path, error: int, lasting: bool
) -> None:
    disk, case = FailingDisk(start.with_name("case")), start.with_name("case")
    disk.require()
    shutil.copytree(start, case)
    calls, counts = disk.run(lambda: play(case, {}), NO_FAULT), Counter[str]()
    assert calls >= 8
    for at in range(1, calls + 1, pick(2, 1, 1)):
        shutil.rmtree(case)
        shutil.copytree(start, case)
        answers = dict[int, str]()
        disk.run(lambda: play(case, answers), Fault(at, error, lasting))  # noqa: B023  Run at once.
        with closing(Journal(case / "journal.sqlite3")) as journal:
            keys = [line.key for line in journal.read_lines("evening")]
            assert lasting or journal.notices == []
        kept = {n for n in (3, 4) if f"key {n}" in keys}
        granted = {n for n, said in answers.items() if said == "granted"}
        assert keys[:3] == [f"key {n}" for n in range(3)]
        assert len(keys) == len(set(keys))
        assert granted <= kept, f"call {at}: granted and not kept"
        assert lasting or kept == granted, f"call {at}: refused and kept"
        counts.update(answers.values())
    assert counts["granted"] >= 1
    assert counts["refused"] >= 1
