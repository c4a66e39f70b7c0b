"""CI plays again only what waits for other programs, and only a little of that."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worlds.paths import ROOT

pytestmark = pytest.mark.wide
FAILS_AT = """
from pathlib import Path
def test_it():
    seen = Path(__file__).with_suffix(".seen")
    seen.write_text(seen.read_text() + "x" if seen.exists() else "x")
    assert len(seen.read_text()) not in {times}
"""

REPEAT = ROOT / ".ci/repeat.py"


def play(folder: Path, times: dict[str, set[int]]) -> tuple[int, str]:
    """Run the tests of these folders as CI does, each failing at these times."""
    for name, fails_at in times.items():
        (folder / "tests" / name).mkdir(parents=True, exist_ok=True)
        file = folder / "tests" / name / f"test_{Path(name).name}.py"
        file.write_text(FAILS_AT.format(times=fails_at), "utf-8")
    (folder / "pytest.ini").touch()
    words = [sys.executable, str(REPEAT), "-p", "no:xdist", "--quiet"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_every_place_that_it_tells_apart_exists() -> None:
    told = runpy.run_path(str(REPEAT))
    for place in (*told["WAITING"], *told["AT_ONCE"]):
        assert (ROOT / "tests" / place).exists(), place
    assert all(place.startswith(told["WAITING"]) for place in told["AT_ONCE"])


def test_what_failed_once_is_named(tmp_path: Path) -> None:
    code, said = play(tmp_path, {"browser": {1}, "web/server": {1}, "judge": {9}})
    assert code == 0
    assert said.splitlines()[-2:] == [
        f"UNSTEADY, to be mended: tests/{place}.py::test_it"
        for place in ("browser/test_browser", "web/server/test_server")
    ]


@pytest.mark.parametrize("times", [{1, 2}, {1, 3}])
def test_what_fails_again_is_red(tmp_path: Path, times: set[int]) -> None:
    code, said = play(tmp_path, {"browser": times, "web/server": {1}})
    assert (code, "UNSTEADY" in said) == (1, False)


@pytest.mark.parametrize(
    "folders",
    [("browser", "judge"), ("browser", "app"), ("browser/a", "browser", "browser/b", "web/server")],
)
def test_a_verdict_and_many_faults_are_red_at_once(
    tmp_path: Path, folders: tuple[str, ...]
) -> None:
    code, said = play(tmp_path, {name: {1} for name in folders})
    assert (code, "UNSTEADY" in said) == (1, False)
    assert len((tmp_path / "tests/browser/test_browser.seen").read_text()) == 1


def test_a_file_that_cannot_be_read_is_red(tmp_path: Path) -> None:
    (tmp_path / "tests/app").mkdir(parents=True)
    (tmp_path / "tests/app/test_odd.py").write_text("import nothing_of_this_name", "utf-8")
    assert play(tmp_path, {"browser": {1}})[0] == 2
