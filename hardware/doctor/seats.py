"""Measurements of buttons and lamps, one by one, with the person pressing and looking.

Law: a button is good when *it* was pressed, and it alone. Nothing is judged here.
"""

from collections.abc import Iterator

from companion.core.i18n import message
from hardware.clock import Clock
from hardware.doctor.person import Person
from hardware.doctor.report import ReportLine
from hardware.doctor.seat_faults import (
    PATIENCE,
    ButtonFacts,
    LampFacts,
    judge_button,
    judge_lamp,
    judge_shared_ground,
)
from hardware.panel import Panel
from hardware.wiring import Wiring
from hardware.wiring.joints import GROUNDS

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
