"""Every mistake of a solderer is named by its cause, at its joint."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec
import pytest

from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, get_language
from hardware.doctor.rehearsal import rehearse_examination, rehearse_stage
from hardware.doctor.report import DoctorReport
from hardware.doctor.stages import parse_stage
from hardware.simulator import faults
from hardware.simulator.clock import MILLISECOND
from hardware.simulator.registers import RF_CFG
from hardware.simulator.soldering import Soldering
from hardware.wiring import Wiring, load_profile
from hardware.wiring.joints import Net, list_nets
from hardware.wiring.table import DECODER_PINS, MODULE_PINS
from tests.worlds.campaign import pick

# The mistakes of a solderer: what is done to the wires, and what the doctor is to say.

Mistake = Callable[[Soldering], object]
DIP = tuple(map(str, DECODER_PINS))
"""The pins of a 74HC138, as they are counted round it."""


class Soldered(NamedTuple):
    """A mistake, the stage that finds it ("" for the whole examination), and the doctor's line."""

    title: str
    mistake: Mistake
    what: str
    words: str
    """The cause, in the words of the line."""
    joints: tuple[str, ...] = ()
    stage: str = ""
    readers: int = 4
    gates: bool = True
    state: str = "bad"


def opened(*joints: str) -> Mistake:
    return lambda table: table.circuit.leave_open(*joints)


def joined(one: str, other: str) -> Mistake:
    return lambda table: table.circuit.bridge_joints(one, other)


def swapped(one: str, other: str) -> Mistake:
    return lambda table: table.circuit.swap_wires(one, other)


def moved(joint: str, onto: str) -> Mistake:
    return lambda table: table.circuit.move_joint(joint, onto)


def broken(joint: str) -> Mistake:
    return lambda table: table.circuit.break_before(joint)


def turned(part: str, pins: Sequence[str], opposite: Sequence[str]) -> Mistake:
    return lambda table: table.circuit.turn_part(part, dict(zip(pins, opposite, strict=True)))


SUPPLY = "74HC138 U1, supply"
ADDRESS = "74HC138 U1, address lines"
RESET = "reset line of the readers"
THIRD = "reader 3, chip"
ALL = "readers 1, 2, 3 and 4"

