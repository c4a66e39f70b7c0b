"""With what the commands end: only with what docs/commands.md lists, each as it says there."""

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.app.logging_setup import log_path
from companion.cli import COMMANDS, exit_codes, main, module_of
from tests.worlds.paths import ROOT

PROGRAM = [sys.executable, "-m", "companion"]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_ends_with_no_other_status(name: str) -> None:
    """A number that a command returns is a status, and `run` always returns one."""
    tree = ast.parse((ROOT / f"{module_of(name).replace('.', '/')}.py").read_text("utf-8"))
    (run,) = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "run"]
    assert isinstance(run.returns, ast.Name)
    assert run.returns.id == "int"
    returned = {
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant)
        and type(node.value.value) is int
    }  # fmt: skip
    assert returned <= exit_codes.MEANINGS.keys()


def test_what_is_read_no_longer_ends_with_its_own_status() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*PROGRAM, "rules"], stdout=writing, stderr=subprocess.PIPE, cwd=ROOT,
                          check=False)  # fmt: skip
    os.close(writing)
    assert (done.returncode, done.stderr) == (exit_codes.UNREAD, b"")


@pytest.mark.wide
@pytest.mark.parametrize("how", [[], ["--json"]], ids=["lines", "facts"])
def test_ctrl_c_ends_with_its_own_status(how: list[str], tmp_path: Path) -> None:
    log_path(tmp_path).write_text("2026-03-01 20:00:01,250 INFO companion.app: started port=8000\n")
    with subprocess.Popen(
        [*PROGRAM, "logs", "--follow", "--data", str(tmp_path), *how], cwd=ROOT,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0,
    ) as following:  # fmt: skip
        assert following.stdout is not None
        assert b"started" in following.stdout.readline()
        os.killpg(following.pid, signal.SIGINT)  # As a terminal sends it.
        _, said = following.communicate(timeout=30)
    assert (following.returncode, said) == (exit_codes.INTERRUPTED, b"")


def test_each_of_the_other_statuses_is_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "journal.sqlite3").touch()
    assert main(["rules"]) == exit_codes.DONE
    assert main(["status", "--data", str(tmp_path)]) == exit_codes.AMISS
    assert "not running" in capsys.readouterr().out
    assert main(["replay", str(tmp_path / "none")]) == exit_codes.NOT_DONE
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(SystemExit) as end:
        main(["rules", "--unknown"])
    assert end.value.code == exit_codes.NOT_DONE
