"""The mistakes of a solderer: what is done to the wires, and what the doctor is to say.

Law: a mistake is a fact of the circuit or of a part, by the joints of the drawing. The doctor never
reads this list.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hardware.simulator import faults
from hardware.simulator.clock import MILLISECOND
from hardware.simulator.registers import RF_CFG
from hardware.simulator.soldering import Soldering
from hardware.wiring.table import DECODER_PINS, MODULE_PINS

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
    Soldered("MISO touches GND", joined("J-P-21", "J-P-25"), ALL, "MISO or MOSI touches GND",
             ("J-P-21",)),
    Soldered("MISO of a module touches GND", joined("J-RC3-MISO", "J-RC3-GND"), THIRD,
             "MOSI and MISO are swapped or touch GND", ("J-RC3-MISO",)),
    Soldered("SDA touches SCK", joined("J-RC3-SDA", "J-RC3-SCK"), THIRD, "SDA touches SCK",
             ("J-RC3-SDA", "J-RC3-SCK", "J-U1-13")),
    Soldered("SCK touches MOSI", joined("J-RC3-SCK", "J-RC3-MOSI"), ALL,
             "SCK touches GND, SDA or MOSI", ("J-P-23",)),
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
    Soldered("a switch turned by 90°", joined("J-S3-1", "J-S3-2"), "seat 3, button",
             "is down though no one presses it", ("J-S3-1",), readers=0),
    Soldered("a button to 3.3 V", moved("J-S3-2", "J-P-1"), "seat 3, button",
             "its far side is on 3.3 V", ("J-S3-2",), readers=0),
    Soldered("two buttons swapped", swapped("J-S3-1", "J-S4-1"), "seat 3, button",
             "seat 4 answered: their wires are crossed", ("J-S3-1", "J-S4-1"), readers=0),
    Soldered("two buttons touch", joined("J-S3-1", "J-S4-1"), "seat 3, button",
             "seat 4 answered too", ("J-S3-1", "J-S4-1"), readers=0),
    Soldered("the wire of a button open", opened("J-P-31"), "seat 3, button", "no press",
             ("J-P-31", "J-S3-1"), readers=0),
    Soldered("the ground of a button open", opened("J-S3-2"), "seat 3, button", "no press",
             ("J-S3-2",), readers=0),
    Soldered("the ground of all buttons open", opened("J-P-39"), "ground of the buttons",
             "none of them works", ("J-P-39",), readers=0),
    Soldered("a lamp the wrong way round", swapped("J-L3-A", "J-L3-K"), "seat 3, lamp",
             "turn it round", ("J-L3-A", "J-L3-K"), readers=0),
    Soldered("a lamp on 3.3 V", moved("J-RL3-1", "J-P-1"), "seat 3, lamp",
             "lit though it should be dark", ("J-RL3-1",), readers=0),
    Soldered("two lamps swapped", swapped("J-RL3-1", "J-RL4-1"), "seat 3, lamp",
             "seat 4 answered: their wires are crossed", ("J-RL3-1", "J-RL4-1"), readers=0),
    Soldered("two lamps touch", joined("J-RL3-1", "J-RL4-1"), "seat 3, lamp",
             "seat 4 answered too", ("J-RL3-1", "J-RL4-1"), readers=0),
    Soldered("the wire of a lamp open", opened("J-RL3-1"), "seat 3, lamp",
             "its wire has no contact", ("J-RL3-1",), readers=0),
    Soldered("the ground of a lamp open", opened("J-L3-K"), "seat 3, lamp",
             "its ground has no contact", ("J-L3-K",), readers=0),
    Soldered("the ground of all lamps open", opened("J-P-30"), "ground of the lamps",
             "none of them works", ("J-P-30",), readers=0),
]  # fmt: skip

MISTAKES = [*BUS, *SHORTS, *DECODER, *GATES, *PARTS, *SEATS]