BUS = [
    Soldered("two selects touch", joined("J-U1-14", "J-U1-13"), "selects of readers 2 and 3",
             "touch each other", ("J-RC2-SDA", "J-RC3-SDA", "J-U1-14", "J-U1-13")),
    Soldered("A0 open", opened("J-U1-1"), ADDRESS, "does not hear", ("J-U1-1", "J-P-15")),
    Soldered("A1 open at the Pi", opened("J-P-13"), ADDRESS, "does not hear", ("J-U1-2", "J-P-13")),
    Soldered("A2 open", opened("J-U1-3"), ADDRESS, "does not hear", ("J-U1-3", "J-P-11")),
    Soldered("A0 on 3.3 V", moved("J-U1-1", "J-U1-16"), ADDRESS, "does not hear", ("J-U1-1",),
             readers=8),
    Soldered("A0 touches A1", joined("J-U1-1", "J-U1-2"), ADDRESS, "touch each other",
             ("J-U1-1", "J-U1-2")),
    Soldered("A0 and A1 swapped", swapped("J-U1-1", "J-U1-2"), ADDRESS, "A0 and A1 are swapped",
             ("J-U1-1", "J-U1-2"), readers=8),
    Soldered("A0 and A2 swapped at the Pi", swapped("J-P-15", "J-P-11"), ADDRESS,
             "A0 and A2 are swapped", ("J-U1-1", "J-U1-3"), readers=8),
    Soldered("A1 and A2 swapped", swapped("J-U1-2", "J-U1-3"), ADDRESS, "A1 and A2 are swapped",
             ("J-U1-2", "J-U1-3"), readers=8),
    Soldered("selects of two readers swapped", swapped("J-U1-14", "J-U1-13"),
             "select of reader 2", "swapped with that of reader 3", ("J-U1-14", "J-U1-13"),
             readers=8),
    Soldered("selects of two readers swapped at the modules", swapped("J-RC2-SDA", "J-RC3-SDA"),
             THIRD, "readers 2 and 3 are swapped", ("J-RC2-SDA", "J-RC3-SDA")),
    Soldered("/G2A open", opened("J-U1-4"), ALL, "/G2A has no contact", ("J-U1-4",)),
    Soldered("MOSI open at the Pi", opened("J-P-19"), ALL, "MOSI has no contact", ("J-P-19",)),
    Soldered("MOSI open at a reader", opened("J-RC3-MOSI"), THIRD, "MOSI has no contact",
             ("J-RC3-MOSI",)),
    Soldered("MISO open at the Pi", opened("J-P-21"), ALL, "MISO has no contact", ("J-P-21",)),
    Soldered("MISO open at a reader", opened("J-RC3-MISO"), THIRD, "MISO has no contact",
             ("J-RC3-MISO",)),
    Soldered("MISO open at a reader, without gates", opened("J-RC3-MISO"), THIRD,
             "MISO has no contact", ("J-RC3-MISO",), gates=False),
    Soldered("SCK open behind its resistor", opened("J-RSCK0-2"), ALL, "SCK has no contact",
             ("J-RSCK0-2",)),
    Soldered("SCK open at a reader", opened("J-RC3-SCK"), THIRD, "SCK has no contact",
             ("J-RC3-SCK",)),
    Soldered("SCK ends in the middle of the line", broken("J-RC3-SCK"), "readers 3 and 4",
             "SCK ends before this", ("J-RC3-SCK",)),
    Soldered("select of a reader open", opened("J-RC3-SDA"), THIRD, "SDA has no contact",
             ("J-RC3-SDA",)),
    Soldered("MOSI and MISO swapped at a reader", swapped("J-RC3-MOSI", "J-RC3-MISO"), THIRD,
             "MOSI and MISO are swapped", ("J-RC3-MOSI", "J-RC3-MISO")),
    Soldered("MOSI touches MISO", joined("J-P-19", "J-P-21"), "MOSI and MISO",
             "the Pi hears itself", ("J-P-19", "J-P-21")),
    Soldered("no 3.3 V at a reader", opened("J-RC3-3.3V"), THIRD, "no 3.3 V arrives",
             ("J-RC3-3.3V",)),
    Soldered("no ground at a reader", opened("J-RC3-GND"), THIRD, "its ground has no contact",
             ("J-RC3-GND",)),
    Soldered("the regulator's output open", opened("J-VR-OUT"), ALL, "no 3.3 V arrives",
             ("J-VR-OUT",)),
    Soldered("the regulator has no ground", opened("J-VR-GND"), "3.3 V of the readers",
             "not 3.3 V", ("J-VR-IN", "J-VR-GND"), stage="power"),
    Soldered("the regulator bridged", joined("J-VR-IN", "J-VR-OUT"), "3.3 V of the readers",
             "more than 3.3 V", ("J-VR-IN", "J-VR-OUT"), stage="power"),
    Soldered("a reader on the 5 V rail", moved("J-RC3-3.3V", "J-P-2"), "reader 3, 3.3 V",
             "on the wrong rail", ("J-RC3-3.3V",), stage="power"),
    Soldered("3.3 V and ground swapped at a reader", swapped("J-RC3-3.3V", "J-RC3-GND"),
             "reader 3, 3.3 V", "the wrong way round", ("J-RC3-3.3V", "J-RC3-GND"), stage="power"),
    Soldered("RST open at a reader", opened("J-RC3-RST"), RESET, "does not reach every reader",
             ("J-RC3-RST",)),
    Soldered("RST open at the Pi", opened("J-P-22"), RESET, "reaches no reader", ("J-P-22",)),
    Soldered("a turned module", turned("RC3", MODULE_PINS, MODULE_PINS[::-1]), THIRD,
             "sits the wrong way round", ("J-RC3-SDA", "J-RC3-3.3V")),
    Soldered("a turned 74HC138", turned("U1", DIP, DIP[8:] + DIP[:8]), SUPPLY,
             "sits the wrong way round", ("J-U1-16", "J-U1-6", "J-U1-8", "J-U1-5")),
    Soldered("RST touches GND", joined("J-RC3-RST", "J-RC3-GND"), RESET, "touches GND",
             ("J-P-22",)),
]  # fmt: skip


