"""The doctor on the simulated table: what is well is called well, each fault by its name."""

from functools import partial

import msgspec
import pytest

from companion.core.i18n import Message, get_language
from hardware.doctor.examine import Workplace, examine_table
from hardware.doctor.machine import MachineFacts, examine_machine
from hardware.doctor.rehearsal import Fault, SimulatedPerson, rehearse_examination
from hardware.doctor.report import DoctorReport, ReportLine, TerminalPerson
from hardware.simulator.faults import grips_miso, silence_reader, slow_wires
from hardware.simulator.transceiver import Make
from hardware.simulator.world import World
from hardware.wiring import load_profile

WIRING = load_profile("eight-readers")
ENGLISH = get_language("en")
SILENT = partial(silence_reader, reader=2, byte=0xFF)
PI4 = MachineFacts(
    model="Raspberry Pi 4 Model B",
    devices=frozenset({"/dev/spidev0.0"}),
    usable=frozenset({"/dev/spidev0.0"}),
    groups=frozenset({"spi", "gpio", "anna"}),
    packages=frozenset({"rpi.gpio", "mfrc522"}),
)


def said(report: DoctorReport, what: str) -> ReportLine:
    (line,) = (line for line in report.lines if ENGLISH(line.what) == what)
    return line


@pytest.mark.parametrize("profile", ["eight-readers", "five-readers"])
def test_a_table_that_is_well_gets_a_clean_bill(profile: str) -> None:
    report = rehearse_examination(load_profile(profile))
    assert {line.state for line in report.lines} == {"good"}
    assert report.exit_status == 0
    assert report.render_table(ENGLISH).endswith("All is well.\n")


@pytest.mark.parametrize(
    ("fault", "what", "state", "words"),
    [
        (SILENT, "reader 3, chip", "bad", "no answer, though it has 3.3 V"),
        (partial(slow_wires, hz=300_000), "reader 8, speed", "doubtful", "only 250 kHz"),
        (partial(grips_miso, reader=4), "MISO", "bad", "only reader 5 answers"),
    ],
)
def test_each_fault_is_called_by_its_name(fault: Fault, what: str, state: str, words: str) -> None:
    fast = msgspec.structs.replace(WIRING, hertz=1_000_000)
    line = said(rehearse_examination(fast, fault), what)
    assert line.state == state
    assert words in ENGLISH(line.said)


def test_crossed_buttons_a_dark_lamp_and_no_cards() -> None:
    """Somebody who presses the neighbour's button, sees nothing and has no card."""

    class Clumsy(SimulatedPerson):
        def ask_for_press(self, seat: int) -> None:
            super().ask_for_press(seat % 6 + 1)

        def lit_lamps(self) -> frozenset[int]:
            return super().lit_lamps() & {1}

        def lays_card(self, place: int) -> bool:
            return False

    world, heard = World(), list[ReportLine]()
    with world.install_stand_ins():
        at = Workplace(PI4, world.clock, world.pin_factory())
        report = examine_table(WIRING, Clumsy(world, WIRING), at, heard.append)
    assert heard == list(report.lines)
    assert "seat 2 answered" in ENGLISH(said(report, "button of seat 1").said)
    assert said(report, "lamp of seat 2").state == "bad"
    assert said(report, "reader 1, card").state == "skipped"


def test_every_pin_is_free_again_afterwards() -> None:
    world = World()
    with world.install_stand_ins():
        at = Workplace(PI4, world.clock, world.pin_factory())
        examine_table(WIRING, SimulatedPerson(world, WIRING), at)
    assert [pin for pin in range(28) if world.pins.is_output(pin)] == []
    assert world.fields_on() == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model": "Raspberry Pi 5"}, "this Pi and its kernel need rpi-lgpio; type: pip"),
        ({"model": "Raspberry Pi Compute Module 5"}, "need rpi-lgpio; type: pip"),
        ({"kernel": (6, 6)}, "this Pi and its kernel need rpi-lgpio; type: pip"),
        ({"packages": frozenset()}, "type: pip install RPi.GPIO spidev"),
        ({"packages": frozenset(), "kernel": (6, 12)}, "type: sudo apt install python3-rpi-lgpio"),
        ({"packages": frozenset(), "model": "Raspberry Pi 5"}, "type: sudo apt install python3"),
        ({"packages": frozenset({"rpi.gpio", "rpi-lgpio"})}, "overwrite each other; type: pip"),
        ({"devices": frozenset()}, "write dtparam=spi=on and dtoverlay=spi0-1cs into /boot"),
        ({"usable": frozenset()}, "no permission; type: sudo usermod -aG spi,gpio"),
        ({"groups": frozenset({"anna", "spi"})}, "no permission; type: sudo usermod -aG gpio"),
    ],
)
def test_what_the_machine_lacks_comes_with_what_to_type(
    changes: dict[str, object], words: str
) -> None:
    lines = examine_machine(msgspec.structs.replace(PI4, **changes), WIRING)
    (bad,) = (ENGLISH(line.said) for line in lines if line.state == "bad")
    assert words in bad


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model": "Raspberry Pi 5"}, "type: sudo apt install python3-rpi-lgpio"),
        ({"packages": frozenset()}, "type: sudo apt install python3-rpi-lgpio python3-spidev"),
        ({"packages": frozenset({"rpi.gpio", "rpi-lgpio"})}, "type: sudo apt install python3-rpi"),
        ({"devices": frozenset()}, "write dtparam=spi=on and dtoverlay=spi0-1cs into /boot"),
        ({"usable": frozenset()}, "type: sudo dpkg-reconfigure companion"),
        ({"groups": frozenset({"companion", "spi"})}, "type: sudo dpkg-reconfigure comp"),
    ],
)
def test_what_a_debian_package_put_there_debian_mends(
    changes: dict[str, object], words: str
) -> None:
    machine = msgspec.structs.replace(PI4, installed="apt", **changes)
    (bad,) = (line.said for line in examine_machine(machine, WIRING) if line.state == "bad")
    assert words in ENGLISH(bad)
    assert not any(word in ENGLISH(bad) for word in ("pip ", "usermod"))


def test_a_person_at_a_terminal_is_asked_in_words() -> None:
    heard, answers = list[str](), iter(["2, 4", "n", " Ja ", "3,3 V", "none"])

    def tell(saying: Message) -> None:
        heard.append(ENGLISH(saying))

    def ask(question: Message) -> str:
        tell(question)
        return next(answers)

    person = TerminalPerson(tell, ask)
    person.ask_for_press(3)
    assert person.lit_lamps() == {2, 4}
    assert not person.lays_card(5)
    assert person.lays_card(6)
    assert person.reads_voltage("J-C1-+", "J-C1--") == 3.3
    assert person.reads_voltage("J-C1-+", "J-C1--") is None
    assert "seat 3" in heard[0]
    assert "lamps" in heard[1]
    assert "reader 5" in heard[2]


def test_a_clone_is_named() -> None:
    heard = []
    for version in (0x88, 0x12):
        world = World(make=Make(version=version))
        with world.install_stand_ins():
            at = Workplace(PI4, world.clock, world.pin_factory())
            report = examine_table(WIRING, SimulatedPerson(world, WIRING), at)
        heard.append(ENGLISH(said(report, "reader 1, chip").said))
    assert heard[0].startswith("a clone (FM17522)")
    assert heard[1].startswith("a clone (0x12)")
