"""Backup and restore: a round trip, what is refused, and a companion that writes meanwhile."""

import fcntl
import os
import sqlite3
import stat
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

import hardware.wiring
from companion.cli import main
from companion.cli.backup import require_place
from companion.core.errors import Malformed
from companion.core.events import Passed, to_json
from companion.journal import Journal
from companion.seating.identity import IDENTITY_FILE, IdentityStore
from companion.seating.seats import SeatHolder
from tests.worlds.failing_disk import room_for
from tests.worlds.journal_lines import append

Capture = pytest.CaptureFixture[str]
PASSED = to_json(Passed(1))


def put(journal: Journal, n: int, id: str = "g1") -> None:
    for k in range(n):
        append(journal, "bankueberfall", id, 5.0 + k, "phone 1", PASSED)


def table(folder: Path, lines: int, id: str = "g1") -> Path:
    """A data folder in which something was played, enrolled and kept."""
    (folder / "decks").mkdir(parents=True)
    with closing(Journal(folder / "journal.sqlite3")) as journal:
        put(journal, lines, id)
    (folder / "decks/bankueberfall.json").write_text(f"deck of {id}")
    with closing(IdentityStore(folder / IDENTITY_FILE)) as identity:
        identity.save_seats({1: SeatHolder("ana")})
    return folder


def games(folder: Path) -> dict[str, int]:
    with closing(Journal(folder / "journal.sqlite3")) as journal:
        assert journal.notices == []
        return {game.id: game.lines for game in journal.list_games()}


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith((".lock", "-shm"))
    }


def backed_up(folder: Path, *words: str) -> Path:
    to = folder.parent / f"{folder.name}.zip"
    to.unlink(missing_ok=True)
    assert main(["backup", "--data", str(folder), "--to", str(to), *words]) == 0
    return to


def restore(file: Path, folder: Path, *words: str) -> int:
    return main(["restore", str(file), "--data", str(folder), *words])


def refused(capsys: Capture, file: Path, folder: Path, *words: str) -> str:
    """The one sentence with which it is refused; what is there stays as it is."""
    before = tree(folder)
    capsys.readouterr()
    assert restore(file, folder, *words) == 2
    said = capsys.readouterr()
    assert tree(folder) == before
    assert (said.out, said.err.count("\n")) == ("", 1)
    return said.err.removeprefix("companion restore: ").strip()


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return table(tmp_path / "old", 3, "yesterday")


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return table(tmp_path / "new", 5, "today")


# There and back.


def test_restore_brings_back_what_was_backed_up(old: Path, new: Path) -> None:
    assert restore(backed_up(old), new) == 0
    assert games(new) == {"yesterday": 3}
    assert (new / "decks/bankueberfall.json").read_text() == "deck of yesterday"


def test_restore_keeps_a_backup_of_the_previous_state(old: Path, new: Path) -> None:
    assert restore(backed_up(old), new) == 0
    (kept,) = (new / "backups").glob("before-restore-*")
    assert restore(kept, new) == 0
    assert len(list((new / "backups").iterdir())) == 2, "that one was kept, too"
    assert games(new) == {"today": 5}
    assert (new / "decks/bankueberfall.json").read_text() == "deck of today"


def test_a_backup_holds_nothing_of_seats_and_hosts(old: Path) -> None:
    (old / "diary").write_text("secret")
    with zipfile.ZipFile(backed_up(old)) as packed:
        names = packed.namelist()
        found = b"".join(map(packed.read, names))
    assert names == ["journal.sqlite3", "decks/bankueberfall.json"]
    assert b"secret" not in found


def test_a_backup_is_taken_while_a_companion_writes(old: Path, new: Path) -> None:
    with closing(Journal(old / "journal.sqlite3")) as journal:
        put(journal, 4, "yesterday")
        file = backed_up(old)
        put(journal, 1, "yesterday")
    assert restore(file, new) == 0
    assert games(new) == {"yesterday": 7}


# What was set up in the browser.

WIRED = (Path(hardware.wiring.__file__).parent / "eight-readers.toml").read_text("utf-8")
CHOSEN = '{"language": "de", "game": "robby_solo", "set_up": true}'


def test_restore_brings_back_what_was_set_up_in_the_browser(old: Path, new: Path) -> None:
    (old / "wiring.toml").write_text(WIRED)
    (old / "table.json").write_text(CHOSEN)
    (new / "table.json").write_text("{}")
    assert restore(backed_up(old), new) == 0
    assert (new / "wiring.toml").read_text() == WIRED
    assert (new / "table.json").read_text() == CHOSEN


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("wiring.toml", 'title = "half of it'),
        ("wiring.toml", f"hertz = 7\n{WIRED}"),
        ("wiring.toml", "\udcff"),
        ("table.json", "[]"),
        ("table.json", '{"x": ' + "[" * 10**5),
        ("table.json", '{"game": "a\\nb"}'),
        ("table.json", '{"language": "tlh"}'),
    ],
)
def test_restore_rejects_a_state_that_cannot_start(
    old: Path, new: Path, name: str, written: str, capsys: Capture
) -> None:
    (old / name).write_bytes(written.encode(errors="surrogateescape"))
    said = refused(capsys, backed_up(old), new)
    assert "in this backup" in said
    assert said.endswith((".", ":"))


# The config.


