"""The whole examination, in the order in which faults hide each other.

Law: the doctor never stops at the first fault. What cannot be opened becomes a line, and what
can be opened is examined all the same.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from companion.core.i18n import message
from hardware.clock import Clock
from hardware.doctor.machine import MachineFacts, examine_machine, this_machine
from hardware.doctor.report import DoctorReport, Person, ReportLine, explain_failure
from hardware.doctor.seats import examine_seats
from hardware.drivers import split_by_driver
from hardware.panel import Panel
from hardware.wiring import Wiring


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
        message("wiring"), "good", message("{name}: no pin has two uses", name=wiring.name)
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
