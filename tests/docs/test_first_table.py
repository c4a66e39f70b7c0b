"""Every command of the first table is run as it is written, on a simulated module.

Only two things are not as on the page: the folder `/tmp` is one of the test, and what is behind the
pins is the twin of the chip.
"""

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app import enrolment
from companion.app.settings import deck_path
from companion.app.setup.simulated_enrolment import SimulatedEnrolment, sticker_uid
from companion.cli import doctor, main
from companion.enrol.deck_file import load_deck
from companion.games import find_game
from hardware.doctor import DoctorReport, Person, examine_table
from hardware.doctor.examine import Workplace
from hardware.doctor.rehearsal import healthy_machine
from hardware.measure.file import load_measured
from hardware.simulated_table import build_world
from hardware.simulator.world import World
from hardware.wiring import Wiring, load_profile
from hardware.wiring.joints import list_nets
from tests.docs.test_commands import commands_of, shown_lines
from tests.worlds.paths import ROOT

PAGE, README = ROOT / "docs/first-table.md", ROOT / "README.md"
COMMANDS = commands_of(PAGE)
LONE = load_profile("one-reader")
BOX = find_game("robby_solo").standard_box()
ON_THE_TWIN = """
import sys
from companion.cli import main
from hardware.backends import BACKENDS
BACKENDS["pi"] = "hardware.simulated_table"
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
    world.lay(sticker_uid("card", 1), 0)

    def examine_here(wiring: Wiring, person: Person, on_line: object) -> DoctorReport:
        at = Workplace(healthy_machine(wiring), world.clock, world.pin_factory())
        return examine_table(wiring, person, at)

    monkeypatch.setattr(doctor, "examine_table", examine_here)
    monkeypatch.setattr(doctor, "time", world.clock)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" + 5 * "n\n" + 40 * "y\n"))
    with world.install_stand_ins():
        yield world


def test_nothing_else_is_typed_there() -> None:
    assert [words[0] for words in COMMANDS if len(words) > 1] == [
        "wiring", "doctor", "doctor", "enrol", "run", "play", "doctor",
    ]  # fmt: skip
    mine = [line for line in shown_lines(README) if "--profile one-reader" in line]
    assert len(mine) == 4
    assert {*mine} <= {*shown_lines(PAGE)}


def test_the_wires_are_those_of_the_page(capsys: Capture) -> None:
    assert main(written("wiring")) == 0
    printed = capsys.readouterr().out
    pins = [net.joints[0].pin for net in list_nets(LONE)]
    assert len(pins) == 7
    assert all(f"({pin})" in printed for pin in pins)
    (told,) = re.findall(r"lead to pins ([\d, and]+) of the Pi", PAGE.read_text("utf-8"))
    assert sorted(re.findall(r"\d+", told)) == sorted(pins)


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
    monkeypatch.setattr(enrolment, "WiredTable", lambda profile: SimulatedEnrolment(profile, holds))
    monkeypatch.setattr(sys, "stdin", None)
    assert main(written("enrol")) == 0
    assert "The deck is complete: 61 of 61." in capsys.readouterr().out
    assert len(load_deck(deck_path("robby_solo", home), BOX).things) == sum(holds.values())


@pytest.mark.parametrize("command", ["play", "run"])
def test_a_table_is_served_until_ctrl_c(command: str, home: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-c", ON_THE_TWIN, *written(command)],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "COMPANION_DATA": str(home)},
    )  # fmt: skip
    assert running.stdout is not None
    with running:
        assert any("http://" in line for line in running.stdout)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=40)
    assert running.returncode == 0
