"""A 74HC138 in the wiring picture, from above: every pin where it is on the chip."""

from collections.abc import Iterator

from companion.core.i18n import Language, message
from hardware.plans.symbols import (
    COLOURS,
    decoder_colour,
    draw_box,
    draw_ceramic,
    draw_disc,
    draw_dot,
    draw_line,
    write_text,
)
from hardware.wiring.joints import Joint, list_nets
from hardware.wiring.table import DECODER_PINS
from hardware.wiring.wires import Wiring

CHIP_TOP, CHIP_HEIGHT, CHIP_PITCH = 158.0, 18.0, 11.0


def chip_pin_at(left: float, pin: int) -> tuple[float, float]:
    """Return where a pin of a DIP is that lies with its notch at the left: 1 to 8 run along the
    lower side, 9 to 16 back along the upper one."""
    if pin <= 8:
        return left + (pin - 1) * CHIP_PITCH, CHIP_TOP + CHIP_HEIGHT
    return left + (16 - pin) * CHIP_PITCH, CHIP_TOP


def draw_chip(wiring: Wiring, part: str, left: float, words: Language) -> Iterator[str]:
    """Yield a 74HC138 from above, with every pin where it is."""
    body = (left - 5, CHIP_TOP + 1, 7 * CHIP_PITCH + 10, CHIP_HEIGHT - 2)
    yield draw_box(*body, "fill:#2b2b2b;stroke:#111;stroke-width:.3")
    yield draw_disc(
        left - 5, CHIP_TOP + CHIP_HEIGHT / 2, 2.2, "fill:#fff;stroke:#111;stroke-width:.3"
    )
    name = f"{part} · 74HC138 · " + words(message("seen from above"))
    middle = left + 3.5 * CHIP_PITCH
    yield draw_box(middle - 26, CHIP_TOP + 6.5, 52, 5, "fill:#fff")
    yield write_text(middle, CHIP_TOP + 10, name, "m b")
    sources = {
        joint.pin: net.joints[0].name
        for net in list_nets(wiring)
        for joint in net.joints
        if joint.part == part
    }
    for pin, says in DECODER_PINS.items():
        yield from _draw_chip_pin(left, Joint(part, str(pin)), says, sources.get(str(pin), ""))
    yield from _draw_chip_capacitor(left, part, words)


def _draw_chip_pin(left: float, joint: Joint, says: str, source: str) -> Iterator[str]:
    """Yield a pin with its number, its name, its joint and where its wire comes from; a pin that
    stays free has none."""
    x, y = chip_pin_at(left, int(joint.pin))
    is_low = int(joint.pin) <= 8
    outward = 1 if is_low else -1
    yield draw_box(x - 1.2, y - (0 if is_low else 1), 2.4, 1, "fill:#bbb", 0)
    yield _white(x, y - outward * 2.6 + 0.8, f"{joint.pin} {says}")
    if not source:
        return
    colour = decoder_colour(says)
    yield draw_dot(joint, x, y + outward * 2, colour)
    yield write_text(x + 2.6, y + (16 if is_low else -2), joint.name, "j", turned=True)
    if says == "VCC":
        yield draw_line(colour, (x, y - 2), (x, y - 6), (x - 8, y - 6))
        yield write_text(x - 9, y - 5.2, source, "s b e")
    elif says[0] != "Y":
        yield draw_line(colour, (x, y + 2), (x, y + 13))
        yield write_text(x + 0.9, y + 29, source, "s b", turned=True)


def _white(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.2f}" y="{y:.2f}" class="m s" style="fill:#fff">{text}</text>'


def _draw_chip_capacitor(left: float, part: str, words: Language) -> Iterator[str]:
    """Yield the 100 nF of a decoder, beside it."""
    x, y = left - 24, CHIP_TOP + CHIP_HEIGHT / 2
    yield draw_line("#111", (x, y - 7), (x, y + 7))
    yield from draw_ceramic(x, y)
    yield draw_dot(Joint(f"C{part}", "1"), x, y - 7, COLOURS["3.3V"])
    yield draw_dot(Joint(f"C{part}", "2"), x, y + 7, COLOURS["GND"])
    yield write_text(x, y - 9, f"J-C{part}-1", "j m")
    yield write_text(x, y + 10, f"J-C{part}-2", "j m")
    yield write_text(x, y + 14, words(message("100 nF, pin 16 to pin 8")), "s m")
