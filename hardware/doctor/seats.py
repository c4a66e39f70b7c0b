"""Buttons and lamps, one by one, with the person pressing and looking.

Law: a button is good when *it* was pressed; another one answering means crossed wires.
"""

from collections.abc import Iterator

from companion.core.i18n import message
from hardware.clock import Clock
from hardware.doctor.person import Person
from hardware.doctor.report import ReportLine
from hardware.panel import Panel
from hardware.wiring import Wiring
from hardware.wiring.table import header_pin

PATIENCE = 15
GLANCE = 0.02


def examine_seats(
    panel: Panel, wiring: Wiring, clock: Clock, person: Person
) -> Iterator[ReportLine]:
    """Check all buttons, then all lamps."""
    clock.sleep(GLANCE)
    for seat, pin in wiring.buttons.items():
        yield _check_button(panel, seat, header_pin(pin), clock, person)
    for seat, pin in wiring.lamps.items():
        yield _check_lamp(panel, seat, header_pin(pin), person)


def _check_button(panel: Panel, seat: int, pin: str, clock: Clock, person: Person) -> ReportLine:
    what = message("seat {seat}, button", seat=seat)
    if panel.is_down(seat):
        said = message("is down though nobody asked: stuck, or {pin} touches GND", pin=pin)
        return ReportLine(what, "bad", said)
    panel.read_presses()
    person.ask_for_press(seat)
    end = clock.monotonic() + PATIENCE
    while clock.monotonic() < end:
        for press in panel.read_presses():
            if press.seat == seat:
                return ReportLine(what, "good", message("pressed, on {pin}", pin=pin))
            said = message("seat {seat} answered: their wires are crossed", seat=press.seat)
            return ReportLine(what, "bad", said)
        clock.sleep(GLANCE)
    text = "no press in {seconds} s; check the wire to {pin} and to GND"
    return ReportLine(what, "bad", message(text, seconds=PATIENCE, pin=pin))


def _check_lamp(panel: Panel, seat: int, pin: str, person: Person) -> ReportLine:
    what = message("seat {seat}, lamp", seat=seat)
    panel.light(seat, "on")
    lit = person.sees_lamp(seat)
    panel.light(seat, "off")
    if lit:
        return ReportLine(what, "good", message("lit, on {pin}", pin=pin))
    text = "dark; turn the lamp round, check its resistor and the wire to {pin}"
    return ReportLine(what, "bad", message(text, pin=pin))
