"""A restore or a backup that is killed anywhere, for good: the old state is left, or the new one.

A real SIGKILL in a process of its own, at every file that it opens to write, moves or removes.
"""

import os
import shutil
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.app.settings import journal_path, prepare_folder
from companion.backup.restore import finish_restore
from companion.journal import Journal
from companion.seating.identity import IDENTITY_FILE, IdentityStore
from tests.backup.test_backup_and_restore import backed_up, config, games, main, put, restore, table

TOUCHES = {
    "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "sqlite3.connect",
}  # fmt: skip
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def killed(run: Callable[[], object], at: int) -> bool:
    """Whether this was killed at its so-many-th touch of a file, before it came to its end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Threads of the test runner, not ours.
        child = os.fork()
    if not child:
        try:
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            _kill_at(at)
            os._exit(int(bool(run())))
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def _kill_at(at: int) -> None:
    left = at

    def hook(event: str, facts: tuple[Any, ...]) -> None:
        nonlocal left
        if event in TOUCHES or (event == "open" and facts[2] & WRITES):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def every_touch(start: Path, run: Callable[[Path], object], first: int = 0) -> Iterator[Path]:
    """The room as it was left by each kill, one after the other, until none comes."""
    room = start.with_name("killed")
    for at in range(first, 500):
        shutil.rmtree(room, ignore_errors=True)
        shutil.copytree(start, room)
        if not killed(lambda: run(room), at):
            assert at > 10, "it touches a good many files"
            return
        yield room


State = tuple[dict[str, int], str, set[int]]


def state(room: Path) -> State:
    """Return the files that a restore changes, but for the config."""
    data = room / "data"
    deck = (data / "decks/bankueberfall.json").read_text()
    with closing(IdentityStore(data / IDENTITY_FILE)) as identity:
        return games(data), deck, {*identity.state.seats}


@pytest.fixture
def start() -> Iterator[Path]:
    """Today's table and yesterday's backup; in memory if may be, where settling costs nothing."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        yield laid_out(Path(name))


def laid_out(tmp_path: Path) -> Path:
    room = tmp_path / "room"
    old = table(tmp_path / "old", 3, "yesterday")
    today = table(tmp_path / "today", 5, "today")
    with closing(Journal(today / "journal.sqlite3")) as journal:
        put(journal, 2, "today")
        shutil.copytree(today, room / "data")  # The plug is pulled: the log lies beside it.
    written = config(tmp_path / "written.toml", 'lang = "de"\n')
    backed_up(old, "--config", str(written)).rename(room / "old.zip")
    config(room / "companion.toml", 'lang = "fr"\n')
    return room


def copied(start: Path) -> Path:
    """The same room once more."""
    room = start.with_name("copied")
    shutil.rmtree(room, ignore_errors=True)
    return shutil.copytree(start, room)


def put_back(room: Path) -> int:
    return restore(room / "old.zip", room / "data", "--config", str(room / "companion.toml"))


def test_a_restore_that_is_killed_leaves_the_old_state_or_the_new(start: Path) -> None:
    done, seen = copied(start), set()
    before = state(done)
    assert put_back(done) == 0
    after = state(done)
    assert before != after
    for room in every_touch(start, put_back):
        finish_restore(room / "data")
        found = state(room)
        assert found in (before, after)
        assert not list((room / "data").glob(".rest*"))
        seen.add(found == after)
    assert seen == {False, True}


def run(data: Path) -> int:
    """As the companion starts."""
    prepare_folder(data)
    finish_restore(data)
    Journal(journal_path(data)).close()
    return 0


def back_up(data: Path) -> int:
    """Another command packs the folder."""
    return main(["backup", "--data", str(data)])


@pytest.mark.parametrize("command", [run, back_up])
def test_the_next_command_finishes_an_interrupted_restore(
    start: Path, command: Callable[[Path], int]
) -> None:
    for room in every_touch(start, put_back, first=20):
        prepared = (room / "data/.restored/journal.sqlite3").exists()
        if prepared and "de" in (room / "companion.toml").read_text():
            break
    assert command(room / "data") == 0
    assert state(room)[:2] == ({"yesterday": 3}, "deck of yesterday")


def test_a_backup_that_is_killed_leaves_a_whole_one_or_none(start: Path) -> None:
    def back_up(room: Path) -> int:
        return main(["backup", "--data", str(room / "data"), "--keep", "2"])

    for room in every_touch(start, back_up):
        backups = room / "data/backups"
        for path in backups.glob("*.zip"):
            assert main(["restore", str(path), "--dry-run"]) == 0
        assert state(room) == state(copied(start))
        assert back_up(room) == 0
        assert len(list(backups.iterdir())) == 1
