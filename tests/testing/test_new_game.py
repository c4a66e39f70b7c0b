"""`companion new-game` writes a package that keeps every law, and refuses what it cannot write."""

import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.games import broken_games, find_game
from companion.testing.laws import check_game
from tests.worlds.installed_games import installed
from tests.worlds.paths import ROOT


@pytest.fixture
def package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["new-game", "hot_potato", "--in", str(tmp_path)]) == 0
    assert "companion play hot_potato" in capsys.readouterr().out
    return tmp_path / "hot-potato"


def test_a_new_game_keeps_every_law(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with installed("hot-potato", {"hot_potato": "hot_potato.game:GAME"}, package):
        assert broken_games() == ()
        assert find_game("hot_potato").standard_box().title == "Hot Potato"
        assert check_game(find_game("hot_potato"), range(4)) == {}
        assert main(["check-game", "hot_potato", "--games", "1"]) == 0
    assert "NO" not in capsys.readouterr().out


def test_a_new_game_passes_our_own_checks_of_style_and_types(package: Path) -> None:
    style = ["ruff", "check", "--config", str(ROOT / "pyproject.toml"), "--ignore", "I001"]
    types = ["mypy", "--strict", "--no-incremental", "-p", "hot_potato"]
    for command in (style, ["ruff", "format", "--check"], types):
        where = [] if command is types else [str(package)]
        done = subprocess.run(
            [sys.executable, "-m", *command, *where], capture_output=True, text=True, check=False,
            cwd=ROOT, env={"MYPYPATH": str(package), "PATH": ""},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["", "Hot", "hot-potato", "1st", "hot__potato", "json"])
def test_a_name_that_cannot_be_one_is_refused(name: str, tmp_path: Path) -> None:
    assert main(["new-game", name, "--in", str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_not_overwritten(package: Path, tmp_path: Path) -> None:
    assert main(["new-game", package.name.replace("-", "_"), "--in", str(tmp_path)]) == 2
    assert main(["new-game", "robby_solo", "--in", str(tmp_path)]) == 2
