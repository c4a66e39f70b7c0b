"""The diagnosis of silent readers: the next measurement, and the faulty joint. Pure.

Laws: what feeds or selects many readers is asked for before what is wrong at one of them. A lead
cures a wire that is open; what no lead cures has no supply, touches its neighbour or is turned.
Whether a silent reader reads 00 or FF says nothing: that is the pull of the Pi's pin.
"""

from typing import NamedTuple

from companion.core.i18n import N_, Message, message
from hardware.rc522.wire_check import MARKS, BusFacts, Lead, Points
from hardware.rc522.wire_faults import Cause, find_shared_causes, select_source
from hardware.wiring.joints import (
    Joint,
    bus_joint,
    decoder_devices,
    decoder_part,
    gate_of,
    gate_parts,
    ground_joint,
    header_joint,
    reader_part,
    series_joints,
    supply_joints,
)
from hardware.wiring.wires import BUSES, ENABLES, Wiring

WORKS_FROM = 2.5
"""Least volts that a chip works at."""
SIGNALS = ("SCK", "MOSI", "MISO")
HELD = N_("{signal} touches {options}: look at {several}; unplug one reader after the other")
"""Causes that hold a line of the bus, so that no reader answers."""

Group = tuple[int, ...]
"""The places of readers that are silent alike."""


class LogicChip(NamedTuple):
    """A 74HC138 or 74HC125, the readers behind it, and where its supply is measured."""

    kind: str
    part: str
    places: Group
    points: tuple[Points, ...]


def find_causes(wiring: Wiring, facts: BusFacts) -> list[Cause]:
    """Return every cause that the facts show, those of many readers first."""
    silent = [_explain_silence(wiring, facts, group) for group in silent_groups(wiring, facts)]
    return [*find_shared_causes(wiring, facts), *silent]


def silent_groups(wiring: Wiring, facts: BusFacts) -> list[Group]:
    """Group the silent readers by a fault that may be common to them: the whole bus, the end of its
    line, a 74HC138 or 74HC125, or a single reader."""
    explained = {p for cause in find_shared_causes(wiring, facts) for p in cause.places}
    groups: list[Group] = []
    for bus in sorted({a.bus for a in wiring.spi_readers().values()}):
        line = _line_of(wiring, bus)
        silent = tuple(p for p in line if _is_silent(facts, p) and p not in explained)
        alike = len({facts.chips[p].version for p in silent}) == 1
        if silent and alike and silent == line[-len(silent) :]:
            groups.append(silent)
            continue
        for chip in _logic_chips(wiring):
            if set(chip.places) <= set(silent).difference(*groups):
                groups.append(chip.places)
        groups += [(place,) for place in silent if not any(place in group for group in groups)]
    return groups


def supply_points(wiring: Wiring, place: int) -> list[Points]:
    """Return the two pairs of points to measure a reader's supply at: against its own ground, and
    the source's."""
    high, own = (Joint(reader_part(place), pin) for pin in ("3.3V", "GND"))
    return [Points(high, own), Points(high, supply_joints(wiring)[1])]


def chips_before(wiring: Wiring, group: Group) -> list[LogicChip]:
    """Return the 74HC138 and the 74HC125 that serve just these readers."""
    return [chip for chip in _logic_chips(wiring) if chip.places == group]


def module_points(wiring: Wiring, facts: BusFacts, group: Group) -> list[Points]:
    """Return the points to measure at a silent reader's module that no lead has cured."""
    place = group[0]
    supply = [points for points in supply_points(wiring, place) if points not in facts.volts]
    return [*supply, _turned_points(place), _select_points(wiring, place)]


def lacks_supply(wiring: Wiring, facts: BusFacts, place: int) -> bool:
    """Return whether a reader was measured, and has no 3.3 V or no ground."""
    own, _ = supply_points(wiring, place)
    return facts.volts.get(own, WORKS_FROM) < WORKS_FROM


def lacking_pins(facts: BusFacts, chip: LogicChip) -> list[Joint]:
    """Return the supply pins of a chip that were measured, and have no contact."""
    low = [points for points in chip.points if facts.volts.get(points, WORKS_FROM) < WORKS_FROM]
    return [joint for points in low for joint in points if joint.part == chip.part]


def is_held(wiring: Wiring, facts: BusFacts, group: Group) -> bool:
    """Return whether all readers of a bus stay silent, and nothing measured says why."""
    place = group[0]
    return (
        group == _line_of(wiring, wiring.spi_readers()[place].bus)
        and facts.cures.get(place, facts) is None
        and not lacks_supply(wiring, facts, place)
        and not _is_select_low(wiring, facts, place)
        and facts.volts.get(_turned_points(place), 0) < WORKS_FROM
    )