SHORTS = [
    Soldered("SCK touches GND", joined("J-RC3-SCK", "J-P-25"), ALL, "SCK touches GND", ("J-P-23",)),
    Soldered("MOSI touches 3.3 V", joined("J-P-19", "J-P-17"), ALL, "MOSI touches 3.3 V",
             ("J-P-19",)),
    Soldered("MISO touches GND", joined("J-P-21", "J-P-25"), ALL, "MISO/MOSI touches GND",
             ("J-P-21",)),
    Soldered("MISO of a module touches GND", joined("J-RC3-MISO", "J-RC3-GND"), THIRD,
             "MOSI and MISO are swapped or touch GND", ("J-RC3-MISO",)),
    Soldered("SDA touches SCK", joined("J-RC3-SDA", "J-RC3-SCK"), THIRD, "SDA touches SCK",
             ("J-RC3-SDA", "J-RC3-SCK", "J-U1-13")),
    Soldered("SCK touches MOSI", joined("J-RC3-SCK", "J-RC3-MOSI"), ALL,
             "SCK touches GND, SDA, MOSI", ("J-P-23",)),
    Soldered("MISO touches SCK", joined("J-P-21", "J-P-23"), ALL, "SCK touches", ("J-P-23",)),
    Soldered("RST touches 3.3 V", joined("J-RC3-RST", "J-RC3-3.3V"), RESET,
             "RST does not touch 3.3 V", ("J-P-22",)),
]  # fmt: skip

DECODER = [
    Soldered(f"{pin} of the 74HC138 open", opened(joint), SUPPLY, f"solder {joint} again",
             ("J-U1-16", "J-U1-6", "J-U1-8", "J-U1-5"))
    for pin, joint in {"VCC": "J-U1-16", "GND": "J-U1-8", "G1": "J-U1-6", "/G2B": "J-U1-5"}.items()
]  # fmt: skip

THIRD_GATE = ("J-B1-10", "J-B1-9", "J-B1-8")
"""Enable, input and output."""
ROW = tuple(map(str, range(1, 15)))
GATES = [
    *(
        Soldered(f"{what} of a gate open", opened(joint), THIRD, "MISO has no contact", THIRD_GATE)
        for what, joint in zip(("enable", "input", "output"), THIRD_GATE, strict=True)
    ),
    Soldered("input and output of a gate swapped", swapped("J-B1-9", "J-B1-8"), THIRD,
             "MISO has no contact", THIRD_GATE),
    Soldered("enables of two gates swapped", swapped("J-B1-4", "J-B1-10"), THIRD,
             "MISO has no contact", THIRD_GATE),
    Soldered("enable of a gate on GND", moved("J-B1-10", "J-B1-7"), "MISO",
             "only reader 3 answers, as its gate stays open", ("J-B1-10",)),
    Soldered("MISO ends between two gates", broken("J-B1-8"), "readers 3 and 4",
             "MISO ends before this", ("J-B1-8",)),
    *(
        Soldered(f"{pin} of {part} of {readers} readers open", opened(f"J-{part}-{number}"),
                 f"74HC125 {part}, supply", f"solder J-{part}-{number} again",
                 (f"J-{part}-14", f"J-{part}-7"), readers=readers)
        for pin, number in (("VCC", 14), ("GND", 7))
        for part, readers in (("B1", 4), ("B1", 8), ("B2", 8))
    ),
    Soldered("a turned 74HC125", turned("B1", ROW, ROW[7:] + ROW[:7]), "74HC125 B1, supply",
             "sits the wrong way round", ("J-B1-14", "J-B1-7"), readers=8),
]  # fmt: skip


