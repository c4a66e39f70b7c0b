"""Parts as they look on the bench, as SVG: chip, resistor, capacitors, button, lamp, reader module.

Laws: every joint is a circle with the joint's name as id, so that a link to it lights it up, and
the name is written beside it. A dot on a line is a joint; lines that cross without one do not meet.
"""

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from hardware.plans.svg_page import FONT
from hardware.wiring.drawing import NOT_XML, POWER
from hardware.wiring.joints import Joint, Net
from hardware.wiring.table import DECODER_PINS

COLOURS = {
    "3.3V": "#c01020", "GND": "#111111", "RST": "#6d4c41", "MISO": "#1b7a3d", "MOSI": "#1f5fa8",
    "SCK": "#d07000", "SDA": "#7a1f8a", "5V": "#e04000", "address": "#00737a", "button": "#4f7a1b",
    "lamp": "#a11d5c",
}  # fmt: skip
"""One colour for each signal on every page; every line has its name as well."""
DECODER_COLOURS = {
    "VCC": COLOURS["3.3V"], "G1": COLOURS["3.3V"], "GND": COLOURS["GND"], "/G2B": COLOURS["GND"],
    **dict.fromkeys(("A0", "A1", "A2"), COLOURS["address"]),
}  # fmt: skip
"""Of the pins of a 74HC138; those that are left, /G2A and the outputs, select a reader."""
SEAT_COLOURS = {"S": COLOURS["button"], "R": COLOURS["lamp"]}
"""By the first letter of the part at a pin of the Pi."""
STYLE = (
    f"text{{{FONT};font-size:2.6px;fill:#111}}.t{{font-size:5px;font-weight:bold}}"
    ".pin{fill:#fff}.b{font-weight:bold}.s{font-size:2.1px}.j{font-size:1.9px;fill:#444}"
    ".e{text-anchor:end}.m{text-anchor:middle}path{fill:none;stroke-width:.5}"
    "circle.joint{stroke-width:.3;stroke:#fff}:target{fill:#f0f;stroke:#f0f!important;"
    "stroke-width:2!important}"
)


def header_colour(net: Net) -> str:
    """Return the colour of a net that begins at a pin of the Pi's header."""
    pin, first = int(net.joints[0].pin), net.joints[1]
    if POWER.get(pin):
        return COLOURS["GND" if POWER[pin] == "GND" else "5V"]
    if first.part.startswith("U"):
        return decoder_colour(DECODER_PINS[int(first.pin)])
    resisted = (name for name in ("SCK", "MOSI") if first.part.startswith(f"R{name}"))
    series = next(resisted, first.pin)
    return COLOURS.get(series) or SEAT_COLOURS[first.part[0]]


def decoder_colour(pin: str) -> str:
    """Return the colour of what leads to a pin of a 74HC138."""
    return DECODER_COLOURS.get(pin, COLOURS["SDA"])


def write_text(x: float, y: float, text: str, kind: str = "", turned: bool = False) -> str:
    """Return text; turned, it reads upwards."""
    turn = f' transform="rotate(-90 {x:.2f} {y:.2f})"' if turned else ""
    clean = escape(NOT_XML.sub("?", text))
    return f'<text x="{x:.2f}" y="{y:.2f}" class="{kind}"{turn}>{clean}</text>'


def draw_line(colour: str, *points: tuple[float, float]) -> str:
    """Return a wire through these points."""
    way = " L ".join(f"{x:.2f} {y:.2f}" for x, y in points)
    return f'<path d="M {way}" style="stroke:{colour}"/>'


def draw_dot(joint: Joint, x: float, y: float, colour: str = "#111") -> str:
    """Return the joint itself."""
    name = escape(joint.name)
    return (
        f'<circle id="{name}" class="joint" cx="{x:.2f}" cy="{y:.2f}" r="0.9" '
        f'style="fill:{colour}"><title>{name}</title></circle>'
    )


def draw_box(x: float, y: float, width: float, height: float, style: str, radius: float = 1) -> str:
    """Return a rectangle."""
    return (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" '
        f'rx="{radius:g}" style="{style}"/>'
    )


def draw_disc(x: float, y: float, radius: float, style: str) -> str:
    """Return a disc without a name."""
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}" style="{style}"/>'


def draw_resistor(x: float, y: float, bands: Iterable[str], turned: bool = False) -> Iterator[str]:
    """Yield a resistor of 8 mm round its middle, with its rings."""
    turn = f' transform="rotate(90 {x:.2f} {y:.2f})"' if turned else ""
    yield f"<g{turn}>"
    yield draw_box(x - 4, y - 1.4, 8, 2.8, "fill:#e8d3a8;stroke:#7a6030;stroke-width:.2", 1.3)
    for place, colour in enumerate(bands):
        yield draw_box(x - 2.8 + place * 1.5, y - 1.4, 0.8, 2.8, f"fill:{colour}", 0)
    yield "</g>"


def draw_ceramic(x: float, y: float) -> Iterator[str]:
    """Yield a capacitor of 100 nF, upright."""
    yield draw_disc(x, y, 1.9, "fill:#e0a030;stroke:#7a5000;stroke-width:.2")
    yield write_text(x, y + 0.6, "104", "m j")


def draw_electrolytic(x: float, y: float) -> Iterator[str]:
    """Yield a capacitor of 470 µF from above, its stripe at the right, which is minus."""
    yield draw_disc(x, y, 8, "fill:#23395d;stroke:#111;stroke-width:.3")
    yield (
        f'<path d="M {x + 4:.2f} {y - 6.93:.2f} A 8 8 0 0 1 {x + 4:.2f} {y + 6.93:.2f} Z" '
        f'style="fill:#cfd8e6;stroke:none"/>'
    )
    yield write_text(x + 5.8, y + 1.2, "–", "m b")


def draw_lamp(x: float, y: float) -> Iterator[str]:
    """Yield an LED from above, its flat side, the cathode, at the right."""
    yield (
        f'<path d="M {x + 3.5:.2f} {y - 3:.2f} A 4.6 4.6 0 1 0 {x + 3.5:.2f} {y + 3:.2f} Z" '
        f'style="fill:#f4b6b6;stroke:#a11d33;stroke-width:.4"/>'
    )


def draw_button(x: float, y: float) -> Iterator[str]:
    """Yield a push button with two lugs."""
    yield draw_box(x - 6, y - 5, 12, 10, "fill:#ddd;stroke:#333;stroke-width:.3")
    yield draw_disc(x, y, 3.4, "fill:#555;stroke:#111;stroke-width:.3")


def draw_module(x: float, y: float, width: float, height: float) -> Iterator[str]:
    """Yield a reader module, its antenna at the top."""
    yield draw_box(x, y, width, height, "fill:#1d4f91;stroke:#0b2a52;stroke-width:.3", 1.5)
    for inset in (2.5, 3.7, 4.9):
        yield draw_box(
            x + inset, y + inset, width - 2 * inset, height - 14 - 2 * (inset - 2.5),
            "fill:none;stroke:#b9cdea;stroke-width:.35", 2,
        )  # fmt: skip