def list_leads(wiring: Wiring, group: Group) -> list[Lead]:
    """Return the leads worth laying to the first of some silent readers."""
    place = group[0]
    address, part = wiring.spi_readers()[place], reader_part(place)
    leads = [
        Lead("/G2A", header_joint(ENABLES[address.spi_device]), Joint(chip.part, "4"))
        for chip in chips_before(wiring, group)
        if chip.kind == "74HC138"
    ]
    if len(group) == 1:
        leads.append(Lead("SDA", select_source(wiring, address), Joint(part, "SDA")))
    at_pi = zip(SIGNALS, map(header_joint, BUSES[address.bus]), strict=True)
    return [*leads, *(Lead(signal, pin, Joint(part, signal)) for signal, pin in at_pi)]


def _explain_silence(wiring: Wiring, facts: BusFacts, group: Group) -> Cause:
    """Explain readers that answer 00 or FF to everything."""
    place = group[0]
    what = message("reader {place}, chip", place=place)
    if len(group) > 1:
        what = message("readers {several}", several=[str(p) for p in group])
    lead, supply = facts.cures.get(place), facts.volts.get(supply_points(wiring, place)[0])
    for chip in () if lead else chips_before(wiring, group):
        if lacking := lacking_pins(facts, chip):
            title = message("{kind} {part}, supply", kind=chip.kind, part=chip.part)
            return Cause(title, "bad", _say_chip_supply(chip, lacking), group)
    if lead is not None:
        said = _say_open_wire(wiring, facts, group, lead)
    elif facts.volts.get(_turned_points(place), 0) >= WORKS_FROM:
        text = (
            "sits the wrong way round, or SCK and RST are swapped: pull the plug at once, and look "
            "at {several}"
        )
        said = message(text, several=_pins_of(place, "SDA", "3.3V", "SCK", "RST"))
    elif _is_select_low(wiring, facts, place) and not lacks_supply(wiring, facts, place):
        said = _say_held_select(wiring, place)
    elif place in facts.loops:
        said = _say_held_line(wiring, facts, group)
    elif supply is None:
        text = "no answer: no 3.3 V, or SDA, SCK, MOSI or MISO has no contact; check {several}"
        said = message(text, several=_pins_of(place, "3.3V", "GND", "SDA", *SIGNALS))
    elif supply < WORKS_FROM:
        said = _say_no_supply(wiring, facts, group)
    else:
        text = (
            "no answer, though it has 3.3 V: MOSI and MISO are swapped or touch GND at {several}, "
            "SDA touches 3.3 V, or the module is broken"
        )
        said = message(text, several=_pins_of(place, "MOSI", "MISO"))
    return Cause(what, "bad", said, group)


def _say_open_wire(wiring: Wiring, facts: BusFacts, group: Group, lead: Lead) -> Message:
    """Name the joints of a wire that a lead was good for. Two selects that are swapped open each
    other's gates, and a lead for one helps both."""
    alike = [p for p, cure in facts.cures.items() if cure and cure.signal == lead.signal == "SDA"]
    if wiring.gates and len(alike) > 1:
        text = "SDA has no contact, or readers {several} are swapped: look at {others}"
        looked = [Joint(reader_part(p), "SDA").name for p in alike]
        return message(text, several=[str(p) for p in alike], others=looked)
    bus, ends = wiring.spi_readers()[group[0]].bus, [lead.end]
    gate = gate_of(wiring, group[0]) if lead.signal == "MISO" else None
    if gate:
        ends = [gate.output] if len(group) > 1 else [lead.end, gate.input, gate.output, gate.enable]
    if wiring.is_lone_module or (group == _line_of(wiring, bus) and lead.signal != "SDA"):
        ends = [lead.start, *series_joints(wiring, bus, lead.signal), *ends]
    joints = [joint.name for joint in ends]
    if len(group) > 1 and len(joints) == 1:
        text = "the lead helps, so {signal} ends before this: solder {several}, and the wire to it"
        return message(text, signal=lead.signal, several=joints)
    text = "the lead helps, so {signal} has no contact: {thing}"
    return message(text, signal=lead.signal, thing=_mend_contact(wiring, joints))


def _mend_contact(wiring: Wiring, joints: list[str]) -> Message:
    """Word the cure of bad joints: a lone module is plugged, the others are soldered."""
    if wiring.is_lone_module:
        return message("plug {several} in again", several=joints)
    return message("solder {several} again", several=joints)


def _say_chip_supply(chip: LogicChip, lacking: list[Joint]) -> Message:
    pins = [joint.name for points in chip.points for joint in points if joint.part == chip.part]
    half = len(pins) // 2
    right = message("3.3 V at {several}, 0 V at {others}", several=pins[:half], others=pins[half:])
    if len(lacking) == len(pins):
        text = (
            "sits the wrong way round, or not in its socket: pull the plug at once; with the notch "
            "as drawn there is {thing}"
        )
        return message(text, thing=right)
    text = "solder {several} again; there must be {thing}"
    return message(text, several=[joint.name for joint in lacking], thing=right)


