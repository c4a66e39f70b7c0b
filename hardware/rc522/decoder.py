"""Examination of a 74HC138 with the first reader behind it: does it select this output alone?

Law: what is written to the chip at one output must not be read at another; where it is, the address
line by which the two differ does not reach the decoder.
"""

from collections.abc import Iterator, Mapping

import msgspec

from companion.core.i18n import message
from hardware.clock import Clock
from hardware.doctor.person import Person
from hardware.doctor.report import ReportLine
from hardware.rc522.driver import examine_readers, open_readers
from hardware.rc522.reader import Rc522Reader
from hardware.wiring.joints import decoder_devices, decoder_part, joint_of
from hardware.wiring.wires import SpiAddress, Wiring

OUTPUTS = range(8)
MARKS = (0x5A, 0xA5)


def examine_decoder(wiring: Wiring, clock: Clock, person: Person) -> Iterator[ReportLine]:
    """Examine every decoder of a wiring by the first reader behind it."""
    for device in decoder_devices(wiring):
        place, address = next(
            (place, a)
            for place, a in wiring.spi_readers().items()
            if a.kind == "mux" and a.spi_device == device
        )
        alone = msgspec.structs.replace(wiring, readers={place: address})
        lines = list(examine_readers(alone, clock, person))
        yield from lines
        if not any(line.state == "bad" for line in lines):
            yield _check_outputs(wiring, address, clock)


def _check_outputs(wiring: Wiring, address: SpiAddress, clock: Clock) -> ReportLine:
    """Check that the chip at one output is not reached by the numbers of the others."""
    part = decoder_part(wiring, address)
    what = message("74HC138 {part}, outputs", part=part)
    outputs = {n: SpiAddress("mux", address.bus, address.device, n) for n in OUTPUTS}
    opened = open_readers(msgspec.structs.replace(wiring, readers=outputs), clock)
    try:
        echoes = find_echoes(opened.by_place, address.channel)
    finally:
        opened.close()
    lines = [line for line in range(3) if address.channel ^ 1 << line in echoes]
    if lines:
        joints = [joint_of(wiring, part, f"A{line}").name for line in lines]
        text = "does not hear its address lines: check {several}"
        return ReportLine(what, "bad", message(text, several=joints))
    if echoes:
        text = "selects several outputs at once: look for solder between {several}"
        joints = [joint_of(wiring, part, f"A{line}").name for line in range(3)]
        return ReportLine(what, "bad", message(text, several=joints))
    return ReportLine(what, "good", message("selects Y{number} alone", number=address.channel))


def find_echoes(readers: Mapping[int, Rc522Reader], own: int) -> set[int]:
    """Return the other outputs at which the chip of one is found, too."""
    chip = readers[own].chip.link
    register = chip.stock.TReloadRegL
    found = set(readers) - {own}
    for mark in MARKS:
        chip.select_chip()
        chip.write_register(register, mark)
        for output in sorted(found):
            readers[output].chip.link.select_chip()
            if readers[output].chip.link.read_registers(register)[0] != mark:
                found.discard(output)
    return found
