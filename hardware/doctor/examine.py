"""The whole examination, in the order that faults hide each other.

Law: the doctor never stops at the first fault. What cannot be opened becomes a line, and what
can be opened is examined all the same. A button is good when *it* was pressed, and it alone; the
diagnosis of buttons and lamps is pure, from what was measured to the joint that is wrong.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import msgspec

from companion.core.i18n import Message, message
from hardware.clock import Clock
from hardware.doctor.machine import MachineFacts, examine_machine, this_machine
from hardware.doctor.report import DoctorReport, Person, ReportLine, explain_failure
from hardware.drivers import split_by_driver
from hardware.panel import Panel
from hardware.wiring import Wiring
from hardware.wiring.joints import GROUNDS, header_joint
from hardware.wiring.table import header_pin


@dataclass(frozen=True)
class Workplace:
    """The machine, clock and pins to examine; by default this machine's own."""

    machine: MachineFacts = field(default_factory=this_machine)
    clock: Clock = time
    pin_factory: object = None


def examine_table(
    wiring: Wiring,
    person: Person,
    workplace: Workplace | None = None,
    on_line: Callable[[ReportLine], object] = lambda line: None,
) -> DoctorReport:
    """Examine everything a profile names; `on_line` is called with each line as soon as it is
    known."""
    lines: list[ReportLine] = []
    for line in _examine_all(wiring, person, workplace or Workplace()):
        lines.append(line)
        on_line(line)
    return DoctorReport(tuple(lines))


def _examine_all(wiring: Wiring, person: Person, workplace: Workplace) -> Iterator[ReportLine]:
    yield ReportLine(
        message("Wiring"), "good", message("{name}: no pin has two uses", name=wiring.name)
    )
    yield from examine_machine(workplace.machine, wiring)
    yield from examine_reader_wires(wiring, person, workplace.clock)
    yield from examine_seat_pins(wiring, person, workplace)


def examine_reader_wires(wiring: Wiring, person: Person, clock: Clock) -> Iterator[ReportLine]:
    """Examine the readers of a wiring, those of one driver after the other."""
    for driver, own in split_by_driver(wiring):
        yield from driver.examine_readers(own, clock, person)


def examine_seat_pins(wiring: Wiring, person: Person, workplace: Workplace) -> Iterator[ReportLine]:
    """Examine the buttons and lamps of a wiring."""
    try:
        panel = Panel(wiring.buttons, wiring.lamps, workplace.clock, workplace.pin_factory)
    except OSError as trouble:
        yield ReportLine(message("buttons and lamps"), "bad", explain_failure(trouble))
        return
    try:
        yield from examine_seats(panel, wiring, workplace.clock, person)
    finally:
        panel.close()


PATIENCE = 15
"""Seconds that a press is waited for."""
WELL_POWERED = 2.5
"""Least volts at a wire that the Pi drives high."""


class ButtonFacts(msgspec.Struct, frozen=True):
    """Presses seen while the button of a seat was to be pressed."""

    down_before: bool = False
    answered: frozenset[int] = frozenset()
    """The seats whose buttons answered."""
    goes_high: bool = False
    """Whether a press pulls the wire up when the Pi pulls it down."""
    hears_lead: bool | None = None
    """Whether the wire goes down by a lead from ground; None if none was laid."""


class LampFacts(msgspec.Struct, frozen=True):
    """Lamps seen lit while that of one seat was switched on."""

    lit_before: bool = False
    lit: frozenset[int] = frozenset()
    volts: tuple[float, float] | None = None
    """Of a dark lamp: before its resistor, and from its long leg to its short one."""


def judge_button(wiring: Wiring, seat: int, facts: ButtonFacts) -> ReportLine:
    """Diagnose the button of a seat."""
    what, near, far = message("button of seat {seat}", seat=seat), f"J-S{seat}-1", f"J-S{seat}-2"
    pin = header_pin(wiring.buttons[seat])
    others = sorted(facts.answered - {seat})
    if facts.down_before:
        text = "is down though no one presses it: stuck, turned by 90°, or {joint} touches GND"
        return ReportLine(what, "bad", message(text, joint=near))
    if facts.answered == {seat}:
        return ReportLine(what, "good", message("works, on {pin}", pin=pin))
    if others:
        joints = [near, *(f"J-S{other}-1" for other in others)]
        return ReportLine(what, "bad", _say_mixed(seat in facts.answered, others[0], joints))
    if facts.goes_high:
        text = "its far side is on 3.3 V: lead {joint} to GND instead"
        return ReportLine(what, "bad", message(text, joint=far))
    text = "no press in {seconds} s, on {pin}: check {several}"
    at_pi = header_joint(wiring.buttons[seat]).name
    joints = {None: [at_pi, near, far], True: [far], False: [at_pi, near]}[facts.hears_lead]
    said = message(text, seconds=PATIENCE, pin=pin, several=joints)
    return ReportLine(what, "bad", said)


def judge_lamp(wiring: Wiring, seat: int, facts: LampFacts) -> ReportLine:
    """Diagnose the lamp of a seat."""
    what, pin = message("lamp of seat {seat}", seat=seat), header_pin(wiring.lamps[seat])
    near, others = f"J-RL{seat}-1", sorted(facts.lit - {seat})
    if facts.lit_before:
        text = "lit though it should be dark: {joint} is on 3.3 V; lead it to {pin}"
        return ReportLine(what, "bad", message(text, joint=near, pin=pin))
    if facts.lit == {seat}:
        return ReportLine(what, "good", message("works, on {pin}", pin=pin))
    if others:
        joints = [near, *(f"J-RL{other}-1" for other in others)]
        return ReportLine(what, "bad", _say_mixed(seat in facts.lit, others[0], joints))
    return ReportLine(what, "bad", _say_dark(wiring, seat, facts))