def slow_crystal(table: Soldering) -> None:
    table.world.chips[2].oscillator_ns = 30 * MILLISECOND


def clone(table: Soldering) -> None:
    """A chip of another make, in which the gain cannot be changed."""
    table.world.chips[2].fix_register(RF_CFG, 0x58)


def weak(table: Soldering) -> None:
    faults.frame_loss(table.world, 2, 0.3)


def keeps_the_line(table: Soldering) -> None:
    faults.grips_miso(table.world, 2)


PARTS = [
    Soldered("a crystal that starts slowly", slow_crystal, THIRD, "its crystal takes 3",
             state="doubtful"),
    Soldered("a clone with a register of its own", clone, THIRD, "0x26 in its own way",
             state="doubtful"),
    Soldered("a weak reader", weak, "reader 3, card", "reads weakly", state="doubtful"),
    Soldered("a module that does not release MISO", keeps_the_line, "MISO",
             "only reader 3 answers", ("J-RC3-MISO",), gates=False),
]  # fmt: skip

SEATS = [
    Soldered("a switch turned by 90°", joined("J-S3-1", "J-S3-2"), "button of seat 3",
             "is down though no one presses it", ("J-S3-1",), readers=0),
    Soldered("a button to 3.3 V", moved("J-S3-2", "J-P-1"), "button of seat 3",
             "its far side is on 3.3 V", ("J-S3-2",), readers=0),
    Soldered("two buttons swapped", swapped("J-S3-1", "J-S4-1"), "button of seat 3",
             "seat 4 answered: their wires are crossed", ("J-S3-1", "J-S4-1"), readers=0),
    Soldered("two buttons touch", joined("J-S3-1", "J-S4-1"), "button of seat 3",
             "seat 4 answered too", ("J-S3-1", "J-S4-1"), readers=0),
    Soldered("the wire of a button open", opened("J-P-31"), "button of seat 3", "no press",
             ("J-P-31", "J-S3-1"), readers=0),
    Soldered("the ground of a button open", opened("J-S3-2"), "button of seat 3", "no press",
             ("J-S3-2",), readers=0),
    Soldered("the ground of all buttons open", opened("J-P-39"), "ground of the buttons",
             "none of them works", ("J-P-39",), readers=0),
    Soldered("a lamp the wrong way round", swapped("J-L3-A", "J-L3-K"), "lamp of seat 3",
             "turn it round", ("J-L3-A", "J-L3-K"), readers=0),
    Soldered("a lamp on 3.3 V", moved("J-RL3-1", "J-P-1"), "lamp of seat 3",
             "lit though it should be dark", ("J-RL3-1",), readers=0),
    Soldered("two lamps swapped", swapped("J-RL3-1", "J-RL4-1"), "lamp of seat 3",
             "seat 4 answered: their wires are crossed", ("J-RL3-1", "J-RL4-1"), readers=0),
    Soldered("two lamps touch", joined("J-RL3-1", "J-RL4-1"), "lamp of seat 3",
             "seat 4 answered too", ("J-RL3-1", "J-RL4-1"), readers=0),
    Soldered("the wire of a lamp open", opened("J-RL3-1"), "lamp of seat 3",
             "no contact at", ("J-RL3-1",), readers=0),
    Soldered("the ground of a lamp open", opened("J-L3-K"), "lamp of seat 3",
             "no contact at", ("J-L3-K",), readers=0),
    Soldered("the ground of all lamps open", opened("J-P-30"), "ground of the lamps",
             "none of them works", ("J-P-30",), readers=0),
]  # fmt: skip

MISTAKES = [*BUS, *SHORTS, *DECODER, *GATES, *PARTS, *SEATS]


# The tests.

ENGLISH = get_language("en")
EIGHT = load_profile("eight-readers")


def wiring_with(readers: int, gates: bool = True) -> Wiring:
    """Return the default wiring with its first readers alone."""
    return msgspec.structs.replace(
        EIGHT,
        readers=dict(list(EIGHT.readers.items())[:readers]),
        buttons={} if readers else EIGHT.buttons,
        lamps={} if readers else EIGHT.lamps,
        address_lines=EIGHT.address_lines if readers else (),
        gates=gates,
    )


