"""A wiring profile as an SVG drawing for the workshop: what `companion wiring --svg` writes.

Law: it must be readable in black and white on one sheet of A4. Every wire has its name at both
ends, so that no line has to be followed across the page; colour only repeats what words say.
"""

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

from companion.core.i18n import Language, Message, message
from hardware.advice import CONFIG_FILE
from hardware.wiring.table import OUTPUT_PINS, header_pin, profile_headline
from hardware.wiring.wires import ENABLES, HEADER, SpiAddress, Wiring

WIDTH, HEIGHT = 297, 210  # mm
ROW = 7.4
HEADER_AT, CHIP_AT, READERS_AT = (92.0, 26.0), (184.0, 40.0), (232.0, 24.0)
THREE_VOLTS, EEPROM = message("3.3 V"), message("HAT EEPROM")
POWER: dict[int, Message | str] = {
    1: THREE_VOLTS, 17: THREE_VOLTS, 2: "5 V", 4: "5 V", 27: EEPROM, 28: EEPROM,
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND"),
}  # fmt: skip
COLOURS = {
    "spi": "#1f5fa8", "enable": "#1f5fa8", "address": "#8a4f00", "reset": "#8a4f00",
    "button": "#1b7a3d", "lamp": "#a11d33",
}  # fmt: skip
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
STYLE = (
    "text{font-family:sans-serif;font-size:3.1px;fill:#111}.title{font-size:5px;font-weight:bold}"
    ".small{font-size:2.6px}.name{font-weight:bold}.end{text-anchor:end}.mid{text-anchor:middle}"
    "rect,circle,path{fill:none;stroke:#111;stroke-width:.3}"
)


def draw_svg(wiring: Wiring, words: Language) -> str:
    """Return the profile as SVG, one A4 page across."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{HEIGHT}mm" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">',
        f"<style>{STYLE}</style>",
        f'<rect x="0" y="0" width="{WIDTH}" height="{HEIGHT}" style="fill:#fff;stroke:none"/>',
        _draw_text(10, 12, words(profile_headline(wiring)), "title"),
        *_draw_header(wiring, words),
        *(_draw_decoder(wiring, words) if wiring.address_lines else ()),
        *_draw_readers(wiring, words),
        *_draw_notes(wiring, words),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _draw_header(wiring: Wiring, words: Language) -> Iterator[str]:
    """Draw the forty pins as seen from above, pin 1 at the top left."""
    left, top = HEADER_AT
    uses = {HEADER[pin]: (pin, use) for pin, use in wiring.pin_uses()}
    above = words(message("Raspberry Pi, 40-pin header, seen from above"))
    yield _draw_text(left + 7, top - 4, above, "name mid")
    yield _draw_rect(left, top, 14, 20 * ROW)
    for place in range(1, 41):
        x = left + (3.5 if place % 2 else 10.5)
        y = top + (place - 1) // 2 * ROW + ROW / 2
        colour, fill, ink = "#111", "#fff", "#111"
        label = words.render_nested(POWER.get(place, ""))
        if place in uses:
            pin, use = uses[place]
            colour = fill = COLOURS[use.kind]
            label, ink = f"{words(use.say)} · BCM {pin}", "#fff"
        yield f'<circle cx="{x}" cy="{y:.2f}" r="2.7" style="fill:{fill};stroke:{colour}"/>'
        yield _draw_text(x, y + 1, str(place), "small mid", f"fill:{ink}")
        if label:
            outward = (left - 3, "end") if place % 2 else (left + 17, "")
            yield _draw_text(outward[0], y + 1.1, label, outward[1], f"fill:{colour}")


def _draw_decoder(wiring: Wiring, words: Language) -> Iterator[str]:
    """Draw the 74HC138 by function; the number at each pin is the chip's."""
    x, y = CHIP_AT
    enable = next(a for a in wiring.spi_readers().values() if a.kind == "mux")
    power = words(THREE_VOLTS)
    inputs = [
        *((f"A{n}", n + 1, header_pin(pin)) for n, pin in enumerate(wiring.address_lines)),
        ("/G2A", 4, f"SPI{enable.bus} CE{enable.device}"),
        ("/G2B", 5, "GND"),
        ("G1", 6, power),
        ("VCC", 16, power),
        ("GND", 8, "GND"),
    ]
    yield _draw_rect(x, y, 26, 8 * 17)
    yield _draw_text(x + 13, y - 2, "74HC138", "name mid")
    for row, (name, number, wire) in enumerate(inputs):
        at = y + row * 17 + 8.5
        yield _draw_pin(x, at, f"{name} ({number})", -1)
        yield _draw_text(x - 6, at - 1, wire, "small end")
    for channel, number in sorted(OUTPUT_PINS.items()):
        yield _draw_pin(x + 26, y + channel * 17 + 8.5, f"Y{channel} ({number})", 1)


