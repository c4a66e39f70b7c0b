"""Where a backup may go: sticks that are there or not."""

import os
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.backup import check_place
from companion.core.errors import Malformed
from tests.backup.test_backup_and_restore import Capture, table


@pytest.mark.parametrize("folder", ["/media", "/mnt"])
def test_an_unmounted_stick_is_refused(folder: str) -> None:
    if os.path.ismount(folder):
        check_place(Path(folder))
    else:
        for place in (Path(folder), Path(folder, "backup.zip")):
            with pytest.raises(Malformed, match=r"No stick is mounted at|There is no folder"):
                check_place(place)


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
