"""A wiring profile as a table to solder by, printed by `companion wiring`.

Law: one line a wire, from the header's pin to the pin at the other end. What is printed on a
chip or a board stays as it is printed there, in every language.
"""

from collections.abc import Iterator
from typing import NamedTuple

from companion.core.i18n import Language, Message, message
from hardware.advice import CONFIG_FILE
from hardware.wiring.profile import TITLES
from hardware.wiring.wires import BUSES, HEADER, PinUse, SpiAddress, Wiring

MODULE_PINS = ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")
"""A reader module's pins, from the edge; SDA is its chip select."""
DECODER_PINS = {
    1: "A0", 2: "A1", 3: "A2", 4: "/G2A", 5: "/G2B", 6: "G1", 7: "Y7", 8: "GND",
    9: "Y6", 10: "Y5", 11: "Y4", 12: "Y3", 13: "Y2", 14: "Y1", 15: "Y0", 16: "VCC",
}  # fmt: skip
OUTPUT_PINS = {int(name[1]): pin for pin, name in DECODER_PINS.items() if name[0] == "Y"}
GATE_PINS = (("1", "2", "3"), ("4", "5", "6"), ("10", "9", "8"), ("13", "12", "11"))
"""Enable, input and output of each gate of a 74HC125; 14 is its VCC, 7 its GND."""

LONE_SUPPLY, LONE_GROUND = 17, 20
"""The pins of the header that supply a lone module: beside those of SPI0."""

Cell = Message | str
"""A saying, or the names of a pin."""


class Wire(NamedTuple):
    """One wire: its purpose, its start and its end."""

    use: Cell
    start: Cell
    end: Cell


def list_wires(wiring: Wiring) -> list[Wire]:
    """Return every wire of the table, the power last."""
    return [*_from_header(wiring), *_to_readers(wiring), *_power_wires(wiring)]


def format_table(wiring: Wiring, words: Language) -> str:
    """Return the profile as text, with its lines of config.txt."""
    head = Wire(message("Wire"), message("From"), message("To"))
    rows = [[words.render_nested(cell) for cell in wire] for wire in (head, *list_wires(wiring))]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(r, widths, strict=True)) for r in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    config = wiring.config_lines()
    if config:
        lines += ["", words(message("{file} needs:", file=CONFIG_FILE))]
        lines += [f"  {line}" for line in config]
    top = [
        words(profile_headline(wiring)),
        words(message("(BCM numbers; in brackets the header's own)")),
        "",
    ]
    return "\n".join(line.rstrip() for line in [*top, *lines]) + "\n"


def profile_headline(wiring: Wiring) -> Message:
    """Return the profile's name and title; an own title stays in its author's language."""
    title: Cell = Message(wiring.title) if wiring.title in TITLES else wiring.title
    return message("{name}: {title}", name=wiring.name, title=title)


def header_pin(pin: int) -> str:
    """Return a pin by both its names."""
    return f"BCM {pin} ({HEADER[pin]})"


def gate_part(place: int) -> str:
    """Return the 74HC125 that serves a reader and its three neighbours."""
    return f"B{1 + (place - 1) // len(GATE_PINS)}"


def _from_header(wiring: Wiring) -> Iterator[Wire]:
    ends = dict(_wire_ends(wiring))
    for pin, use in wiring.pin_uses():
        if use.kind == "enable" and use not in ends:
            end: Cell = message("nothing; the kernel keeps it")
        else:
            end = ends.get(use, message("button, then GND"))
        yield Wire(use.say, header_pin(pin), end)
    for bus in sorted({bus for bus, _ in wiring.spi_devices() if not wiring.is_lone_module}):
        for signal, bcm in zip(("SCK", "MOSI"), BUSES[bus], strict=False):
            said = message("resistor in {signal} of SPI{bus}", signal=signal, bus=bus)
            yield Wire(said, header_pin(bcm), message("33 to 100 ohms, then the readers"))


