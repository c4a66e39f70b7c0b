"""The sign of a simulated table that runs already: what others put where it hangs is not believed,
and what is no sign is not written to."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.app.process import restart_arguments
from companion.app.single_instance import InstanceLock

EVIL = "http://127.0.0.1:8000/play@somewhere.example/"


def linked(path: Path) -> None:
    """Another name of a file that matters."""
    other = path.with_name("diary")
    other.write_text("")
    path.hardlink_to(other)


TRAPS: dict[str, Callable[[Path], object]] = {
    "a symlink": lambda path: path.symlink_to(path.with_name("diary")),
    "another name": linked,
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a diary": lambda path: path.write_text("Dear diary"),
    "open to all": lambda path: (path.touch(), path.chmod(0o666)),
    "no address of ours": lambda path: (path.write_text(EVIL), path.chmod(0o600)),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_what_is_no_sign_of_ours_is_neither_read_nor_written(trap: str, tmp_path: Path) -> None:
    path = tmp_path / "sign"
    TRAPS[trap](path)
    before = path.read_bytes() if path.is_file() else b""
    with InstanceLock(path) as sign:
        assert sign.other_address is None, "nobody is kept from playing"
        sign.write_address("http://localhost:8000/play")
        assert (path.read_bytes() if path.is_file() else b"") == before
    assert not (tmp_path / "diary").exists() or (tmp_path / "diary").read_bytes() == b""


def test_a_sign_that_leads_elsewhere_sends_nobody_there(tmp_path: Path) -> None:
    path = tmp_path / "sign"
    path.write_text(EVIL)
    path.chmod(0o600)
    with path.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with InstanceLock(path) as sign:
            assert sign.other_address is None


def test_who_comes_second_writes_over_nobodys_sign(tmp_path: Path) -> None:
    here = "http://localhost:8000/play"
    with InstanceLock(tmp_path / "sign") as first:
        first.write_address(here)
        with InstanceLock(tmp_path / "sign") as second:
            assert second.other_address == here
            second.write_address("http://localhost:8001/play")
        assert (tmp_path / "sign").read_text() == here


def test_a_plug_that_is_pulled_often_makes_no_longer_command() -> None:
    same = ["--plugged", "kept", "--port", "8001"]
    once = restart_arguments(
        ["-m", "companion", "play", "--port", "8000", "--", "robby_solo"], same
    )
    assert once == ["-m", "companion", "play", "--port", "8000", *same, "--", "robby_solo"]
    assert restart_arguments(once, same) == once
    assert restart_arguments(["play"], same) == ["play", *same]
