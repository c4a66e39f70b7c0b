"""The address of a reader that is only numbered, `sim:3`: no wire leads to it.

Law: the hardware `sim` gives such readers a decoder on free pins; everywhere else they are refused.
"""

import re
from collections.abc import Iterator

import msgspec

from companion.core.i18n import Message, message
from hardware.clock import Clock
from hardware.doctor.report import Person, ReportLine
from hardware.drivers import OpenedReaders
from hardware.errors import NotConnected
from hardware.reader import Reader
from hardware.wiring.wires import Wiring

SYNTAX = ("sim:NUMBER",)
_ADDRESS = re.compile("sim:([0-7])")


class SimulatedAddress(msgspec.Struct, frozen=True):
    """The number of a reader in the simulated world, from 0."""

    channel: int
    kind: str = "sim"

    def __str__(self) -> str:
        return f"{self.kind}:{self.channel}"


def parse_address(text: str) -> SimulatedAddress:
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return SimulatedAddress(int(found[1]))


def find_fault(wiring: Wiring) -> Message | None:
    return None


def open_readers(wiring: Wiring, clock: Clock) -> OpenedReaders[Reader]:
    """Raise NotConnected, because nothing is there that could be opened."""
    raise NotConnected(_refusal(wiring))


def examine_readers(wiring: Wiring, clock: Clock, person: Person) -> Iterator[ReportLine]:
    yield ReportLine(message("Readers"), "bad", _refusal(wiring))


def _refusal(wiring: Wiring) -> Message:
    place, address = next(iter(wiring.readers.items()))
    text = (
        "In wiring profile {name} the reader of place {place} is simulated ({address}); "
        "only the hardware 'sim' has such readers, and then all must be simulated: write "
        "mux:BUS.DEVICE/CHANNEL or spidev:BUS.DEVICE."
    )
    return message(text, name=wiring.name, place=place, address=str(address))
