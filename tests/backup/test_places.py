"""Where a backup may go: sticks that are there or not."""

from pathlib import Path

import pytest

from companion.backup.archive import require_room
from companion.backup.places import (
    Mount,
    check_place,
    find_mount,
    parse_mount,
)
from companion.cli import main
from companion.core.errors import Malformed
from tests.backup.test_backup_and_restore import Capture, table

MOUNTED = """\
22 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw
23 22 0:5 / /dev rw shared:2 - devtmpfs udev rw
24 22 179:1 / /boot/firmware rw - vfat /dev/mmcblk0p1 rw
25 22 0:22 / /tmp rw - tmpfs tmpfs rw
26 22 0:40 / /media/auto rw - autofs systemd-1 rw
27 22 8:1 / /media/pi/MY\\040STICK rw - vfat /dev/sda1 rw
28 22 0:50 / /mnt/nas rw - nfs4 nas:/table rw
29 22 7:0 / /mnt/image rw - ext4 /dev/loop0 rw
"""


@pytest.fixture
def mounts() -> list[Mount]:
    """A Pi with a stick, a share of another machine and a file that is mounted as a disk."""
    return [parse_mount(line) for line in MOUNTED.splitlines()]


@pytest.mark.parametrize(
    ("path", "point"),
    [
        ("/var/lib/companion", "/"),
        ("/media/pi/MY STICK/deep/down", "/media/pi/MY STICK"),
        ("/media/pi/OTHER", "/"),
        ("/tmporary", "/"),
    ],
)
def test_a_path_lies_on_the_deepest_mount(mounts: list[Mount], path: str, point: str) -> None:
    found = find_mount(Path(path), mounts)
    assert found is not None
    assert found.point == Path(point)


def sticks(folder: Path, *mounted: str) -> list[Mount]:
    """A Pi on one card, with sticks mounted at these places."""
    return [Mount(Path("/"), "ext4"), *(Mount(Path(m), "vfat") for m in mounted)]


@pytest.mark.skipif(not Path("/mnt").is_dir(), reason="no place for sticks on this machine")
def test_an_unmounted_stick_is_refused() -> None:
    for place in (Path("/mnt"), Path("/mnt/backup.zip")):
        with pytest.raises(Malformed, match="No stick is mounted at /mnt: plug it in"):
            check_place(place, sticks(place))
        check_place(place, sticks(place, "/mnt"))
        check_place(place, [])
    with pytest.raises(Malformed, match="No stick is mounted"):
        check_place(Path("/mnt"), [*sticks(Path("/")), Mount(Path("/mnt"), "autofs")])


def test_what_is_not_there_is_refused_and_not_made(tmp_path: Path, capsys: Capture) -> None:
    data = table(tmp_path / "data", 2)
    for place, said in (
        (tmp_path / "usb", f"There is no folder {tmp_path}/usb: plug in the stick, or name a new"),
        (tmp_path / "usb/today.zip", f"There is no folder {tmp_path}/usb: plug in the stick, or"),
        (tmp_path / "media/pi/usb", f"There is no folder {tmp_path}/media/pi: plug in the stick"),
    ):
        assert main(["backup", "--data", str(data), "--to", str(place)]) == 2
        heard = capsys.readouterr()
        assert (heard.out, heard.err.count("\n")) == ("", 1)
        assert heard.err.startswith(f"companion backup: {said}")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_disk_without_room_is_known_before_it_is_full(tmp_path: Path) -> None:
    require_room(tmp_path, 0)
    with pytest.raises(OSError, match="No space left"):
        require_room(tmp_path, 1 << 60)


def test_a_named_file_and_a_folder_that_is_there_are_written(tmp_path: Path) -> None:
    data = table(tmp_path / "data", 2)
    (tmp_path / "usb").mkdir()
    assert main(["backup", "--data", str(data), "--to", str(tmp_path / "usb")]) == 0
    assert main(["backup", "--data", str(data), "--to", str(tmp_path / "usb/today.zip")]) == 0
    assert len(list((tmp_path / "usb").iterdir())) == 2
