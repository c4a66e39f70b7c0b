"""The driver of the made-up reader: its address, its readers, its line for the doctor."""

from collections.abc import Iterator, Sequence

import msgspec

from companion.core.i18n import Message, message
from hardware.clock import Clock
from hardware.doctor.report import Person, ReportLine
from hardware.drivers import OpenedReaders
from hardware.reader import Visit
from hardware.wiring.wires import Wiring

SYNTAX = ("shelf:NAME",)
SHELVES: dict[str, set[bytes]] = {}
"""What lies on each shelf, by the shelf's name; one that is not listed here is broken."""

CLOSED: list[str] = []
"""The names of the shelves that were closed."""


class ShelfAddress(msgspec.Struct, frozen=True):
    """The name of a shelf."""

    name: str
    kind: str = "shelf"

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


class ShelfReader:
    """A reader that hears what lies on its shelf, and never a neighbour's."""

    def __init__(self, name: str) -> None:
        self._name = name

    def start(self, anew: bool = False) -> bool:
        return self._name in SHELVES

    def inventory(self, known: Sequence[bytes]) -> Visit:
        if self._name not in SHELVES:
            return Visit("dead")
        there = SHELVES[self._name]
        silent = {uid: "silent" for uid in known if uid not in there}
        return Visit("well", {**silent, **dict.fromkeys(there, "seen")})  # type: ignore[dict-item]

    def is_present(self, uid: bytes) -> bool | None:
        return uid in SHELVES[self._name] if self._name in SHELVES else None

    def sleep(self) -> None:
        pass


def parse_address(text: str) -> ShelfAddress:
    kind, _, name = text.partition(":")
    if kind != "shelf" or not name.isalpha():
        raise ValueError(text)
    return ShelfAddress(name)


def find_fault(wiring: Wiring) -> Message | None:
    return None


def open_readers(wiring: Wiring, clock: Clock) -> OpenedReaders[ShelfReader]:
    readers = {place: ShelfReader(a.name) for place, a in addresses(wiring)}
    return OpenedReaders(readers, lambda: CLOSED.extend(a.name for _, a in addresses(wiring)))


def examine_readers(wiring: Wiring, clock: Clock, person: Person) -> Iterator[ReportLine]:
    for place, address in addresses(wiring):
        state = "good" if address.name in SHELVES else "bad"
        yield ReportLine(message("reader {place}", place=place), state, message("shelf"))  # type: ignore[arg-type]


def addresses(wiring: Wiring) -> list[tuple[int, ShelfAddress]]:
    return [(p, a) for p, a in wiring.readers.items() if isinstance(a, ShelfAddress)]
