"""The wiring picture of the readers: modules in a row, the bus under them, the decoder below.

Laws: the modules stand in the order of their select lines, so that no select wire crosses another.
Pins are drawn in the order in which they are on the part.
"""

from collections.abc import Iterator
from typing import NamedTuple

from companion.core.i18n import Language, message
from hardware.plans.chip_picture import (
    CHIP_HEIGHT,
    CHIP_PITCH,
    CHIP_TOP,
    chip_pin_at,
    draw_chip,
)
from hardware.plans.svg_page import frame_page
from hardware.plans.symbols import (
    COLOURS,
    STYLE,
    draw_box,
    draw_ceramic,
    draw_disc,
    draw_dot,
    draw_line,
    draw_module,
    draw_resistor,
    write_text,
)
from hardware.wiring.joints import (
    SERIES,
    Joint,
    decoder_devices,
    decoder_part,
    list_nets,
    reader_part,
)
from hardware.wiring.table import MODULE_PINS, OUTPUT_PINS, profile_headline
from hardware.wiring.wires import SpiAddress, Wiring

WIDTH, HEIGHT = 297.0, 210.0
LEFT, COLUMN, MODULE = 46.0, 30.5, (28.0, 38.0)
TOP, PINS_AT, PIN_PITCH = 14.0, 54.0, 3.3
RAILS = {"3.3V": 79.0, "GND": 86.0, "RST": 93.0, "MISO": 100.0, "MOSI": 107.0, "SCK": 114.0}
SHARED = ("3.3V", "GND", "RST")
FAN, TRACK = 121.0, 2.6
NOTES_WIDTH, CHIP_SPACE = 100.0, 130.0
"""Left of the first decoder, and from one to the next."""
SERIES_RINGS, PULL_UP_RINGS = ("#7a2fa0", "#3a7a3a", "#111"), ("#7a4a10", "#111", "#e07000")
"""68 ohms and 10 k."""


class Column(NamedTuple):
    """A module on the page: its place, its address, and the x of its left edge."""

    place: int
    address: SpiAddress
    x: float

    def pin_x(self, pin: str) -> float:
        return self.x + 2.4 + MODULE_PINS.index(pin) * PIN_PITCH


def draw_readers_page(wiring: Wiring, words: Language) -> str:
    """Return the picture as SVG; a wiring without readers has none, and gets an empty board."""
    columns = _place_columns(wiring)
    chips = len(decoder_devices(wiring))
    ends = [_chip_x(wiring, number, columns) + CHIP_SPACE for number in range(chips)]
    width = max([WIDTH, *(column.x + COLUMN + 6 for column in columns), *ends])
    parts = [
        f"<style>{STYLE}</style>",
        draw_box(0, 0, width, HEIGHT, "fill:#fff", 0),
        write_text(8, 9, words(profile_headline(wiring)), "t"),
        *_draw_rails(wiring, columns, words),
        *(part for column in columns for part in _draw_reader(column, words)),
        *_draw_selects(wiring, columns),
        *_draw_chips(wiring, columns, words),
        *_draw_notes(columns, words),
    ]
    return frame_page(width, HEIGHT, parts, paper=True)


def _place_columns(wiring: Wiring) -> list[Column]:
    """Return the modules by bus and select line; a second bus leaves room for its resistors."""
    wired = sorted(
        wiring.spi_readers().items(), key=lambda entry: (*entry[1].spi_device, entry[1].channel)
    )
    columns: list[Column] = []
    x = LEFT
    for place, address in wired:
        if columns and columns[-1].address.bus != address.bus:
            x += LEFT
        columns.append(Column(place, address, x))
        x += COLUMN
    return columns


