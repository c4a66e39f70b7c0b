"""Every command of the guides to real cards is run as it is written, on simulated readers.

Only two things are not as on the pages: the folder is one of the test, and what is behind the pins
is the twin. The doctor of a USB reader is run with virtual ones, in `tests/hardware/pcsc`.
"""

import io
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.settings import deck_path
from companion.cli import doctor, main
from companion.games import find_game
from companion.setup.deck_file import load_deck
from hardware.doctor import DoctorReport, Person, examine_table
from hardware.doctor.examine import Workplace
from hardware.doctor.rehearsal import healthy_machine, rehearse_examination, rehearse_stage
from hardware.doctor.stages import StageOfWork, list_stages
from hardware.measure.file import load_measured
from hardware.simulated_table import build_world
from hardware.simulator.world import World
from hardware.wiring import Wiring, load_profile
from tests.docs.test_commands import commands_of, shown_lines
from tests.worlds.fresh_table import CARD
from tests.worlds.paths import ROOT

PAGE, README = ROOT / "docs/first-table.md", ROOT / "README.md"
BUILT, USB = ROOT / "docs/build-the-table.md", ROOT / "docs/usb-reader.md"
COMMANDS = commands_of(PAGE)
LONE = load_profile("one-reader")
BOX = find_game("robby_solo").standard_box()
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


def written(command: str, *options: str) -> list[str]:
    """Return the words of the one command of the page that has these options."""
    found = [words for words in COMMANDS if words[0] == command and {*options} <= {*words}]
    return min(found, key=len)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("COMPANION_DATA", "TMPDIR", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """One module on the pins of this machine, with a sticker on it, and somebody who says yes."""
    world = build_world(LONE)
    world.lay(CARD, 0)

    def examine_here(wiring: Wiring, person: Person, on_line: object) -> DoctorReport:
        at = Workplace(healthy_machine(wiring), world.clock, world.pin_factory())
        return examine_table(wiring, person, at)

    monkeypatch.setattr(doctor, "examine_table", examine_here)
    monkeypatch.setattr(doctor, "time", world.clock)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" + 5 * "n\n" + 40 * "y\n"))
    with world.install_stand_ins():
        yield world


@pytest.mark.usefixtures("module")
def test_the_doctor_finds_all_well(capsys: Capture) -> None:
    assert main(written("doctor")) == 0
    assert "reader 1, card" in capsys.readouterr().out


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize("option", ["--measure", "--record"])
def test_the_doctor_writes_what_we_ask_for(option: str, tmp_path: Path, capsys: Capture) -> None:
    words = [word.replace("/tmp", str(tmp_path)) for word in written("doctor", option)]
    assert main(words) == 0
    if option == "--measure":
        assert load_measured(Path(words[-1])).farthest_mm() is not None
        assert "The sticker was heard over the middle up to" in capsys.readouterr().out
    assert Path(words[-1]).stat().st_size > 1_000


def test_a_box_is_enrolled(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    holds = BOX.tagged_pieces()
    monkeypatch.setattr(sys, "stdin", None)
    assert main([*written("enrol"), "--sim", "--data", str(home)]) == 0
    assert "All is there: 61 of 61." in capsys.readouterr().out
    assert len(load_deck(deck_path("robby_solo", home), BOX).things) == sum(holds.values())


def run_until(words: list[str], sign: str, home: Path) -> None:
    """Run a command on the twin until it prints a sign; then press Ctrl-C."""
    running = subprocess.Popen(
        [sys.executable, "-c", ON_THE_TWIN, *words], cwd=home,
        stdout=subprocess.PIPE, text=True, env={**os.environ, "COMPANION_DATA": str(home),
        "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert running.stdout is not None
    with running:
        assert any(sign in line for line in running.stdout)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=40)
    assert running.returncode == 0


@pytest.mark.parametrize("command", ["play", "run"])
def test_a_table_is_served_until_ctrl_c(command: str, home: Path) -> None:
    run_until(written(command), "http://", home)


def commands(page: Path, command: str) -> list[list[str]]:
    """Return every way in which a page shows a command, once each."""
    return [list(way) for way in dict.fromkeys(map(tuple, commands_of(page))) if way[0] == command]


@pytest.mark.parametrize("words", commands(BUILT, "wiring"), ids=" ".join)
def test_a_wiring_is_printed(words: list[str], capsys: Capture) -> None:
    assert main(words) == 0
    assert "dtparam=spi=on" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [words for words in commands(BUILT, "doctor") if "--measure" not in words],
    ids=" ".join,
)
def test_the_doctor_finds_a_built_table_well(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def examine_here(wiring: Wiring, person: Person, on_line: object) -> DoctorReport:
        return rehearse_examination(wiring)

    def stage_here(
        wiring: Wiring, work: StageOfWork, person: Person, on_line: object
    ) -> DoctorReport:
        return rehearse_stage(wiring, work)

    monkeypatch.setattr(doctor, "examine_table", examine_here)
    monkeypatch.setattr(doctor, "examine_stage", stage_here)
    assert main(words) == 0
    assert " bad " not in capsys.readouterr().out


def test_every_stage_has_its_command_on_the_page() -> None:
    shown = {tuple(words[2:]) for words in commands(BUILT, "doctor") if "--stage" in words}
    stages = [work for work in list_stages(load_profile()) if work.place < 2]
    assert shown == {(work.stage, *([str(work.place)] if work.place else [])) for work in stages}


def test_own_readers_are_measured_and_played_with(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    world = build_world(load_profile())
    world.lay(CARD, 0)
    monkeypatch.chdir(home)
    monkeypatch.setattr(doctor, "time", world.clock)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" + 5 * "n\n" + 80 * "y\n"))
    (measure,) = (words for words in commands(BUILT, "doctor") if "--measure" in words)
    with world.install_stand_ins():
        assert main(measure) == 0
    assert "The sticker was heard over the middle up to" in capsys.readouterr().out
    (play,) = commands(BUILT, "play")
    run_until(play, "http://", home)


@pytest.mark.parametrize("example", ["reader_simpletest.py", "button_simpletest.py"])
def test_an_example_waits_for_cards_and_presses(example: str, home: Path) -> None:
    (line,) = (line for line in shown_lines(BUILT) if example in line)
    _, name = shlex.split(line, comments=True)
    run_until([str(ROOT / name)], "Ctrl-C ends", home)


def test_a_game_with_one_usb_reader_is_played_without_one(home: Path) -> None:
    (play,) = commands(USB, "play")
    run_until(play, "http://", home)


def test_a_box_is_enrolled_at_a_usb_reader(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    (enrol,) = (words for words in commands(USB, "enrol") if "usb" in words)
    assert main([*enrol, "--sim", "--data", str(home)]) == 0
    assert "All is there: 61 of 61." in capsys.readouterr().out
