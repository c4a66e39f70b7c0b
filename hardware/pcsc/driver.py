"""USB readers as a driver: their address, `pcsc:PART OF THE NAME`, and their lines for the doctor.

Law: a reader that is missing when the table opens is said in one sentence; one that is unplugged
later is lost and found like any other.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec

from companion.core.i18n import Message, message
from hardware.advice import START_SERVICE, UNLOAD_RIVAL
from hardware.clock import Clock
from hardware.doctor.report import Person, ReportLine, explain_failure
from hardware.drivers import OpenedReaders
from hardware.errors import NotConnected, quote_text
from hardware.pcsc.reader import ANY, UsbReader, find_reader
from hardware.pcsc.service import CardService, ServiceError
from hardware.wiring.wires import Wiring

SYNTAX = ("pcsc:*", "pcsc:NAME")
LONGEST = 100
RIVAL = Path("/sys/module/pn533_usb")
"""The kernel's own driver, which keeps an ACR122U from the service."""
PATIENCE, GLANCE = 15, 0.1


class UsbAddress(msgspec.Struct, frozen=True):
    """A part of a reader's name in the service, or `*` for any of them."""

    part: str
    kind: str = "pcsc"

    def __str__(self) -> str:
        return f"{self.kind}:{self.part}"


def parse_address(text: str) -> UsbAddress:
    part = text.removeprefix("pcsc:")
    is_name = part == part.strip() and part.isprintable() and 0 < len(part) < LONGEST
    if part == text or not is_name:
        raise ValueError(text)
    return UsbAddress(part)


def find_fault(wiring: Wiring) -> Message | None:
    """Return the reason two places cannot be told apart: `*` matches any reader, also another
    place's."""
    parts = _parts(wiring)
    if ANY in parts.values() and len(parts) > 1:
        text = (
            "In wiring profile {name} the readers of places {numbers} have the same address "
            "{address}; give one of them another."
        )
        return message(text, name=wiring.name, numbers=sorted(parts), address=f"pcsc:{ANY}")
    return None


def open_readers(wiring: Wiring, clock: Clock) -> OpenedReaders[UsbReader]:
    """Open every reader by its name; raise NotConnected if one of them is not plugged in."""
    with ExitStack() as closing:
        by_place = {}
        for place, part in _parts(wiring).items():
            service = CardService()
            closing.callback(service.close)
            _check_plugged(service, part)
            by_place[place] = UsbReader(service, part, clock)
        return OpenedReaders(by_place, closing.pop_all().close)


def examine_readers(wiring: Wiring, clock: Clock, person: Person) -> Iterator[ReportLine]:
    """List the readers plugged in, and read a card on each that the profile names."""
    what = message("USB readers")
    if RIVAL.exists():
        text = (
            "the kernel's driver pn533_usb takes an ACR122U for itself; type: {command}, then "
            "unplug the reader and plug it in again"
        )
        yield ReportLine(what, "doubtful", message(text, command=UNLOAD_RIVAL))
    try:
        service = CardService()
        service.connect()
        names = service.list_readers()
    except OSError as trouble:
        yield ReportLine(what, "bad", _explain_service(trouble))
        return
    if names:
        yield ReportLine(
            what, "good", message("plugged in: {names}", names=quote_text(", ".join(names)))
        )
    for place, part in _parts(wiring).items():
        yield _examine_reader(place, part, service, clock, person)
    service.close()


def _parts(wiring: Wiring) -> dict[int, str]:
    """Return the part of a name by place, of the readers that are this driver's."""
    return {p: a.part for p, a in wiring.readers.items() if isinstance(a, UsbAddress)}


def _check_plugged(service: CardService, part: str) -> None:
    """Raise NotConnected unless one reader that is plugged in has this name."""
    try:
        service.connect()
        names = service.list_readers()
    except ServiceError as refused:
        raise NotConnected(_explain_service(refused)) from refused
    missing = _explain_missing(part, names)
    if missing is not None:
        raise NotConnected(missing)


def _explain_service(trouble: OSError) -> Message:
    """Return the service's fault, and its cure."""
    if not isinstance(trouble, ServiceError):
        return explain_failure(trouble)
    if trouble.trouble == "no service":
        text = "The PC/SC service, which USB readers need, does not run; type: {command}"
        return message(text, command=START_SERVICE)
    text = "The PC/SC service refuses ({reason}); unplug the reader and plug it in again."
    return message(text, reason=quote_text(trouble).rstrip("."))


def _explain_missing(part: str, names: list[str]) -> Message | None:
    """Return the fault of a name that matches no reader, or several; None if it matches one."""
    found = find_reader(part, names)
    if found == "none" and not names:
        return message("No USB reader is plugged in; plug it in, then try again.")
    listed = quote_text(", ".join(names))
    if found == "none":
        text = "No USB reader that is plugged in has '{part}' in its name; there is {names}."
        return message(text, part=part, names=listed)
    if found == "several":
        text = "Several USB readers have '{part}' in their names; write more of one: {names}."
        return message(text, part=part, names=listed)
    return None


def _examine_reader(
    place: int, part: str, service: CardService, clock: Clock, person: Person
) -> ReportLine:
    """Ask for a card, and wait until the reader of a place has read it; the service, which may have
    died since the last question, is connected to anew."""
    what = message("reader {place}, card", place=place)
    service.close()
    try:
        _check_plugged(service, part)
        if not person.lays_card(place):
            return ReportLine(what, "skipped", message("left out"))
        reader, end = UsbReader(service, part, clock), clock.monotonic() + PATIENCE
        while clock.monotonic() < end:
            visit = reader.inventory([])
            if visit.signs:
                make = quote_text(reader.name)
                return ReportLine(what, "good", message("read by {make}", make=make))
            if visit.finding == "dead":
                clock.sleep(GLANCE)
        _check_plugged(service, part)
    except NotConnected as missing:
        return ReportLine(what, "bad", missing.say)
    text = "no card is read; lay it on the middle, and close other programs that read cards"
    return ReportLine(what, "bad", message(text))