def _draw_rails(wiring: Wiring, columns: list[Column], words: Language) -> Iterator[str]:
    if not columns:
        return
    sources = {
        "3.3V": "J-VR-OUT",
        "GND": "J-VR-GND",
        "RST": _find_source(wiring, columns[0], "RST"),
    }
    end = columns[-1].x + MODULE[0]
    for signal in SHARED:
        y, colour = RAILS[signal], COLOURS[signal]
        yield draw_line(colour, (27, y), (end, y))
        yield write_text(26, y + 0.8, f"{sources[signal]} {signal}", "e b")
    for bus in sorted({column.address.bus for column in columns}):
        on_bus = [column for column in columns if column.address.bus == bus]
        yield from _draw_bus(wiring, bus, on_bus)


def _draw_bus(wiring: Wiring, bus: int, columns: list[Column]) -> Iterator[str]:
    """Yield SCK, MOSI and MISO of one bus, the first two through their resistors."""
    begin, end = columns[0].x - LEFT + 27, columns[-1].x + MODULE[0]
    for signal in ("MISO", "MOSI", "SCK"):
        y, colour = RAILS[signal], COLOURS[signal]
        source = _find_source(wiring, columns[0], signal)
        yield draw_line(colour, (begin, y), (end, y))
        yield write_text(begin - 1, y + 0.8, f"{source} {signal}", "e b")
        if signal in SERIES:
            part = f"R{signal}{bus}"
            yield from draw_resistor(begin + 8.5, y, SERIES_RINGS)
            yield draw_dot(Joint(part, "1"), begin + 2, y, colour)
            yield draw_dot(Joint(part, "2"), begin + 15, y, colour)
            yield write_text(begin + 1, y - 2.2, f"J-{part}-1 · -2", "j")


def _find_source(wiring: Wiring, column: Column, signal: str) -> str:
    """Return the joint at the Pi from which a signal comes to a reader."""
    joints = {net.joints: net.joints[0].name for net in list_nets(wiring)}
    here = Joint(reader_part(column.place), signal)
    source = next(name for net, name in joints.items() if here in net)
    if signal in SERIES:
        start = Joint(f"R{signal}{column.address.bus}", "1")
        source = next(name for net, name in joints.items() if start in net)
    return source


def _draw_reader(column: Column, words: Language) -> Iterator[str]:
    """Yield a module, its pins with their names, and its drops to the rails."""
    part, x = reader_part(column.place), column.x
    yield from draw_module(x, TOP, *MODULE)
    middle = x + MODULE[0] / 2
    white = "fill:#fff;stroke:#111;stroke-width:.2"
    yield draw_box(middle - 10, TOP + 8, 20, 11, white)
    yield write_text(middle, TOP + 12.5, part, "m b")
    yield write_text(
        middle, TOP + 16.8, words(message("Reader {place}", place=column.place)), "m s"
    )
    for pin in MODULE_PINS:
        at, joint = column.pin_x(pin), Joint(part, pin)
        yield write_text(at + 0.7, PINS_AT - 3.2, pin, "s pin", turned=True)
        if pin != "IRQ":
            yield write_text(at + 2.0, RAILS["3.3V"] - 3, joint.name, "j", turned=True)
        else:
            yield draw_disc(at, PINS_AT - 1, 0.8, "fill:#fff;stroke:#111;stroke-width:.3")
            continue
        colour, y = COLOURS[pin], RAILS.get(pin)
        if y is not None:
            yield draw_line(colour, (at, PINS_AT - 1), (at, y))
            yield draw_disc(at, y, 0.8, f"fill:{colour}")
        yield draw_dot(joint, at, PINS_AT - 1, colour)
    yield from _draw_block_capacitor(column)


def _draw_block_capacitor(column: Column) -> Iterator[str]:
    """Yield the 100 nF between 3.3V and GND, under the pin that stays free."""
    x, part = column.pin_x("IRQ"), f"C{reader_part(column.place)}"
    high, low = RAILS["3.3V"], RAILS["GND"]
    yield draw_line("#111", (x, high), (x, low))
    yield from draw_ceramic(x, (high + low) / 2)
    yield draw_dot(Joint(part, "1"), x, high, COLOURS["3.3V"])
    yield draw_dot(Joint(part, "2"), x, low, COLOURS["GND"])
    yield write_text(x + 0.7, high - 2, f"J-{part}-1 · -2", "j", turned=True)


