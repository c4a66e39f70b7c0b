"""The diagnosis of readers that are silent: what to measure, and which joint is wrong. Pure.

Laws: what feeds or selects many readers is asked for before what is wrong at one of them. A lead
cures a wire that is open; what no lead cures has no supply, touches its neighbour or is turned.
"""

from companion.core.i18n import Message, message
from hardware.rc522.wire_check import MARKS, BusFacts, Lead, Points
from hardware.rc522.wire_faults import Cause, decoder_title, find_shared_causes, select_source
from hardware.wiring.joints import (
    Joint,
    decoder_devices,
    decoder_part,
    ground_joint,
    header_joint,
    reader_part,
    series_joints,
    supply_joints,
)
from hardware.wiring.wires import BUSES, ENABLES, SpiAddress, Wiring

WORKS_FROM = 2.5
"""Volts from which a chip works."""
SIGNALS = ("SCK", "MOSI", "MISO")

Group = tuple[int, ...]
"""The places of readers that are silent alike."""


def find_causes(wiring: Wiring, facts: BusFacts) -> list[Cause]:
    """Return every cause that the facts show, those of many readers first."""
    silent = [_explain_silence(wiring, facts, group) for group in silent_groups(wiring, facts)]
    return [*find_shared_causes(wiring, facts), *silent]


def silent_groups(wiring: Wiring, facts: BusFacts) -> list[Group]:
    """Return the readers that are silent alike, and that one fault may explain: all of a bus, those
    from one on to the end of the line, all of a 74HC138, or each by itself."""
    explained = {p for cause in find_shared_causes(wiring, facts) for p in cause.places}
    groups: list[Group] = []
    for bus in sorted({a.bus for a in wiring.spi_readers().values()}):
        line = _line_of(wiring, bus)
        silent = tuple(p for p in line if _is_silent(facts, p) and p not in explained)
        alike = len({facts.chips[p].version for p in silent}) == 1
        if silent and alike and silent == line[-len(silent) :]:
            groups.append(silent)
            continue
        for device in decoder_devices(wiring):
            mine = _places_behind(wiring, device)
            if device[0] == bus and set(mine) <= set(silent):
                groups.append(mine)
        grouped = {place for group in groups for place in group}
        groups += [(place,) for place in silent if place not in grouped]
    return groups


def supply_points(wiring: Wiring, place: int) -> list[Points]:
    """Return where the supply of a reader is measured: against its own ground, and the source's."""
    high, own = (Joint(reader_part(place), pin) for pin in ("3.3V", "GND"))
    return [Points(high, own), Points(high, supply_joints(wiring)[1])]


def decoder_points(wiring: Wiring, facts: BusFacts, group: Group) -> list[Points]:
    """Return where the supply of a 74HC138 is measured, all of whose readers read FF."""
    address = wiring.spi_readers()[group[0]]
    if facts.chips[group[0]].version != 0xFF or not _is_whole_decoder(wiring, group):
        return []
    part, supply = decoder_part(wiring, address), Joint("C1", "+")
    highs = [Points(Joint(part, pin), ground_joint("decoder")) for pin in ("16", "6")]
    return [*highs, *(Points(supply, Joint(part, pin)) for pin in ("8", "5"))]


def module_points(wiring: Wiring, facts: BusFacts, group: Group) -> list[Points]:
    """Return what is measured at the module of a silent reader that no lead has cured."""
    place = group[0]
    supply = [points for points in supply_points(wiring, place) if points not in facts.volts]
    return [*supply, _turned_points(place), _select_points(wiring, place)]


def lacks_supply(wiring: Wiring, facts: BusFacts, place: int) -> bool:
    """Return whether a reader was measured, and has no 3.3 V or no ground."""
    own, _ = supply_points(wiring, place)
    return facts.volts.get(own, WORKS_FROM) < WORKS_FROM


def lacking_pins(wiring: Wiring, facts: BusFacts, group: Group) -> list[Joint]:
    """Return the supply pins of a 74HC138 that were measured, and have no contact."""
    asked = decoder_points(wiring, facts, group)
    pins = [points.high if points.high.part.startswith("U") else points.low for points in asked]
    volts = [facts.volts.get(points, WORKS_FROM) for points in asked]
    return [pin for pin, measured in zip(pins, volts, strict=True) if measured < WORKS_FROM]


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


