"""A wiring profile as a drawing for the wall of the workshop: what `companion wiring --svg` writes.

Law: it must be readable in black and white on one sheet of A4. Every wire has its name at both
ends, so nobody has to follow a line across the page; colour only repeats what words say.
"""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from hardware.wiring.table import CONFIG_FILE, OUTPUT_PINS, header_pin
from hardware.wiring.wires import ENABLES, HEADER, Address, Wiring

WIDTH, HEIGHT = 297, 210  # mm
ROW = 7.4
HEADER_AT, CHIP_AT, READERS_AT = (92.0, 26.0), (184.0, 40.0), (232.0, 24.0)
POWER = {
    1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V", 27: "HAT EEPROM", 28: "HAT EEPROM",
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND"),
}  # fmt: skip
COLOURS = {"SPI": "#1f5fa8", "add": "#8a4f00", "res": "#8a4f00", "but": "#1b7a3d", "lam": "#a11d33"}
STYLE = (
    "text{font-family:sans-serif;font-size:3.1px;fill:#111}.title{font-size:5px;font-weight:bold}"
    ".small{font-size:2.6px}.name{font-weight:bold}.end{text-anchor:end}.mid{text-anchor:middle}"
    "rect,circle,path{fill:none;stroke:#111;stroke-width:.3}"
)


def draw(wiring: Wiring) -> str:
    """The profile as SVG, one A4 page across."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{HEIGHT}mm" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">',
        f"<style>{STYLE}</style>",
        f'<rect x="0" y="0" width="{WIDTH}" height="{HEIGHT}" style="fill:#fff;stroke:none"/>',
        _text(10, 12, f"{wiring.name}: {wiring.title}", "title"),
        *_header(wiring),
        *(_decoder(wiring) if wiring.address_lines else ()),
        *_readers(wiring),
        *_notes(wiring),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _header(wiring: Wiring) -> Iterator[str]:
    """Forty pins as they are seen from above, pin 1 at the top left."""
    left, top = HEADER_AT
    uses = {HEADER[pin]: (use, pin) for pin, use in wiring.uses()}
    yield _text(left + 7, top - 4, "Raspberry Pi, 40-pin header, seen from above", "name mid")
    yield _rect(left, top, 14, 20 * ROW)
    for place in range(1, 41):
        x = left + (3.5 if place % 2 else 10.5)
        y = top + (place - 1) // 2 * ROW + ROW / 2
        use, pin = uses.get(place, (POWER.get(place, ""), None))
        colour = COLOURS.get(use[:3], "#111")
        fill = "#fff" if pin is None else colour
        yield f'<circle cx="{x}" cy="{y:.2f}" r="2.7" style="fill:{fill};stroke:{colour}"/>'
        ink = "#fff" if pin is not None else "#111"
        yield _text(x, y + 1, str(place), "small mid", f"fill:{ink}")
        if use:
            label = use if pin is None else f"{use} · BCM {pin}"
            outward = (left - 3, "end") if place % 2 else (left + 17, "")
            yield _text(outward[0], y + 1.1, label, outward[1], f"fill:{colour}")


def _decoder(wiring: Wiring) -> Iterator[str]:
    """The 74HC138 by what its pins do; the number at each pin is the one on the chip."""
    x, y = CHIP_AT
    enable = next(a for a in wiring.readers.values() if a.kind == "mux")
    inputs = [
        *((f"A{n}", n + 1, header_pin(pin)) for n, pin in enumerate(wiring.address_lines)),
        ("/G2A", 4, f"SPI{enable.bus} CE{enable.device}"),
        ("/G2B", 5, "GND"),
        ("G1", 6, "3.3 V"),
        ("VCC", 16, "3.3 V"),
        ("GND", 8, "GND"),
    ]
    yield _rect(x, y, 26, 8 * 17)
    yield _text(x + 13, y - 2, "74HC138", "name mid")
    for row, (name, number, wire) in enumerate(inputs):
        at = y + row * 17 + 8.5
        yield _pin(x, at, f"{name} ({number})", -1)
        yield _text(x - 6, at - 1, wire, "small end")
    for channel, number in sorted(OUTPUT_PINS.items()):
        yield _pin(x + 26, y + channel * 17 + 8.5, f"Y{channel} ({number})", 1)


def _readers(wiring: Wiring) -> Iterator[str]:
    x, top = READERS_AT
    for row, (place, address) in enumerate(wiring.readers.items()):
        y = top + row * 21
        yield _rect(x, y, 55, 17)
        yield _text(x + 2, y + 5, f"Reader {place}", "name")
        yield _text(x + 2, y + 10, f"SDA from {_select(address)}", "small")
        bus = f"SPI{address.bus}"
        yield _text(x + 2, y + 14.5, f"SCK MOSI MISO: {bus} · RST · 3.3 V · GND", "small")
        if address.kind == "mux":
            start = CHIP_AT[1] + address.channel * 17 + 8.5
            turn = CHIP_AT[0] + 31 + address.channel * 1.6
            yield (
                f'<path d="M {CHIP_AT[0] + 30} {start} H {turn} V {y + 9} H {x}" '
                f'style="stroke:#1f5fa8"/>'
            )


def _select(address: Address) -> str:
    if address.kind == "mux":
        return f"Y{address.channel} (74HC138 pin {OUTPUT_PINS[address.channel]})"
    return str(address) if address.line is None else _enable(address.line)


def _notes(wiring: Wiring) -> Iterator[str]:
    notes = [
        "Buttons: from their pin to GND. Lamps: pin, 330 to 680 ohms, lamp, GND.",
        "Each reader: 10 k from SDA to 3.3 V; 3.3 V from a regulator of 1 A or more, its GND "
        "joined to the Pi's. IRQ stays free.",
        f"{CONFIG_FILE}: {', '.join(wiring.config_lines()) or 'nothing'}",
    ]
    for row, note in enumerate(notes):
        yield _text(10, HEIGHT - 16 + row * 5, note)


def _pin(x: float, y: float, name: str, side: int) -> str:
    inside = _text(x - 1.5 * side, y + 1.1, name, "end small" if side > 0 else "small")
    return f'<path d="M {x} {y} h {4 * side}"/>{inside}'


def _rect(x: float, y: float, width: float, height: float) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height:.1f}" rx="1"/>'


def _text(x: float, y: float, words: str, kind: str = "", style: str = "") -> str:
    dress = f' class="{kind}"' if kind else ""
    dress += f' style="{style}"' if style else ""
    return f'<text x="{x}" y="{y:.2f}"{dress}>{escape(words)}</text>'


def _enable(line: tuple[int, int]) -> str:
    return f"SPI{line[0]} CE{line[1]}, {header_pin(ENABLES[line])}"
