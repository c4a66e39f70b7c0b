"""`make play` before anything is there: what it passes on, what it says while it installs, and
what it says where it cannot."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from companion.cli import make_parser
from tests.worlds.paths import ROOT


def make(*words: str, at: Path = ROOT, **environ: str) -> "subprocess.CompletedProcess[str]":
    """Run make on the real Makefile."""
    mine = {name: word for name, word in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", "--no-print-directory", *words],
        cwd=at, env=mine | environ, capture_output=True, text=True, check=False,
    )  # fmt: skip


def starts(*words: str, **environ: str) -> str:
    """The command with which `make play` would start."""
    return make("--dry-run", "play", *words, **environ).stdout.splitlines()[-1].strip()


def test_options_are_passed_on() -> None:
    start = starts("GAME=banque_fatale", "SEATS=4", "LANG=de", "PACE=fast")
    assert start == ".venv/bin/companion play 'banque_fatale' --seats='4' --lang='de' --pace='fast'"
    more = starts("SEED=7", "ADDRESS=0.0.0.0", "PORT=80", "DATA=my evening", "DEMO=1")
    assert more.endswith("--seed='7' --address='0.0.0.0' --port='80' --data='my evening' --demo")


def test_each_make_play_of_the_readme_is_a_command_that_starts() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    shown = [line.removeprefix("$ make play") for line in lines if line.startswith("$ make play")]
    assert len(shown) > 1
    for words in shown:
        start = starts(*shlex.split(words, comments=True))
        make_parser("play").parse_args(shlex.split(start)[1:])


def test_make_ignores_options_from_the_environment() -> None:
    assert starts(LANG="fr_FR.UTF-8", PORT="5000", SEED="") == ".venv/bin/companion play"


def test_option_values_are_expanded_neither_by_the_shell_nor_by_make() -> None:
    start = starts("SEED=1'; rm -rf x; '", "DATA=Ana's  $(shell echo evening)", "GAME=`id`")
    said = [".venv/bin/companion", "play", "`id`"]
    assert shlex.split(start) == [*said, "--seed=1'; rm -rf x; '",
                                  "--data=Ana's  $(shell echo evening)"]  # fmt: skip


def install(folder: Path, python: Path | str = "python3") -> "subprocess.CompletedProcess[str]":
    """Run the script that makes the environment."""
    return subprocess.run(
        ["systemd/environment", python, folder, "play"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_no_folder_is_cleared_that_is_no_environment(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Dear diary")
    make("clean", f"VENV={tmp_path}", "--file", str(ROOT / "Makefile"), at=tmp_path)
    assert diary.read_text() == "Dear diary"
    asked = tmp_path / "asked"
    half = python(tmp_path / "programs", f'case "$*" in *-m*) echo "$@" >>{asked}; exit 1 ;; esac')
    install(tmp_path, half)
    (tmp_path / "pyvenv.cfg").touch()
    install(tmp_path, half)
    assert ["--clear" in line for line in asked.read_text().splitlines()] == [False, True]


def python(folder: Path, script: str, name: str = "python") -> Path:
    """A Python that is not quite one."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_a_python_that_is_too_old_is_told_so(tmp_path: Path) -> None:
    older = 'exec python3 -c "import sys; sys.version_info = (3, 9, 2); exec(sys.argv[1])" "$2"'
    old = python(tmp_path, older)
    done = make("play", f"PYTHON={old}", f"VENV={tmp_path}/venv")
    assert done.stdout == ""
    said, _make = done.stderr.splitlines()
    assert said == (
        f"The companion needs Python 3.11 or newer, and {old} is 3.9. "
        "To use another one: make play PYTHON=python3.12"
    )


def test_a_python_without_venv_is_told_what_is_missing(tmp_path: Path) -> None:
    done = install(tmp_path / "venv", python(tmp_path / "programs", "exit 1"))
    assert "apt install python3-venv" in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize(
    ("pip_says", "said"),
    [
        ("ERROR: NewConnectionError: https://somewhere.example/", "connected to the internet?"),
        ("OSError: [Errno 28] No space left on device", "This step failed; why, is in "),
    ],
)
def test_errors_of_pip_go_to_the_install_log(pip_says: str, said: str, tmp_path: Path) -> None:
    python(tmp_path / "bin", f"echo '{pip_says}' >&2; exit 1")
    python(tmp_path / "bin", "", "pip")
    done = install(tmp_path)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 2, "one sentence, on a line of its own"
    assert "example" not in done.stdout + done.stderr
    assert pip_says in (tmp_path / "install.log").read_text()
    assert (tmp_path / "install.log").stat().st_mode & 0o077 == 0