def _wire_ends(wiring: Wiring) -> Iterator[tuple[PinUse, Cell]]:
    """Yield the far end of each use of a pin."""
    buses = {bus for bus, _ in wiring.spi_devices()}
    for bus in buses:
        for signal, pin in (("SCLK", "SCK"), ("MOSI", "MOSI"), ("MISO", "MISO")):
            end: Cell = _on_bus(wiring, bus, pin, len(buses) == 1)
            if pin == "MISO" and wiring.gates:
                end = message("the gate of every reader")
            yield PinUse("spi", bus, signal), end
    for place, address in wiring.spi_readers().items():
        at = "74HC138 /G2A (4)" if address.kind == "mux" else _sda_pin(place)
        yield PinUse("enable", address.bus, f"CE{address.device}"), at
    for number in range(3):
        yield PinUse("address", number), f"74HC138 A{number} ({number + 1})"
    yield PinUse("reset"), message("{signal} of every reader", signal="RST")
    for seat in wiring.lamps:
        yield PinUse("lamp", seat), message("330 to 680 ohms, lamp, then GND")


def _on_bus(wiring: Wiring, bus: int, signal: str, alone: bool) -> Message:
    if alone:
        return message("{signal} of every reader", signal=signal)
    places = [place for place, a in wiring.spi_readers().items() if a.bus == bus]
    if len(places) == 1:
        return message("{signal} of reader {place}", signal=signal, place=places[0])
    return message("{signal} of readers {numbers}", signal=signal, numbers=places)


def _to_readers(wiring: Wiring) -> Iterator[Wire]:
    for place, address in wiring.readers.items():
        if not isinstance(address, SpiAddress):
            yield Wire(message("reader {n}", n=place), str(address), "")
            continue
        if address.kind == "mux":
            use = message("select of reader {place}", place=place)
            yield Wire(use, _decoder_output(address), _sda_pin(place))
        # The outputs of a 74HC138 drive the line both ways, and so does the Pi over a short wire.
        if address.kind == "spidev" and not wiring.is_lone_module:
            use = message("pull-up of reader {place}", place=place)
            yield Wire(use, message("10 k from 3.3 V"), _sda_pin(place))
        if wiring.gates:
            use = message("gate of reader {place}", place=place)
            miso = message("{signal} of reader {place}", signal="MISO", place=place)
            starts: tuple[Cell, ...] = (_sda_pin(place), miso, header_pin(BUSES[address.bus][2]))
            for start, pin in zip(starts, GATE_PINS[(place - 1) % len(GATE_PINS)], strict=True):
                yield Wire(use, start, f"74HC125 {gate_part(place)} ({pin})")


def _sda_pin(place: int) -> Message:
    return message("{signal} of reader {place}", signal="SDA", place=place)


def _decoder_output(address: SpiAddress) -> str:
    return f"74HC138 Y{address.channel} ({OUTPUT_PINS[address.channel]})"


def _power_wires(wiring: Wiring) -> Iterator[Wire]:
    if not wiring.spi_devices():
        return
    if wiring.is_lone_module:
        for use, start, end in (
            (message("3.3 V of the readers"), f"3.3 V ({LONE_SUPPLY})", MODULE_PINS[7]),
            (message("ground"), f"GND ({LONE_GROUND})", "GND"),
        ):
            yield Wire(use, start, message("{signal} of every reader", signal=end))
        return
    regulator, every = message("own regulator, 1 A or more"), "{signal} of every reader"
    yield Wire(message("3.3 V of the readers"), regulator, message(every, signal="3.3V"))
    yield Wire(
        message("ground"), message("GND (6), and the regulator's"), message(every, signal="GND")
    )
    if wiring.address_lines:
        both = message("{signals} of the 74HC138", signals="VCC (16), G1 (6)")
        yield Wire(message("74HC138 always on"), message("3.3 V of the readers"), both)
        both = message("{signals} of the 74HC138", signals="GND (8), /G2B (5)")
        yield Wire(message("74HC138 ground"), "GND (14)", both)
    parts = ", ".join(sorted({gate_part(p) for p in wiring.spi_readers()})) if wiring.gates else ""
    if parts:
        supply = message("supply of the 74HC125")
        yield Wire(supply, message("3.3 V of the readers"), f"{parts} VCC (14)")
        yield Wire(supply, "GND (6)", f"{parts} GND (7)")
