"""`companion update` and `companion rollback`: which installer they run, and with which words."""

import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion import cli
from companion.core.errors import Malformed
from companion.core.i18n import get_language
from companion.update.commands import roll_back, run_command, update
from companion.update.sticks import LIST, Stick, find_on_sticks, parse_sticks
from tests.update.test_releases import put_release
from tests.worlds.paths import ROOT

ENGLISH = get_language("en")
INSTALLER = "import sys\nprint('installs', *sys.argv[1:], flush=True)\nsys.exit(1)\n"


def pack(folder: Path, name: str = "systemd/install", text: str = INSTALLER) -> Path:
    """A release whose installer prints how it was called, and fails."""
    archive = folder / "table_companion-1.2.0.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        entry = tarfile.TarInfo(f"table_companion-1.2.0/{name}")
        entry.size = len(text)
        packed.addfile(entry, io.BytesIO(text.encode()))
    return archive


def test_the_installer_of_the_release_is_run_and_its_status_counts(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    archive, said = pack(tmp_path), list[str]()
    (tmp_path / "libraries").mkdir()
    assert update(archive, ["--now"], ENGLISH, said.append, run_command) == 1
    assert capfd.readouterr().out == f"installs --now --libraries {tmp_path}/libraries\n"
    assert said[0].startswith(f"Version 1.2.0 in {archive}; there is no SHA256SUMS beside it")


def test_a_clone_is_installed_from_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "systemd").mkdir()
    (tmp_path / "systemd/install").touch()
    ran, said = list[Sequence[str]](), list[str]()

    def note(words: Sequence[str]) -> int:
        ran.append(words)
        return 0

    assert update(tmp_path, [], ENGLISH, said.append, note) == 0
    assert ran[0][2:] == (str(tmp_path / "systemd/install"),)
    assert said == [f"The clone in {tmp_path}."]
    assert roll_back(Path("/v/install"), ["--now"], note) == 0
    assert ran[1][2:] == ("/v/install", "--rollback", "--now")


@pytest.mark.parametrize("name", ["README", "systemd/install"])
def test_what_cannot_be_unpacked_is_said_in_a_sentence(name: str, tmp_path: Path) -> None:
    archive = pack(tmp_path, name)
    if name != "README":
        archive.write_bytes(archive.read_bytes()[:40])
    with pytest.raises(Malformed, match="cannot be unpacked: copy the release again"):
        update(archive, [], ENGLISH, print, run_command)


def test_a_real_release_says_what_its_installer_can(capfd: pytest.CaptureFixture[str]) -> None:
    """The words that we hand over are words that it knows."""
    options = ["--now", "--agree", "--libraries", "x", "--help"]
    assert update(ROOT, options, ENGLISH, print, run_command) == 0
    assert "usage: systemd/install" in capfd.readouterr().out


@pytest.mark.parametrize("command", ["update", "rollback"])
def test_where_nothing_is_installed_it_is_refused(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([command]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"companion {command}: {sys.prefix} is no installed table: ")


LISTED = """{"blockdevices": [
 {"path": "/dev/mmcblk0", "rm": true, "hotplug": true, "fstype": null, "children": [
  {"path": "/dev/mmcblk0p1", "rm": true, "fstype": "vfat", "mountpoint": "/boot/firmware"},
  {"path": "/dev/mmcblk0p2", "rm": true, "fstype": "ext4", "mountpoint": "/"}]},
 {"path": "/dev/sda", "rm": true, "hotplug": true, "fstype": null, "children": [
  {"path": "/dev/sda1", "rm": true, "fstype": "vfat", "mountpoint": null}]},
 {"path": "/dev/sdb", "hotplug": true, "fstype": "exfat", "mountpoint": "/media/ana/GAMES"},
 {"path": "/dev/nvme0n1", "rm": false, "hotplug": false, "fstype": "ext4", "mountpoint": "/data"}
]}"""


def test_sticks_are_what_can_be_unplugged_and_is_no_part_of_the_system() -> None:
    found = [Stick("/dev/sdb", Path("/media/ana/GAMES")), Stick("/dev/sda1", None)]
    assert parse_sticks(LISTED) == found
    assert parse_sticks("{}") == []


def plug_in(*folders: Path) -> str:
    """What lsblk says of sticks that are mounted there."""
    rows = [
        {"path": f"/dev/sd{n}", "rm": True, "fstype": "vfat", "mountpoint": str(folder)}
        for n, folder in enumerate(folders)
    ]
    return json.dumps({"blockdevices": rows})


def test_a_damaged_release_on_a_stick_is_named_unless_another_is_sound(tmp_path: Path) -> None:
    photos, damaged, sound = tmp_path / "photos", tmp_path / "damaged", tmp_path / "sound"
    photos.mkdir()
    put_release(damaged).write_bytes(b"half of it")
    with find_on_sticks(lambda: plug_in(photos, damaged, put_release(sound).parent)) as release:
        assert release.path.parent == sound
    with pytest.raises(Malformed, match="is not as SHA256SUMS says: copy the release again"):
        find_on_sticks(lambda: plug_in(damaged, photos)).__enter__()
    with pytest.raises(Malformed, match="There is no stick with a release in /dev/sd0"):
        find_on_sticks(lambda: plug_in(photos)).__enter__()


def test_the_list_of_devices_is_asked_for_in_words_that_are_known() -> None:
    done = subprocess.run(LIST, capture_output=True, text=True, check=False)
    assert "unknown column" not in done.stderr
