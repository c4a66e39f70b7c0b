"""The MFRC522 as a driver: its two kinds of address, its wires, its part of the examination."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from companion.core.i18n import Message, message
from hardware.clock import Clock
from hardware.doctor.report import Person, ReportLine, explain_failure
from hardware.drivers import OpenedReaders, ResetLine
from hardware.errors import WiringError
from hardware.rc522.reader import Rc522Reader
from hardware.rc522.stock import GpioHeader, Mux, SpiDevices
from hardware.rc522.transcript import port_wrap
from hardware.wiring.wires import ENABLES, SpiAddress, Wiring

SYNTAX = ("mux:BUS.DEVICE/CHANNEL", "spidev:BUS.DEVICE")
_ADDRESS = re.compile(r"(?:(mux):([01])\.([0-2])/([0-7])|(spidev):([01])\.([0-2]))")


def parse_address(text: str) -> SpiAddress:
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise ValueError(text)
    mux, bus, device, channel, _, spi_bus, spi_device = found.groups()
    if mux:
        return SpiAddress("mux", int(bus), int(device), int(channel))
    return SpiAddress("spidev", int(spi_bus), int(spi_device))


def find_fault(wiring: Wiring) -> Message | None:
    """Return the reason a reader cannot be selected alone, or not be reset."""
    readers = wiring.spi_readers()
    for place, address in readers.items():
        if address.spi_device not in ENABLES:
            return _no_such_enable(wiring.name, place, address)
    muxed = {a.spi_device for a in readers.values() if a.kind == "mux"}
    for place, a in readers.items():
        if a.kind == "spidev" and a.spi_device in muxed:
            text = (
                "In wiring profile {name} the reader of place {place} uses spidev:{bus}.{device} "
                "without the 74HC138 that hangs on it; write mux:{bus}.{device}/CHANNEL."
            )
            return message(text, name=wiring.name, place=place, bus=a.bus, device=a.device)
    return _no_reset_line(wiring.name) if wiring.reset is None else None


def _no_reset_line(name: str) -> Message:
    text = "In wiring profile {name} the readers have no reset line; write reset = 25."
    return message(text, name=name)


def _no_such_enable(name: str, place: int, address: SpiAddress) -> Message:
    text = "In wiring profile {name} {key} is {value}; write one of {options}."
    options = ", ".join(f"{bus}.{device}" for bus, device in ENABLES)
    return message(text, name=name, key=f"readers.{place}", value=str(address), options=options)


def open_readers(wiring: Wiring, clock: Clock) -> OpenedReaders[Rc522Reader]:
    """Open every reader at its place; they share the reset line."""
    if wiring.reset is None:
        raise WiringError(_no_reset_line(wiring.name))
    header = GpioHeader()
    devices = SpiDevices(header, wiring.reset, port_wrap(clock))
    mux = Mux(header, wiring.address_lines)

    def open_reader(address: SpiAddress) -> Rc522Reader:
        link = devices.open_link(address.bus, address.device, _selection(mux, address))
        link.hertz = wiring.hertz
        return Rc522Reader(link, clock, wiring.gain)

    def let_go() -> None:
        devices.close()
        header.close()

    try:
        by_place = {place: open_reader(a) for place, a in wiring.spi_readers().items()}
    except OSError:
        let_go()
        raise
    line = ResetLine(tuple(by_place), lambda: devices.reset_chips(clock.sleep))
    return OpenedReaders(by_place, let_go, (line,))


def _selection(mux: Mux, address: SpiAddress) -> Callable[[], None]:
    """Return the function that selects the chip at an address on the bus."""
    if address.kind == "mux":
        return lambda: mux.select_channel(address.channel)
    return lambda: None


def examine_readers(wiring: Wiring, clock: Clock, person: Person) -> Iterator[ReportLine]:
    """Examine the wires and chips of a wiring; what only this needs, no table loads."""
    from hardware.rc522 import doctor, wire_check  # noqa: PLC0415

    with ExitStack() as afterwards:
        try:
            reset_level = _sense_reset_line(wiring)
            opened = open_readers(wire_check.with_all_outputs(wiring), clock)
        except OSError as trouble:
            yield ReportLine(message("Readers"), "bad", explain_failure(trouble))
            return
        afterwards.callback(opened.close)
        yield from doctor.examine_chips(wiring, opened, reset_level, clock, person)


def _sense_reset_line(wiring: Wiring) -> int:
    """Return the level of the reset line when nothing but a pull-up drives it."""
    header = GpioHeader()
    try:
        return 1 if wiring.reset is None else header.sense_pin(wiring.reset)
    finally:
        header.close()