def list_leads(wiring: Wiring, facts: BusFacts, group: Group) -> list[Lead]:
    """Return the leads worth laying to the first of some silent readers."""
    place = group[0]
    address, part = wiring.spi_readers()[place], reader_part(place)
    at_pi = dict(zip(SIGNALS, map(header_joint, BUSES[address.bus]), strict=True))

    def lead(signal: str) -> Lead:
        return Lead(signal, at_pi[signal], Joint(part, signal))

    if facts.chips[place].version == 0x00:
        return [lead("MOSI")]
    leads = []
    enable = header_joint(ENABLES[address.spi_device])
    if _is_whole_decoder(wiring, group):
        leads.append(Lead("/G2A", enable, Joint(decoder_part(wiring, address), "4")))
    if len(group) == 1:
        leads.append(Lead("SDA", select_source(wiring, address), Joint(part, "SDA")))
    return [*leads, lead("MISO"), lead("SCK")]


def _explain_silence(wiring: Wiring, facts: BusFacts, group: Group) -> Cause:
    """Explain readers that answer 00 or FF to everything."""
    place = group[0]
    what = message("reader {place}, chip", place=place)
    if len(group) > 1:
        what = message("readers {several}", several=[str(p) for p in group])
    lead, lacking = facts.cures.get(place), lacking_pins(wiring, facts, group)
    if lead is not None:
        said = _say_open_wire(wiring, group, lead)
    elif lacking:
        part = decoder_part(wiring, wiring.spi_readers()[place])
        return Cause(decoder_title(part), "bad", _say_decoder_supply(part, lacking), group)
    elif facts.volts.get(_turned_points(place), 0) >= WORKS_FROM:
        text = (
            "sits the wrong way round, or SCK and RST are swapped: pull the plug at once, and look "
            "at {several}"
        )
        several = [Joint(reader_part(place), pin).name for pin in ("SDA", "3.3V", "SCK", "RST")]
        said = message(text, several=several)
    elif _is_select_low(wiring, facts, place) and not lacks_supply(wiring, facts, place):
        said = _say_held_select(wiring, place)
    elif place in facts.loops:
        said = _say_held_line(wiring, facts, group)
    elif facts.chips[place].version == 0x00 or lacks_supply(wiring, facts, place):
        said = _say_zeros(wiring, facts, group)
    else:
        said = _say_floating(facts, place)
    return Cause(what, "bad", said, group)


def _say_open_wire(wiring: Wiring, group: Group, lead: Lead) -> Message:
    """Name the joints of a wire that a lead was good for."""
    bus = wiring.spi_readers()[group[0]].bus
    joints = [lead.end.name]
    if wiring.is_lone_module or (group == _line_of(wiring, bus) and lead.signal != "SDA"):
        resistor = [joint.name for joint in series_joints(wiring, bus, lead.signal)]
        joints = [lead.start.name, *resistor, lead.end.name]
    if len(group) > 1 and len(joints) == 1:
        text = "the lead helps, so {signal} ends before this: solder {several}, and the wire to it"
        return message(text, signal=lead.signal, several=joints)
    text = "the lead helps, so {signal} has no contact: {thing}"
    return message(text, signal=lead.signal, thing=_mend_contact(wiring, joints))


def _mend_contact(wiring: Wiring, joints: list[str]) -> Message:
    """Say how joints are mended: a lone module is plugged, the others are soldered."""
    if wiring.is_lone_module:
        return message("plug {several} in again", several=joints)
    return message("solder {several} again", several=joints)


def _say_decoder_supply(part: str, lacking: list[Joint]) -> Message:
    pins = {name: Joint(part, name).name for name in ("16", "6", "8", "5")}
    facts = {"high": pins["16"], "enable": pins["6"], "ground": pins["8"], "low": pins["5"]}
    if len(lacking) == len(pins):
        text = (
            "sits the wrong way round, or not in its socket: pull the plug at once; with the notch "
            "as drawn there are 3.3 V at {high} and {enable}, 0 V at {ground} and {low}"
        )
        return message(text, **facts)
    text = (
        "selects no reader: solder {several} again; there must be 3.3 V at {high} and {enable}, "
        "0 V at {ground} and {low}"
    )
    return message(text, several=[joint.name for joint in lacking], **facts)


def _say_held_select(wiring: Wiring, place: int) -> Message:
    """Explain a select that is low at rest: it touches its neighbour."""
    joints = [Joint(reader_part(place), pin) for pin in ("SDA", "SCK")]
    joints.append(select_source(wiring, wiring.spi_readers()[place]))
    return message("SDA touches SCK or GND: look at {several}", several=[j.name for j in joints])