def judge_shared_ground(what: Message, joint: str, dead: int, wired: int) -> list[ReportLine]:
    """Return a line about the ground of all buttons or lamps if none of several works."""
    if dead < wired or wired < 2:
        return []
    text = "none of them works: check their ground at {joint} first"
    return [ReportLine(what, "bad", message(text, joint=joint))]


def _say_mixed(own_too: bool, other: int, joints: list[str]) -> Message:
    """Name the seat that answers or lights up as well, or instead."""
    if own_too:
        text = "seat {seat} answered too: look for solder between {several}"
        return message(text, seat=other, several=joints)
    text = "seat {seat} answered: their wires are crossed, swap {several}"
    return message(text, seat=other, several=joints)


def _say_dark(wiring: Wiring, seat: int, facts: LampFacts) -> Message:
    at_pi, near = header_joint(wiring.lamps[seat]).name, f"J-RL{seat}-1"
    legs = [f"J-L{seat}-A", f"J-L{seat}-K"]
    if facts.volts is None:
        return message("dark: turn it round, or check {several}", several=[at_pi, near, *legs])
    before, across = facts.volts
    if before >= WELL_POWERED and across < 0:
        return message("dark: turn it round, or check {several}", several=legs)
    broken = [at_pi, near] if before < WELL_POWERED else [legs[1]]
    return message("dark, because there is no contact at {several}", several=broken)


GLANCE = 0.02
TOGETHER = 0.2
"""Seconds in which buttons that touch answer together."""


def examine_seats(
    panel: Panel, wiring: Wiring, clock: Clock, person: Person
) -> Iterator[ReportLine]:
    """Check all buttons, then all lamps."""
    clock.sleep(GLANCE)
    ground = {kind: f"J-P-{place}" for kind, place in GROUNDS.items()}
    dead = 0
    for seat in wiring.buttons:
        facts = _press_button(panel, seat, ground["buttons"], clock, person)
        dead += not (facts.answered or facts.down_before or facts.goes_high)
        yield judge_button(wiring, seat, facts)
    what = message("ground of the buttons")
    yield from judge_shared_ground(what, ground["buttons"], dead, len(wiring.buttons))
    before = person.lit_lamps() if wiring.lamps else frozenset()
    dark = 0
    for seat in wiring.lamps:
        lamp = _light_lamp(panel, seat, before, ground["lamps"], person)
        dark += not (lamp.lit or lamp.lit_before)
        yield judge_lamp(wiring, seat, lamp)
    what = message("ground of the lamps")
    yield from judge_shared_ground(what, ground["lamps"], dark, len(wiring.lamps))


def _press_button(
    panel: Panel, seat: int, ground: str, clock: Clock, person: Person
) -> ButtonFacts:
    if panel.is_down(seat):
        return ButtonFacts(down_before=True)
    panel.read_presses()
    stuck = {other for other in panel.seats() if panel.is_down(other)}
    person.ask_for_press(seat)
    answered = _wait_for_presses(panel, clock, stuck)
    if answered:
        return ButtonFacts(answered=answered)
    if _goes_high(panel, seat, clock, person):
        return ButtonFacts(goes_high=True)
    hears_lead = _hears_lead(panel, seat, ground, clock, person)
    return ButtonFacts(hears_lead=hears_lead)


def _wait_for_presses(panel: Panel, clock: Clock, stuck: set[int]) -> frozenset[int]:
    """Return the seats that answer; those that answer together with the first one count too, but
    none that was down before."""
    answered: set[int] = set()
    end = clock.monotonic() + PATIENCE
    while clock.monotonic() < end:
        news = {press.seat for press in panel.read_presses()} - stuck
        if news and not answered:
            end = min(end, clock.monotonic() + TOGETHER)
        answered |= news
        clock.sleep(GLANCE)
    return frozenset(answered)


def _hears_lead(panel: Panel, seat: int, ground: str, clock: Clock, person: Person) -> bool | None:
    """Return whether a lead from ground brings a button's wire down; None if none was laid."""
    if not person.lays_lead(ground, f"J-S{seat}-1"):
        return None
    down = panel.is_down(seat)
    clock.sleep(TOGETHER)
    panel.read_presses()
    return down


def _goes_high(panel: Panel, seat: int, clock: Clock, person: Person) -> bool:
    """Return whether a second press pulls the wire up, against the Pi's pull-down."""
    panel.pull_button(seat, "down")
    person.ask_for_press(seat)
    end, high = clock.monotonic() + PATIENCE, False
    while clock.monotonic() < end and not high:
        clock.sleep(GLANCE)
        high = not panel.is_down(seat)
    panel.pull_button(seat, "up")
    clock.sleep(TOGETHER)
    panel.read_presses()
    return high


def _light_lamp(
    panel: Panel, seat: int, before: frozenset[int], ground: str, person: Person
) -> LampFacts:
    if seat in before:
        return LampFacts(lit_before=True)
    panel.light(seat, "on")
    lit, volts = person.lit_lamps() - before, None
    if not lit:
        wire = person.reads_voltage(f"J-RL{seat}-1", ground)
        lamp = person.reads_voltage(f"J-L{seat}-A", f"J-L{seat}-K")
        volts = None if wire is None or lamp is None else (wire, lamp)
    panel.light(seat, "off")
    return LampFacts(lit=lit, volts=volts)
