"""The drivers of readers: one folder each, and one line here.

Law: a driver brings the syntax of its addresses, opens its readers, and examines them for the
doctor. It is imported when a profile names one of its addresses, so that no table needs the
libraries of a reader that it does not have.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from companion.core.i18n import Message
from hardware.clock import Clock
from hardware.reader import Reader

if TYPE_CHECKING:
    from hardware.doctor.report import Person, ReportLine
    from hardware.wiring.wires import Address, Wiring

DRIVERS = {
    "mux": "hardware.rc522.driver",
    "spidev": "hardware.rc522.driver",
    "pcsc": "hardware.pcsc.driver",
    "sim": "hardware.simulator.driver",
}
"""The module for an address, by the word before its colon."""

R_co = TypeVar("R_co", bound=Reader, covariant=True)


class ResetLine(NamedTuple):
    """A wire that resets the readers at several places at once."""

    places: Sequence[int]
    pull: Callable[[], None]


class OpenedReaders(NamedTuple, Generic[R_co]):
    """Readers by their place with their wires open, not yet started."""

    by_place: Mapping[int, R_co]
    close: Callable[[], None]
    reset_lines: Sequence[ResetLine] = ()


class Driver(Protocol):
    """Contents of a driver's module."""

    SYNTAX: Sequence[str]
    """Syntax of its addresses, such as `spidev:BUS.DEVICE`."""

    def parse_address(self, text: str) -> "Address":
        """Return the address that a profile names; raise ValueError for any other text."""

    def find_fault(self, wiring: "Wiring") -> Message | None:
        """Return the first impossible wiring of these readers, naming the profile, or None."""

    def open_readers(self, wiring: "Wiring", clock: Clock) -> OpenedReaders[Reader]:
        """Open the readers of a wiring, all of this driver."""

    def examine_readers(
        self, wiring: "Wiring", clock: Clock, person: "Person"
    ) -> "Iterator[ReportLine]":
        """Open the readers of such a wiring and examine each for the doctor."""


def load_driver(kind: str) -> Driver:
    """Return the driver for an address by the word before its colon; raise ValueError if there is
    none."""
    if kind not in DRIVERS:
        raise ValueError(kind)
    driver: Driver = import_module(DRIVERS[kind])
    return driver


def parse_address(text: str) -> "Address":
    """Return the address of a reader; raise ValueError if no driver understands it."""
    return load_driver(text.partition(":")[0]).parse_address(text)


def address_syntax() -> list[str]:
    """Return the address syntax of every driver."""
    modules = dict.fromkeys(DRIVERS.values())
    return [text for name in modules for text in import_module(name).SYNTAX]


def split_by_driver(wiring: "Wiring") -> Iterator[tuple[Driver, "Wiring"]]:
    """Yield each driver that a wiring needs, with the same wiring reduced to its readers."""
    for name in dict.fromkeys(DRIVERS[address.kind] for address in wiring.readers.values()):
        own = {p: a for p, a in wiring.readers.items() if DRIVERS[a.kind] == name}
        driver: Driver = import_module(name)
        yield driver, msgspec.structs.replace(wiring, readers=own)


def open_readers(wiring: "Wiring", clock: Clock) -> OpenedReaders[Reader]:
    """Open every reader of a wiring; when one driver fails, close the others' readers."""
    with ExitStack() as closing:
        by_place: dict[int, Reader] = {}
        reset_lines: list[ResetLine] = []
        for driver, own in split_by_driver(wiring):
            opened = driver.open_readers(own, clock)
            closing.callback(opened.close)
            by_place.update(opened.by_place)
            reset_lines.extend(opened.reset_lines)
        return OpenedReaders(by_place, closing.pop_all().close, reset_lines)
