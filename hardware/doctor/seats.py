"""Buttons and lamps, one by one, with the person pressing and looking.

Law: a button is good when *it* was pressed; another one answering means crossed wires.
"""

from collections.abc import Iterator

from hardware.clock import Clock
from hardware.doctor.person import Person
from hardware.doctor.report import Line
from hardware.panel import Panel
from hardware.wiring import Wiring
from hardware.wiring.table import header_pin

PATIENCE = 15.0
GLANCE = 0.02


def examine_seats(panel: Panel, wiring: Wiring, clock: Clock, person: Person) -> Iterator[Line]:
    """First all buttons, then all lamps."""
    clock.sleep(GLANCE)
    for seat, pin in wiring.buttons.items():
        yield _button(panel, seat, header_pin(pin), clock, person)
    for seat, pin in wiring.lamps.items():
        yield _lamp(panel, seat, header_pin(pin), person)


def _button(panel: Panel, seat: int, pin: str, clock: Clock, person: Person) -> Line:
    what = f"seat {seat}, button"
    if panel.down(seat):
        return Line(what, "bad", f"is down though nobody asked: stuck, or {pin} touches GND")
    panel.presses()
    person.press(seat)
    end = clock.monotonic() + PATIENCE
    while clock.monotonic() < end:
        for press in panel.presses():
            if press.seat == seat:
                return Line(what, "good", f"pressed, on {pin}")
            return Line(what, "bad", f"seat {press.seat} answered: their wires are crossed")
        clock.sleep(GLANCE)
    return Line(what, "bad", f"no press in {PATIENCE:.0f} s; check the wire to {pin} and to GND")


def _lamp(panel: Panel, seat: int, pin: str, person: Person) -> Line:
    what = f"seat {seat}, lamp"
    panel.light(seat, "on")
    lit = person.sees(seat)
    panel.light(seat, "off")
    if lit:
        return Line(what, "good", f"lit, on {pin}")
    return Line(what, "bad", f"dark; turn the lamp round, check its resistor and the wire to {pin}")
