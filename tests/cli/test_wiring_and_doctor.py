"""`companion wiring` and `companion doctor`, as they are typed."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.cli import doctor, main
from companion.core.i18n import LANGUAGES
from hardware.doctor.examine import Workplace, examine_table
from hardware.doctor.machine import MachineFacts
from hardware.doctor.report import DoctorReport, Person, ReportLine
from hardware.simulator.world import World
from hardware.wiring import Wiring

ALL_IS_WELL = {"en": "All is well", "fr": "Tout va bien", "de": "Alles in Ordnung"}
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _no_file_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path))  # the doctor sets it where it is not set


def refused(words: list[str], capsys: Capture) -> str:
    """What the command says when it cannot be done: one sentence, and nothing else."""
    assert main(words) == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    assert heard.err.startswith(f"companion {words[0]}: ")
    assert heard.err.count("\n") == 1
    return heard.err


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", ["wiring", "doctor"])
def test_a_profile_that_does_not_exist_says_what_to_type(
    command: str, lang: str, tmp_path: Path, capsys: Capture
) -> None:
    said = refused([command, "--profile", "nine", "--lang", lang], capsys)
    assert "nine" in said
    assert "eight-readers, five-readers" in said
    none = tmp_path / "none.toml"
    assert str(none) in refused([command, "--profile", str(none), "--lang", lang], capsys)
    none.write_bytes(b"title = '\xff'")
    assert "UTF-8" in refused([command, "--profile", str(none), "--lang", lang], capsys)
    none.write_text("title = 'x'\n[buttons]\n1 = 4\n2 = 4\n")
    said = refused([command, "--profile", str(none), "--lang", lang], capsys)
    assert "BCM 4" in said.replace("\u00a0", " ")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_simulated_table_is_well(lang: str, capsys: Capture) -> None:
    assert main(["doctor", "--profile", "five-readers", "--sim", "--lang", lang]) == 0
    heard = capsys.readouterr()
    assert ALL_IS_WELL[lang] in heard.out.splitlines()[-1]
    assert heard.err == ""


@pytest.fixture
def table_under_doctor(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A simulated table under the doctor who thinks it is a real one."""
    lines = frozenset({"/dev/spidev0.0"})
    groups, packages = frozenset({"spi", "gpio"}), frozenset({"rpi.gpio"})
    machine = MachineFacts("Raspberry Pi 4 Model B", lines, lines, groups, packages)
    with World().install_stand_ins() as world:
        at = Workplace(machine, world.clock, world.pin_factory())

        def examine_here(
            wiring: Wiring, person: Person, on_line: Callable[[ReportLine], object]
        ) -> DoctorReport:
            return examine_table(wiring, person, at, on_line)

        monkeypatch.setattr(doctor, "examine_table", examine_here)
        yield world


@pytest.mark.usefixtures("table_under_doctor")
@pytest.mark.parametrize(("lang", "yes"), [("en", "y"), ("fr", "o"), ("de", "j")])
def test_a_person_is_asked_on_the_side_and_the_report_is_the_output(
    lang: str, yes: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Nobody presses, no card and no lead is laid, every lamp is seen."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n" * 14 + "0\n1\n2\n3\n4\n5\n6\n"))
    assert main(["doctor", "--lang", lang]) == 1
    heard = capsys.readouterr()
    assert f"[{yes}" in heard.err
    assert heard.err.count("?") == 8 + 6 + 7
    assert "?" not in heard.out
    assert heard.out.count("15") == 6 + heard.out.count("(15)")
    assert heard.err.count("15") == 6, "what is not good is told before the next question"


@pytest.mark.usefixtures("table_under_doctor")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_terminal_where_nobody_answers_is_one_sentence(
    lang: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for stdin in (io.StringIO(""), None):
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main(["doctor", "--lang", lang]) == 2
        heard = capsys.readouterr()
        assert heard.out == ""
        assert "--sim" in heard.err.splitlines()[-1]