def _say_held_select(wiring: Wiring, place: int) -> Message:
    """Explain a select that is low at rest: it touches its neighbour."""
    joints = [Joint(reader_part(place), pin) for pin in ("SDA", "SCK")]
    joints.append(select_source(wiring, wiring.spi_readers()[place]))
    return message("SDA touches SCK or GND: look at {several}", several=[j.name for j in joints])


def _say_held_line(wiring: Wiring, facts: BusFacts, group: Group) -> Message:
    """Explain a bus on which no lead helps, by the bytes that came back over MOSI and MISO
    joined."""
    place, came = group[0], facts.loops[group[0]]
    bus = wiring.spi_readers()[place].bus
    at_pi = dict(zip(SIGNALS, map(header_joint, BUSES[bus]), strict=True))

    def joints(*signals: str) -> list[str]:
        named = list[Joint]()
        for signal in signals:
            named += [
                at_pi[signal],
                *series_joints(wiring, bus, signal),
                bus_joint(wiring, place, signal),
            ]
        return [joint.name for joint in named]

    if came == MARKS and len(group) == 1:
        text = "MOSI and MISO are swapped at {several}, or SCK touches its neighbour at {others}"
        return message(text, several=joints("MOSI", "MISO"), others=joints("SCK"))
    if came == MARKS:
        return message(HELD, signal="SCK", options="GND, SDA, MOSI", several=joints("SCK"))
    if any(came):
        line = "MOSI" if facts.chips[place].version == 0x00 else "MISO"
        return message(HELD, signal=line, options="3.3 V, SCK", several=joints(line))
    return message(HELD, signal="MISO/MOSI", options="GND", several=joints("MISO", "MOSI"))


def _say_no_supply(wiring: Wiring, facts: BusFacts, group: Group) -> Message:
    """Explain a reader that lacks its 3.3 V or its ground."""
    part = reader_part(group[0])
    supply, ground = Joint(part, "3.3V").name, Joint(part, "GND").name
    _, source = (facts.volts.get(points, 0) for points in supply_points(wiring, group[0]))
    if source >= WORKS_FROM:
        text = "its ground has no contact; {thing}"
        ends = [supply_joints(wiring)[1].name, ground] if wiring.is_lone_module else [ground]
        return message(text, thing=_mend_contact(wiring, ends))
    text = "no sensible answer, because no 3.3 V arrives: {thing}, and look for a short to GND"
    start = [supply_joints(wiring)[0].name] if group == tuple(wiring.spi_readers()) else []
    ends = [*start, supply] if wiring.is_lone_module else start or [supply]
    return message(text, thing=_mend_contact(wiring, ends))


def _pins_of(place: int, *pins: str) -> list[str]:
    """Return the joints of a module."""
    return [Joint(reader_part(place), pin).name for pin in pins]


def _turned_points(place: int) -> Points:
    """Return between which pins a module shows 3.3 V only if it is turned: RST is high at rest."""
    return Points(*(Joint(reader_part(place), pin) for pin in ("SCK", "RST")))


def _is_select_low(wiring: Wiring, facts: BusFacts, place: int) -> bool:
    return facts.volts.get(_select_points(wiring, place), WORKS_FROM) < WORKS_FROM


def _select_points(wiring: Wiring, place: int) -> Points:
    return Points(Joint(reader_part(place), "SDA"), supply_joints(wiring)[1])


def _line_of(wiring: Wiring, bus: int) -> Group:
    return tuple(place for place, a in wiring.spi_readers().items() if a.bus == bus)


def _logic_chips(wiring: Wiring) -> list[LogicChip]:
    """Return every 74HC138 and 74HC125, with its supply: the pins at 3.3 V before those at 0 V."""
    readers, supply, chips = wiring.spi_readers(), Joint("C1", "+"), list[LogicChip]()

    def add(kind: str, part: str, places: Group, highs: str, lows: str) -> None:
        ground = ground_joint("decoder" if kind == "74HC138" else "power")
        points = [Points(Joint(part, pin), ground) for pin in highs.split()]
        points += [Points(supply, Joint(part, pin)) for pin in lows.split()]
        chips.append(LogicChip(kind, part, places, tuple(points)))

    for device in decoder_devices(wiring):
        mine = tuple(p for p, a in readers.items() if a.kind == "mux" and a.spi_device == device)
        add("74HC138", decoder_part(wiring, readers[mine[0]]), mine, "16 6", "8 5")
    for part, places in gate_parts(wiring).items():
        add("74HC125", part, places, "14", "7")
    return chips


def _is_silent(facts: BusFacts, place: int) -> bool:
    chip = facts.chips[place]
    return chip.trouble is None and not chip.answers