FLOATING = pytest.mark.parametrize("floating", [0x00, 0xFF][: pick(1, 2, 2)], ids=hex)
"""What a Pi reads while nothing drives MISO: its pins are pulled low, but for those of a Pi 5."""


def on_pi(floating: int, mistake: Mistake) -> Mistake:
    """Return a mistake at a Pi that reads a floating MISO so."""

    def solder(table: Soldering) -> None:
        assert table.world.bus.floating == 0x00
        table.world.bus.floating = floating
        mistake(table)

    return solder


def examine(soldered: Soldered, floating: int) -> DoctorReport:
    wiring = wiring_with(soldered.readers, soldered.gates)
    mistake = on_pi(floating, soldered.mistake)
    if soldered.stage:
        work = parse_stage(soldered.stage.split(), wiring)
        return rehearse_stage(wiring, work, solder=mistake)
    return rehearse_examination(wiring, solder=mistake)


@FLOATING
@pytest.mark.parametrize("soldered", MISTAKES, ids=lambda soldered: soldered.title)
def test_a_mistake_is_named_by_its_cause_and_joints(soldered: Soldered, floating: int) -> None:
    report = examine(soldered, floating)
    (line,) = (line for line in report.lines if ENGLISH(line.what) == soldered.what)
    said = ENGLISH(line.said)
    assert line.state == soldered.state
    assert soldered.words in said
    named = {word.strip(",.:;") for word in said.split() if word.startswith("J-")}
    assert set(soldered.joints) <= named
    assert named <= {joint.name for net in list_nets(EIGHT) for joint in net.joints}
    for code in LANGUAGES:
        assert named <= {word.strip(",.:;") for word in get_language(code)(line.said).split()}


LONE = load_profile("one-reader")
SEVEN = list_nets(LONE)


@FLOATING
@pytest.mark.parametrize("wire", SEVEN, ids=lambda wire: wire.joints[-1].name)
def test_each_of_the_seven_wires_of_one_reader_is_named_when_it_is_loose(
    wire: Net, floating: int
) -> None:
    for end in wire.joints:
        report = rehearse_examination(LONE, solder=on_pi(floating, opened(end.name)))
        (line,) = (line for line in report.lines if line.state == "bad")
        assert any(joint.name in ENGLISH(line.said) for joint in wire.joints)
        others = {joint.name for net in SEVEN if net != wire for joint in net.joints}
        assert not [name for name in others if name in ENGLISH(line.said)]
        assert "solder" not in ENGLISH(line.said)


NEIGHBOURS = [*pairwise(MODULE_PINS[:4]), *pairwise(MODULE_PINS[5:]), ("SCK", "GND")]


@FLOATING
@pytest.mark.parametrize("pins", NEIGHBOURS, ids="-".join)
def test_two_pins_of_one_reader_that_touch_are_never_well(
    pins: tuple[str, str], floating: int
) -> None:
    one, other = (f"J-RC1-{pin}" for pin in pins)
    report = rehearse_examination(LONE, solder=on_pi(floating, joined(one, other)))
    (line,) = (line for line in report.lines if line.state == "bad")
    said = f"{ENGLISH(line.what)} {ENGLISH(line.said)}"
    assert any(pin in said for pin in pins)


def test_one_reader_on_seven_wires_is_well_and_has_no_stage_of_soldering() -> None:
    report = rehearse_examination(LONE, solder=lambda table: None)
    assert {line.state for line in report.lines} == {"good"}
    with pytest.raises(Malformed, match="nothing is soldered in this wiring"):
        parse_stage(["bus"], LONE)


@pytest.mark.parametrize("readers", [0, 4])
def test_wires_without_a_mistake_are_well(readers: int) -> None:
    report = rehearse_examination(wiring_with(readers), solder=lambda table: None)
    assert {line.state for line in report.lines} == {"good"}