def config(path: Path, text: str = 'lang = "de"\n') -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_the_config_comes_back_too(old: Path, new: Path, tmp_path: Path, capsys: Capture) -> None:
    file = backed_up(old, "--config", str(config(tmp_path / "one/companion.toml")))
    there = config(tmp_path / "two/companion.toml", 'lang = "fr"\n')
    there.chmod(0o640)
    assert restore(file, new, "--without-config") == 0
    assert there.read_text() == 'lang = "fr"\n'
    assert restore(file, new, "--config", str(there)) == 0
    assert there.read_text() == 'lang = "de"\n'
    assert stat.S_IMODE(there.stat().st_mode) == 0o640
    assert "type: sudo systemctl restart companion" in capsys.readouterr().out


# What is refused.


def test_a_running_companion_keeps_its_folder(old: Path, new: Path, capsys: Capture) -> None:
    file = backed_up(old)
    with closing(Journal(new / "journal.sqlite3")) as journal:
        put(journal, 1, "today")
        said = refused(capsys, file, new)
    assert said.endswith("is in use by a running companion: stop it first, then restore.")


def test_a_damaged_journal_is_not_backed_up(old: Path, capsys: Capture) -> None:
    with closing(sqlite3.connect(old / "journal.sqlite3")) as disk, disk:
        disk.execute("UPDATE line SET via = 'phone 2' WHERE n = 2")
    capsys.readouterr()
    to = old.with_suffix(".zip")
    assert main(["backup", "--data", str(old), "--to", str(to)]) == 2
    assert "is damaged: start the companion, which mends it" in capsys.readouterr().err
    assert not to.exists()
    assert not list(old.parent.glob(".*"))


@pytest.mark.parametrize("size", [0, 20, 600, 5_000, 12_000])
def test_a_full_disk_leaves_everything_as_it_was(
    old: Path, new: Path, size: int, capsys: Capture
) -> None:
    file, before = backed_up(old), tree(new)
    with room_for(size):
        assert restore(file, new) == 2
        assert main(["backup", "--data", str(old), "--to", str(old.parent / "more.zip")]) == 2
    restored, packed = capsys.readouterr().err.splitlines()
    assert "There is no room for " in restored
    assert "more.zip cannot be written: " in packed
    assert tree(new) == before
    assert sorted(path.name for path in old.parent.iterdir()) == ["new", "old", "old.zip"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as somebody else")
def test_files_restored_by_root_belong_to_the_owner_of_the_folder(old: Path) -> None:
    file = backed_up(old)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        os.chown(name, 65534, 65534)
        assert restore(file, Path(name)) == 0
        assert main(["backup", "--data", name]) == 0
        assert {path.stat().st_uid for path in Path(name).rglob("*")} == {65534}


# Where it may go.


@pytest.mark.parametrize("folder", ["/media", "/mnt"])
def test_an_unmounted_stick_is_refused(folder: str) -> None:
    if os.path.ismount(folder):
        require_place(Path(folder))
    else:
        for place in (Path(folder), Path(folder, "backup.zip")):
            with pytest.raises(Malformed, match=r"No stick is mounted at|There is no folder"):
                require_place(place)


def test_what_is_not_there_is_refused_and_not_made(tmp_path: Path, capsys: Capture) -> None:
    data = table(tmp_path / "data", 2)
    for place, said in (
        (tmp_path / "usb", f"There is no folder {tmp_path}/usb: plug in the stick, or"),
        (tmp_path / "usb/today.zip", f"There is no folder {tmp_path}/usb: plug in the stick, or"),
        (tmp_path / "media/pi/usb", f"There is no folder {tmp_path}/media/pi: plug in the stick"),
    ):
        assert main(["backup", "--data", str(data), "--to", str(place)]) == 2
        heard = capsys.readouterr()
        assert (heard.out, heard.err.count("\n")) == ("", 1)
        assert heard.err.startswith(f"companion backup: {said}")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


# Day by day.


def test_a_daily_backup_is_called_after_its_day_and_old_ones_go(old: Path) -> None:
    there = old / "backups"
    there.mkdir()
    others = ["before-restore-1999-01-01-000000.zip", "companion-1999-01-01.zip.mine", "notes.txt"]
    for name in [*others, *(f"companion-1999-01-{day:02}.zip" for day in range(1, 9))]:
        (there / name).touch()
    for _ in range(2):
        assert main(["backup", "--data", str(old), "--keep", "3"]) == 0
    left = sorted(path.name for path in there.iterdir() if path.name not in others)
    assert left[:2] == ["companion-1999-01-07.zip", "companion-1999-01-08.zip"]
    assert len(left) == 3
    assert restore(there / left[2], old) == 0


def test_a_backup_waits_for_another_and_removes_what_a_killed_one_left(
    old: Path, capsys: Capture
) -> None:
    to, packing = old.parent / "x.zip", old.parent / ".packing"
    packing.mkdir()
    (packing / "journal.sqlite3").touch()
    other = os.open(old.parent, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    words = ["backup", "--data", str(old), "--to", str(to)]
    assert main(words) == 2
    said = (
        "companion backup: Another backup is being packed or looked into just now; wait a moment.\n"
    )
    assert capsys.readouterr().err == said
    os.close(other)
    assert main(words) == 0
    assert not packing.exists()
