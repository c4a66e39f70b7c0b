"""The whole examination, in the order in which faults hide each other.

Law: the doctor never stops at the first fault. What cannot be opened becomes a line, and what
can is looked at all the same.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from companion.core.i18n import message
from hardware.assembly import open_readers
from hardware.clock import Clock
from hardware.doctor.machine import Machine, examine_machine, this_machine
from hardware.doctor.person import Person
from hardware.doctor.readers import examine_readers, why
from hardware.doctor.report import Line, Report
from hardware.doctor.seats import examine_seats
from hardware.panel import Panel
from hardware.wiring import Wiring


@dataclass(frozen=True)
class Workplace:
    """Where the doctor works: by default on this machine, in real time, on real pins."""

    machine: Machine = field(default_factory=this_machine)
    clock: Clock = time
    pin_factory: Any = None


def examine(
    wiring: Wiring,
    person: Person,
    workplace: Workplace | None = None,
    tell: Callable[[Line], object] = lambda line: None,
) -> Report:
    """Look at everything a profile names. `tell` hears each line as soon as it is known."""
    lines: list[Line] = []
    for line in _lines(wiring, person, workplace or Workplace()):
        lines.append(line)
        tell(line)
    return Report(tuple(lines))


def _lines(wiring: Wiring, person: Person, at: Workplace) -> Iterator[Line]:
    yield Line(message("wiring"), "good", message("{name}: no pin has two uses", name=wiring.name))
    yield from examine_machine(at.machine, wiring)
    yield from _readers(wiring, person, at.clock)
    yield from _seats(wiring, person, at)


def _readers(wiring: Wiring, person: Person, clock: Clock) -> Iterator[Line]:
    with ExitStack() as afterwards:
        try:
            opened = open_readers(wiring, clock)
            afterwards.callback(opened.let_go)
            opened.reset()
        except OSError as trouble:
            yield Line(message("readers"), "bad", why(trouble))
            return
        yield from examine_readers(opened.by_place, clock, person, wiring.hertz)


def _seats(wiring: Wiring, person: Person, at: Workplace) -> Iterator[Line]:
    try:
        panel = Panel(wiring.buttons, wiring.lamps, at.clock, at.pin_factory)
    except OSError as trouble:
        yield Line(message("buttons and lamps"), "bad", why(trouble))
        return
    try:
        yield from examine_seats(panel, wiring, at.clock, person)
    finally:
        panel.close()