def _draw_readers(wiring: Wiring, words: Language) -> Iterator[str]:
    x, top = READERS_AT
    for row, (place, address) in enumerate(wiring.readers.items()):
        y = top + row * 21
        yield _draw_rect(x, y, 55, 17)
        yield _draw_text(x + 2, y + 5, words(message("Reader {place}", place=place)), "name")
        if not isinstance(address, SpiAddress):
            yield _draw_text(x + 2, y + 10, str(address), "small")
            continue
        yield _draw_text(x + 2, y + 10, words(_select_source(address)), "small")
        lines = words(message("SCK MOSI MISO: SPI{bus} · RST · 3.3 V · GND", bus=address.bus))
        yield _draw_text(x + 2, y + 14.5, lines, "small")
        if address.kind == "mux":
            start = CHIP_AT[1] + address.channel * 17 + 8.5
            turn = CHIP_AT[0] + 31 + address.channel * 1.6
            yield (
                f'<path d="M {CHIP_AT[0] + 30} {start} H {turn} V {y + 9} H {x}" '
                f'style="stroke:#1f5fa8"/>'
            )


def _select_source(address: SpiAddress) -> Message:
    """Return where a reader's SDA comes from."""
    if address.kind == "mux":
        channel = address.channel
        text = "SDA from Y{channel} (74HC138 pin {pin})"
        return message(text, channel=channel, pin=OUTPUT_PINS[channel])
    pin = header_pin(ENABLES[address.spi_device])
    text = "SDA from SPI{bus} CE{device}, {pin}"
    return message(text, bus=address.bus, device=address.device, pin=pin)


def _draw_notes(wiring: Wiring, words: Language) -> Iterator[str]:
    config = ", ".join(wiring.config_lines())
    notes = [
        message("Buttons: from their pin to GND. Lamps: pin, 330 to 680 ohms, lamp, GND."),
        message("Each reader: 3.3 V from a regulator of 1 A or more, its GND joined to the Pi's. "
            "IRQ stays free. 33 to 100 ohms in SCK and MOSI, close to the Pi."),
        message("SDA straight from the Pi: 10 k from SDA to 3.3 V; from a 74HC138: none."),
        message("{file}: {lines}", file=CONFIG_FILE, lines=config) if config
        else message("{file}: nothing", file=CONFIG_FILE),
    ]  # fmt: skip
    for row, note in enumerate(notes):
        yield _draw_text(10, HEIGHT - 19 + row * 5, words(note))


def _draw_pin(x: float, y: float, name: str, side: int) -> str:
    inside = _draw_text(x - 1.5 * side, y + 1.1, name, "end small" if side > 0 else "small")
    return f'<path d="M {x} {y} h {4 * side}"/>{inside}'


def _draw_rect(x: float, y: float, width: float, height: float) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height:.1f}" rx="1"/>'


def _draw_text(x: float, y: float, words: str, kind: str = "", style: str = "") -> str:
    dress = f' class="{kind}"' if kind else ""
    dress += f' style="{style}"' if style else ""
    return f'<text x="{x}" y="{y:.2f}"{dress}>{escape(NOT_XML.sub("?", words))}</text>'
