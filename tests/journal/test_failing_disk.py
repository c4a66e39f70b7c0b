"""The disk fails at every call of an append: what is granted is kept, and nothing is doubled."""

import errno
import shutil
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.events import Passed, to_json
from companion.journal import Journal, JournalEntry, JournalFailed
from tests.worlds.campaign import pick
from tests.worlds.failing_disk import FailingDisk, Fault

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
