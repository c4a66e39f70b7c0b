"""A wiring profile as a table to solder by: what `companion wiring` prints.

Law: one line a wire, from the header's pin to the pin at the other end.
"""

from collections.abc import Iterator
from typing import NamedTuple

from hardware.wiring.wires import HEADER, Address, Wiring

MODULE_PINS = ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")
"""A reader module's pins, from the edge; SDA is its chip select."""
DECODER_PINS = {
    1: "A0", 2: "A1", 3: "A2", 4: "/G2A", 5: "/G2B", 6: "G1", 7: "Y7", 8: "GND",
    9: "Y6", 10: "Y5", 11: "Y4", 12: "Y3", 13: "Y2", 14: "Y1", 15: "Y0", 16: "VCC",
}  # fmt: skip
OUTPUT_PINS = {int(name[1]): pin for pin, name in DECODER_PINS.items() if name[0] == "Y"}
CONFIG_FILE = "/boot/firmware/config.txt"


class Wire(NamedTuple):
    """One wire: what it is for, where it starts, where it ends."""

    use: str
    start: str
    end: str


def wires(wiring: Wiring) -> list[Wire]:
    """Every wire of the table, the power last."""
    return [*_from_header(wiring), *_to_readers(wiring), *_power(wiring)]


def table(wiring: Wiring) -> str:
    """The profile as text, with what config.txt needs."""
    rows = [Wire("Wire", "From", "To"), *wires(wiring)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(r, widths, strict=True)) for r in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    config = wiring.config_lines()
    if config:
        lines += ["", f"{CONFIG_FILE} needs:", *(f"  {line}" for line in config)]
    head = [f"{wiring.name}: {wiring.title}", "(BCM numbers; in brackets the header's own)", ""]
    return "\n".join(line.rstrip() for line in [*head, *lines]) + "\n"


def header_pin(pin: int) -> str:
    """A pin by both its names."""
    return f"BCM {pin} ({HEADER[pin]})"


def _from_header(wiring: Wiring) -> Iterator[Wire]:
    ends = dict(_ends(wiring))
    used = {(bus, device) for bus, device in wiring.lines()}
    for pin, use in wiring.uses():
        if "CE" in use and (int(use[3]), int(use[-1])) not in used:
            yield Wire(use, header_pin(pin), "nothing; the kernel keeps it")
        else:
            yield Wire(use, header_pin(pin), ends.get(use, "button, then GND"))


def _ends(wiring: Wiring) -> Iterator[tuple[str, str]]:
    """Where each use of a pin leads."""
    for bus in {bus for bus, _ in wiring.lines()}:
        which = "every reader" if len({b for b, _ in wiring.lines()}) == 1 else _places(wiring, bus)
        yield f"SPI{bus} SCLK", f"SCK of {which}"
        yield f"SPI{bus} MOSI", f"MOSI of {which}"
        yield f"SPI{bus} MISO", f"MISO of {which}"
    for place, address in wiring.readers.items():
        if address.line is not None:
            end = "74HC138 /G2A (4)" if address.kind == "mux" else f"SDA of reader {place}"
            yield f"SPI{address.bus} CE{address.device}", end
    for number in range(3):
        yield f"address line A{number}", f"74HC138 A{number} ({number + 1})"
    yield "reset line of the readers", "RST of every reader"
    for seat in wiring.lamps:
        yield f"lamp of seat {seat}", "330 to 680 ohms, lamp, then GND"


def _places(wiring: Wiring, bus: int) -> str:
    places = [str(place) for place, a in wiring.readers.items() if a.line and a.bus == bus]
    return f"readers {', '.join(places)}"


def _to_readers(wiring: Wiring) -> Iterator[Wire]:
    for place, address in wiring.readers.items():
        if address.kind == "mux":
            yield Wire(f"select of reader {place}", _output(address), f"SDA of reader {place}")
        if address.kind != "sim":
            yield Wire(f"pull-up of reader {place}", "10 k from 3.3 V", f"SDA of reader {place}")


def _output(address: Address) -> str:
    return f"74HC138 Y{address.channel} ({OUTPUT_PINS[address.channel]})"


def _power(wiring: Wiring) -> Iterator[Wire]:
    if not wiring.lines():
        return
    yield Wire("3.3 V of the readers", "own regulator, 1 A or more", "3.3V of every reader")
    yield Wire("ground", "GND (6), and the regulator's", "GND of every reader")
    if wiring.address_lines:
        yield Wire("74HC138 always on", "the readers' 3.3 V", "74HC138 VCC (16) and G1 (6)")
        yield Wire("74HC138 ground", "GND (14)", "74HC138 GND (8) and /G2B (5)")