def _say_held_line(wiring: Wiring, facts: BusFacts, group: Group) -> Message:
    """Explain a bus on which no lead helps, by what came back over MOSI and MISO joined."""
    place, came = group[0], facts.loops[group[0]]
    bus = wiring.spi_readers()[place].bus
    at_pi = dict(zip(SIGNALS, map(header_joint, BUSES[bus]), strict=True))

    def joints(*signals: str) -> list[str]:
        part, named = reader_part(place), list[Joint]()
        for signal in signals:
            named += [at_pi[signal], *series_joints(wiring, bus, signal), Joint(part, signal)]
        return [joint.name for joint in named]

    if came == MARKS and len(group) == 1:
        text = "MOSI and MISO are swapped at {several}, or SCK touches its neighbour at {others}"
        return message(text, several=joints("MOSI", "MISO"), others=joints("SCK"))
    if came == MARKS:
        text = "SCK touches GND, SDA or MOSI: look at {several}; unplug one reader after the other"
        return message(text, several=joints("SCK"))
    if any(came):
        line = "MOSI" if facts.chips[place].version == 0x00 else "MISO"
        text = "{signal} touches 3.3 V or SCK: look at {several}; unplug one reader after the other"
        return message(text, signal=line, several=joints(line))
    text = "MISO or MOSI touches GND: look at {several}; unplug one reader after the other"
    return message(text, several=joints("MISO", "MOSI"))


def _say_zeros(wiring: Wiring, facts: BusFacts, group: Group) -> Message:
    """Explain silence in zeros: no supply, or nothing that is said arrives."""
    place = group[0]
    part = reader_part(place)
    supply, ground, mosi = (Joint(part, pin).name for pin in ("3.3V", "GND", "MOSI"))
    own, source = (facts.volts.get(points) for points in supply_points(wiring, place))
    if own is None:
        text = "answers 00 to everything: no 3.3 V, or no MOSI; check {several}"
        return message(text, several=[supply, ground, mosi])
    if own >= WORKS_FROM:
        text = "answers 00 to everything, though it has 3.3 V: check {joint}, or replace the module"
        return message(text, joint=mosi)
    if source is not None and source >= WORKS_FROM:
        text = "answers 00 to everything: its ground has no contact; {thing}"
        ends = [supply_joints(wiring)[1].name, ground] if wiring.is_lone_module else [ground]
        return message(text, thing=_mend_contact(wiring, ends))
    text = "no sensible answer, because no 3.3 V arrives: {thing}, and look for a short to GND"
    start = [supply_joints(wiring)[0].name] if group == tuple(wiring.spi_readers()) else []
    ends = [*start, supply] if wiring.is_lone_module else start or [supply]
    return message(text, thing=_mend_contact(wiring, ends))


def _say_floating(facts: BusFacts, place: int) -> Message:
    part = reader_part(place)
    if place in facts.cures:
        text = (
            "answers FF to everything, with each lead too: MOSI and MISO are swapped at {several}, "
            "SDA touches 3.3 V, or the module is broken"
        )
        return message(text, several=[Joint(part, pin).name for pin in ("MOSI", "MISO")])
    text = "answers FF to everything: SDA, SCK or MISO has no contact; check {several}"
    return message(text, several=[Joint(part, pin).name for pin in ("SDA", "SCK", "MISO")])


def _turned_points(place: int) -> Points:
    """Return between which pins a module shows 3.3 V only if it is turned: RST is high at rest."""
    return Points(*(Joint(reader_part(place), pin) for pin in ("SCK", "RST")))


def _is_select_low(wiring: Wiring, facts: BusFacts, place: int) -> bool:
    return facts.volts.get(_select_points(wiring, place), WORKS_FROM) < WORKS_FROM


def _select_points(wiring: Wiring, place: int) -> Points:
    return Points(Joint(reader_part(place), "SDA"), supply_joints(wiring)[1])


def _line_of(wiring: Wiring, bus: int) -> Group:
    return tuple(place for place, a in wiring.spi_readers().items() if a.bus == bus)


def _places_behind(wiring: Wiring, device: tuple[int, int]) -> Group:
    """Return the readers that a 74HC138 selects."""
    readers = wiring.spi_readers()
    return tuple(p for p, a in readers.items() if a.kind == "mux" and a.spi_device == device)


def _is_whole_decoder(wiring: Wiring, group: Group) -> bool:
    address: SpiAddress = wiring.spi_readers()[group[0]]
    return address.kind == "mux" and set(group) >= set(_places_behind(wiring, address.spi_device))


def _is_silent(facts: BusFacts, place: int) -> bool:
    chip = facts.chips[place]
    return chip.trouble is None and not chip.answers
