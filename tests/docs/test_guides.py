"""Every command of the guides to real cards is run as it is written, on simulated readers; so are
those of the page of the API.

Only two things are not as on the pages: the folder is one of the test, and what is behind the pins
is the twin. The doctor of a USB reader is run with virtual ones, in `tests/hardware/pcsc`.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.app.settings import deck_path
from companion.cli import main
from companion.games import find_game
from companion.setup.deck_file import load_deck
from hardware.doctor.stages import list_stages
from hardware.wiring import load_profile
from tests.docs.test_commands import commands_of, shown_lines
from tests.worlds.paths import ROOT

FIRST, BUILT = ROOT / "docs/first-table.md", ROOT / "docs/build-the-table.md"
USB, API = ROOT / "docs/usb-reader.md", ROOT / "docs/api.md"
ON_THE_TWIN = """
import runpy, sys
from companion.cli import main
from hardware.backends import BACKENDS
BACKENDS["pi"] = "hardware.simulated_table"
if sys.argv[1].endswith(".py"):
    runpy.run_path(sys.argv.pop(1), run_name="__main__")
else:
    sys.exit(main())
"""
Capture = pytest.CaptureFixture[str]


def commands(command: str, *pages: Path) -> list[list[str]]:
    """Return every way in which these pages show a command, once each."""
    ways = dict.fromkeys(tuple(way) for page in pages for way in commands_of(page))
    return [list(way) for way in ways if way[0] == command]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of one's own, and nobody at the keys."""
    for name in ("COMPANION_DATA", "TMPDIR", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    return tmp_path


@pytest.mark.parametrize("words", commands("doctor", FIRST, BUILT), ids=" ".join)
def test_the_doctor_finds_a_table_well_and_writes_what_we_ask_for(
    words: list[str], home: Path, capsys: Capture
) -> None:
    words = [word.replace("/tmp", str(home)) for word in words]
    assert main([*words, "--sim"]) == 0
    assert " bad " not in capsys.readouterr().out
    if {"--measure", "--record"} & {*words}:
        assert Path(words[-1]).stat().st_size > 1_000


def test_every_stage_has_its_command_on_the_page() -> None:
    shown = {tuple(words[2:]) for words in commands("doctor", BUILT) if "--stage" in words}
    stages = [work for work in list_stages(load_profile()) if work.place < 2]
    assert shown == {(work.stage, *([str(work.place)] if work.place else [])) for work in stages}


@pytest.mark.parametrize("words", commands("wiring", BUILT), ids=" ".join)
def test_a_wiring_is_printed(words: list[str], capsys: Capture) -> None:
    assert main(words) == 0
    assert "dtparam=spi=on" in capsys.readouterr().out


@pytest.mark.parametrize("words", commands("enrol", FIRST, USB), ids=" ".join)
def test_a_box_is_enrolled_and_checked(words: list[str], home: Path, capsys: Capture) -> None:
    box, here = find_game(words[1]).standard_box(), ["--sim", "--data", str(home)]
    if "--check" in words:
        assert main([*words[:2], *here]) == 0
    assert main([*words, *here]) == 0
    total = sum(box.tagged_pieces().values())
    assert capsys.readouterr().out.endswith(f"All is there: {total} of {total}.\n")
    assert len(load_deck(deck_path(words[1], home), box).things) == total


@contextmanager
def running(words: list[str], sign: str, home: Path) -> Iterator[str]:
    """Run a command on the twin; give the line with a sign, and press Ctrl-C in the end."""
    command = subprocess.Popen(
        [sys.executable, "-c", ON_THE_TWIN, *words], cwd=home,
        stdout=subprocess.PIPE, text=True, env={**os.environ, "COMPANION_DATA": str(home),
        "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert command.stdout is not None
    with command:
        try:
            yield next(line for line in command.stdout if sign in line)
        finally:
            command.send_signal(signal.SIGINT)
            command.communicate(timeout=40)
    assert command.returncode == 0


@pytest.mark.parametrize(
    "words", [*commands("play", FIRST, BUILT, USB), *commands("run", FIRST)], ids=" ".join
)
def test_a_table_is_served_until_ctrl_c(words: list[str], home: Path) -> None:
    if "--air" in words:
        assert main(["doctor", "--sim", "--measure", words[words.index("--air") + 1]]) == 0
    with running(words, "http://", home):
        pass


@pytest.mark.parametrize("example", ["reader_simpletest.py", "button_simpletest.py"])
def test_an_example_waits_for_cards_and_presses(example: str, home: Path) -> None:
    (line,) = (line for line in shown_lines(BUILT) if example in line)
    _, name = shlex.split(line, comments=True)
    with running([str(ROOT / name)], "Ctrl-C ends", home):
        pass


def test_a_table_answers_programs_as_the_page_of_the_api_shows(home: Path) -> None:
    page = API.read_text("utf-8").replace("examples/", f"{ROOT}/examples/")
    blocks = "".join(re.findall(r"```console\n(.*?)```", page, re.DOTALL))
    blocks = blocks.replace(".venv/bin/python", sys.executable)
    steps = [step.partition("\n") for step in re.split(r"^\$ ", blocks, flags=re.MULTILINE)[1:]]
    with running(["play", "--pace", "still"], "/play", home) as line:
        (table,) = re.findall(r"http://localhost:\d+", line)
        lines = "".join(f"{typed}\nprintf '\\0'\n" for typed, _, _ in steps)
        script = lines.replace("http://localhost:8000", table)
        said = subprocess.run(
            ["bash"], input=script, cwd=home, capture_output=True, text=True, check=False
        )
    answers = [answer.strip() for answer in said.stdout.split("\0")[:-1]]
    assert answers == [shown.strip() for _, _, shown in steps], said.stderr
