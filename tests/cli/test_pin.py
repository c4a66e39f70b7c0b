"""`companion pin`: who has lost the PIN makes a new one at the computer."""

import os
import re
import stat
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit

import pytest

from companion import cli
from companion.host.pin import Pin
from companion.identity import IdentityStore
from companion.journal import Journal

Said = pytest.CaptureFixture[str]
FILE = "identity.sqlite3"


def kept_pin(folder: Path) -> Pin:
    """The PIN in this folder, as a companion knows it that is started now."""
    return Pin(IdentityStore(folder / FILE))


def main(words: list[str]) -> int:
    """Run a command at a terminal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.stdout, "isatty", lambda: True)
        return cli.main(words)


def digits(said: str) -> str:
    """The PIN that was printed."""
    return re.findall(r"^The PIN of the host is ([0-9]{6})\.", said, re.MULTILINE)[0]


def test_the_new_pin_opens_and_the_old_one_does_not(tmp_path: Path, capsys: Said) -> None:
    told = []
    for _ in range(2):
        assert main(["pin", "--data", str(tmp_path)]) == 0
        told.append(digits(capsys.readouterr().out))
    pin = kept_pin(tmp_path)
    assert isinstance(pin.check_pin(told[1], 0.0), str)
    assert told[0] == told[1] or not isinstance(pin.check_pin(told[0], 0.0), str)


def test_it_is_kept_for_the_owner_alone_and_as_a_hash(tmp_path: Path, capsys: Said) -> None:
    main(["pin", "--data", str(tmp_path)])
    told = digits(capsys.readouterr().out)
    assert FILE in [kept.name for kept in tmp_path.iterdir()]
    for kept in tmp_path.iterdir():
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert told.encode() not in kept.read_bytes()


def test_a_companion_that_runs_knows_it_at_once(tmp_path: Path, capsys: Said) -> None:
    runs = kept_pin(tmp_path)
    old, generation = runs.renew_pin(), runs.generation
    with closing(Journal(tmp_path / "journal.sqlite3")):
        assert main(["pin", "--data", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert said.endswith("The companion is running: the PIN counts from now on.\n")
    assert runs.generation != generation, "every host is signed out"
    assert isinstance(runs.check_pin(digits(said), 0.0), str)
    assert old == digits(said) or not isinstance(runs.check_pin(old, 0.0), str)
    main(["pin", "--data", str(tmp_path)])
    assert "running" not in capsys.readouterr().out


def test_whoever_is_signed_in_meanwhile_does_not_undo_it(tmp_path: Path, capsys: Said) -> None:
    runs = kept_pin(tmp_path)
    runs.renew_pin()
    with closing(Journal(tmp_path / "journal.sqlite3")):
        main(["pin", "--data", str(tmp_path)])
    runs.revoke_sessions()
    shown = digits(capsys.readouterr().out)
    assert isinstance(kept_pin(tmp_path).check_pin(shown, 0.0), str)


def test_a_file_that_a_companion_has_open_is_not_put_aside(tmp_path: Path, capsys: Said) -> None:
    (tmp_path / FILE).write_bytes(b"broken" * 1000)
    with closing(Journal(tmp_path / "journal.sqlite3")):
        assert main(["pin", "--data", str(tmp_path)]) == 2
    assert "identity.sqlite3 cannot be used" in capsys.readouterr().err
    assert [kept.name for kept in tmp_path.glob(FILE + "*")] == [FILE]


def test_into_a_pipe_no_pin_is_made_or_printed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "pin", "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "shown on a terminal only" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_there_is_no_pin(tmp_path: Path, capsys: Said) -> None:
    assert main(["pin", "--data", str(tmp_path / "nowhere")]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "nowhere cannot be used: No such file or directory." in said.err


def test_a_full_disk_keeps_the_old_one(tmp_path: Path, capsys: Said) -> None:
    main(["pin", "--data", str(tmp_path)])
    old = digits(capsys.readouterr().out)
    soft, hard = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (0, hard))
    try:
        assert main(["pin", "--data", str(tmp_path)]) == 2
    finally:
        setrlimit(RLIMIT_FSIZE, (soft, hard))
    assert "The PIN of the host" not in capsys.readouterr().out, "one that does not count"
    assert isinstance(kept_pin(tmp_path).check_pin(old, 0.0), str)
    assert [path.name for path in tmp_path.glob("*damaged*")] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as somebody else")
def test_what_root_makes_belongs_to_the_owner_of_the_folder(capsys: Said) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        os.chown(name, 65534, 65534)
        assert main(["pin", "--data", name]) == 0
        assert {path.stat().st_uid for path in Path(name).iterdir()} == {65534}
    assert digits(capsys.readouterr().out)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as somebody else")
def test_no_link_leads_root_to_what_a_group_of_its_own_may_write(capsys: Said) -> None:
    groups = os.getgroups()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        logs, data = Path(name, "logs"), Path(name, "data")
        Path(name).chmod(0o755)
        logs.write_text("of root")
        logs.chmod(0o664)
        os.chown(logs, 0, 4)
        data.mkdir()
        os.chown(data, 65534, 65534)
        (data / FILE).symlink_to(logs)
        os.setgroups([4])
        try:
            assert main(["pin", "--data", str(data)]) == 0
            assert os.getgroups() == [4]
        finally:
            os.setgroups(groups)
        assert logs.read_text() == "of root"
        assert (data / FILE).lstat().st_uid == 65534
        assert (data / f"{FILE}.damaged-1").is_symlink()
    assert digits(capsys.readouterr().out)
