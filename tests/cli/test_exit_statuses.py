"""Exit statuses of the commands: only those of docs/api.md, each as it says there."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import AMISS, DONE, INTERRUPTED, NOT_DONE, UNREAD, main
from tests.worlds.paths import ROOT

PROGRAM = [sys.executable, "-m", "companion"]


def test_what_is_read_no_longer_ends_with_its_own_status() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*PROGRAM, "rules"], stdout=writing, stderr=subprocess.PIPE, cwd=ROOT,
                          check=False)  # fmt: skip
    os.close(writing)
    assert (done.returncode, done.stderr) == (UNREAD, b"")


def test_ctrl_c_ends_with_its_own_status() -> None:
    with subprocess.Popen(
        [*PROGRAM, "judge", "--stream"], cwd=ROOT, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0,
    ) as judging:  # fmt: skip
        assert judging.stdin is not None
        assert judging.stdout is not None
        judging.stdin.write(b"no case\n")
        judging.stdin.flush()
        assert b"error" in judging.stdout.readline()
        os.killpg(judging.pid, signal.SIGINT)  # As a terminal sends it.
        judging.stdin.close()  # A signal just before Python reads waits until that is over.
        assert judging.wait(30) == INTERRUPTED


def test_each_of_the_other_statuses_is_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text("no case\n")
    assert main(["judge", "--stream", str(cases)]) == AMISS
    assert main(["rules"]) == DONE
    assert main(["replay", str(tmp_path / "none")]) == NOT_DONE
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(SystemExit) as end:
        main(["rules", "--unknown"])
    assert end.value.code == NOT_DONE