def _chip_x(wiring: Wiring, number: int, columns: list[Column]) -> float:
    """Return the x of pin 1 of a decoder: under the readers that it selects, clear of the last."""
    part = f"U{number + 1}"
    mine = [
        column
        for column in columns
        if column.address.kind == "mux" and decoder_part(wiring, column.address) == part
    ]
    middle = (mine[0].x + mine[-1].x + MODULE[0]) / 2
    least = _chip_x(wiring, number - 1, columns) + CHIP_SPACE if number else NOTES_WIDTH
    return max(middle - 3.5 * CHIP_PITCH, least)


def _draw_selects(wiring: Wiring, columns: list[Column]) -> Iterator[str]:
    """Yield the wires from the decoders, or from the Pi, to the SDA of each reader."""
    muxed = [column for column in columns if column.address.kind == "mux"]
    for row, column in enumerate(muxed):
        number = decoder_devices(wiring).index(column.address.spi_device)
        left = _chip_x(wiring, number, columns)
        pin = OUTPUT_PINS[column.address.channel]
        x, y = chip_pin_at(left, pin)
        at = column.pin_x("SDA")
        way = [(x, y)]
        if pin <= 8:
            around = left + 8 * CHIP_PITCH
            low = CHIP_TOP + CHIP_HEIGHT + 17.5
            way += [(x, low), (around, low)]
            x = around
        level = FAN + (row if at > x else len(muxed) - row) * TRACK
        yield draw_line(COLOURS["SDA"], *way, (x, level), (at, level), (at, PINS_AT - 1))
        yield draw_dot(Joint(reader_part(column.place), "SDA"), at, PINS_AT - 1, COLOURS["SDA"])
    for column in columns:
        if column.address.kind != "mux":
            yield from _draw_direct_select(wiring, column)


def _draw_direct_select(wiring: Wiring, column: Column) -> Iterator[str]:
    """Yield a select line that comes straight from the Pi, with its pull-up to 3.3 V."""
    at, colour = column.pin_x("SDA"), COLOURS["SDA"]
    x, low, part = at - 3.2, FAN + 16, f"RSDA{column.place}"
    yield draw_line(colour, (at, PINS_AT - 1), (at, low + 8))
    yield draw_line(COLOURS["3.3V"], (x, RAILS["3.3V"]), (x, FAN + 6))
    yield draw_line(colour, (x, FAN + 6), (x, low), (at, low))
    yield from draw_resistor(x, FAN + 6, PULL_UP_RINGS, turned=True)
    yield draw_dot(Joint(part, "1"), x, RAILS["3.3V"], COLOURS["3.3V"])
    yield draw_dot(Joint(part, "2"), x, low, colour)
    yield draw_dot(Joint(reader_part(column.place), "SDA"), at, PINS_AT - 1, colour)
    yield draw_disc(at, low, 0.8, f"fill:{colour}")
    yield write_text(x - 2.0, FAN + 16, f"J-{part}-1 · -2", "j", turned=True)
    yield write_text(x - 4.2, FAN + 16, "10 k", "s", turned=True)
    yield write_text(at + 0.8, low + 24, _find_source(wiring, column, "SDA"), "b", turned=True)


def _draw_chips(wiring: Wiring, columns: list[Column], words: Language) -> Iterator[str]:
    for number in range(len(decoder_devices(wiring))):
        left = _chip_x(wiring, number, columns)
        yield from draw_chip(wiring, f"U{number + 1}", left, words)


def _draw_notes(columns: list[Column], words: Language) -> Iterator[str]:
    if not columns:
        return
    notes = (
        message("A dot is a joint; lines that cross without a dot do not meet."),
        message("3.3 V comes from the regulator only, never from the Pi. IRQ stays free."),
        message("33 to 100 ohms in SCK and MOSI, close to the Pi; 100 nF at every reader."),
    )
    for row, note in enumerate(notes):
        yield write_text(8, HEIGHT - 14 + row * 4, words(note), "s")
