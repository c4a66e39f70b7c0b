"""Every mistake of a solderer is named by its cause, at its joint."""

from itertools import pairwise

import msgspec
import pytest

from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, get_language
from hardware.doctor import DoctorReport
from hardware.doctor.rehearsal import rehearse_examination, rehearse_stage
from hardware.doctor.stages import parse_stage
from hardware.simulator.soldering import Soldering
from hardware.wiring import Wiring, load_profile
from hardware.wiring.joints import Net, list_nets
from hardware.wiring.table import MODULE_PINS
from tests.worlds.solder_mistakes import MISTAKES, Mistake, Soldered, joined, opened

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


FLOATING = pytest.mark.parametrize("floating", [0x00, 0xFF], ids=["low", "high"])
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
