"""The wiring picture at the Pi: its header, the regulator, the buttons and lamps of the seats."""

from collections.abc import Iterator

from companion.core.i18n import Language, message
from hardware.plans.svg_page import frame_page
from hardware.plans.symbols import (
    COLOURS,
    STYLE,
    draw_box,
    draw_button,
    draw_dot,
    draw_electrolytic,
    draw_lamp,
    draw_line,
    draw_resistor,
    header_colour,
    write_text,
)
from hardware.wiring.drawing import POWER
from hardware.wiring.joints import Joint, Net, list_nets
from hardware.wiring.table import profile_headline
from hardware.wiring.wires import HEADER, Wiring

WIDTH, HEIGHT = 297.0, 210.0
HEADER_X, HEADER_Y, ROW = 70.0, 22.0, 9.0
SEATS_X, SEATS_Y, CELL = 152.0, 84.0, (47.0, 60.0)
LAMP_RINGS = ("#e8c010", "#7a2fa0", "#7a4a10")
"""470 ohms."""


def draw_pi_page(wiring: Wiring, words: Language) -> str:
    """Return the picture as SVG, one page of A4 across."""
    parts = [
        f"<style>{STYLE}</style>",
        draw_box(0, 0, WIDTH, HEIGHT, "fill:#fff", 0),
        write_text(8, 9, words(profile_headline(wiring)), "t"),
        *_draw_header(wiring, words),
        *(_draw_power(words) if wiring.spi_devices() else ()),
        *_draw_seats(wiring, words),
    ]
    return frame_page(WIDTH, HEIGHT, parts, paper=True)


def _draw_header(wiring: Wiring, words: Language) -> Iterator[str]:
    """Yield the forty pins, pin 1 at the top left, each with its name and where its wire goes."""
    above = message("Raspberry Pi, 40-pin header, seen from above")
    yield write_text(HEADER_X + 6, HEADER_Y - 6, words(above), "b m")
    yield draw_box(HEADER_X, HEADER_Y - 4, 12, 20 * ROW, "fill:#333;stroke:#111;stroke-width:.3")
    nets = {int(net.joints[0].pin): net for net in list_nets(wiring) if net.joints[0].part == "P"}
    names = {place: f"GPIO {bcm}" for bcm, place in HEADER.items()}
    for pin in range(1, 41):
        right = pin % 2 == 0
        x = HEADER_X + (9.0 if right else 3.0)
        y = HEADER_Y + (pin - 1) // 2 * ROW
        name = names.get(pin) or words.render_nested(POWER[pin])
        yield from _draw_header_pin(pin, x, y, name, nets.get(pin), words)


def _draw_header_pin(
    pin: int, x: float, y: float, name: str, net: Net | None, words: Language
) -> Iterator[str]:
    right = pin % 2 == 0
    colour = header_colour(net) if net else "#999"
    yield draw_dot(Joint("P", str(pin)), x, y, "#e0c060" if net is None else "#fff")
    out, to = (HEADER_X + 13, HEADER_X + 19) if right else (HEADER_X - 1, HEADER_X - 7)
    edge, anchor = (to + 1, "") if right else (to - 1, "e")
    yield write_text(out, y - 0.9, str(pin), f"j {anchor}")
    if net is None:
        yield write_text(edge, y + 0.8, name, f"j {anchor}")
        return
    yield draw_line(colour, (x, y), (to, y))
    more = f" +{len(net.joints) - 2}" if len(net.joints) > 2 else ""
    yield write_text(edge, y - 0.3, f"J-P-{pin} → {net.joints[1].name}{more}", f"b s {anchor}")
    yield write_text(edge, y + 2.4, f"{name} · {words(net.use)}", f"s {anchor}")


def _draw_power(words: Language) -> Iterator[str]:
    """Yield the regulator with its three pins, and the large capacitor at its output."""
    left, top = 160.0, 22.0
    yield write_text(left, top - 6, words(message("Regulator for the readers")), "b")
    yield draw_box(left + 16, top, 34, 26, "fill:#2a6f5a;stroke:#123;stroke-width:.3")
    yield draw_box(left + 18, top + 9, 30, 8, "fill:#fff")
    yield write_text(left + 33, top + 14, "VR · 5 V → 3.3 V, ≥ 1 A", "m s")
    pins = (("IN", top + 4, "5V"), ("GND", top + 22, "GND"))
    for pin, y, signal in pins:
        source = "J-P-2" if pin == "IN" else "J-P-6"
        yield draw_line(COLOURS[signal], (left + 16, y), (left + 6, y))
        yield draw_dot(Joint("VR", pin), left + 16, y, COLOURS[signal])
        yield write_text(left + 17.5, y + 0.8, pin, "s")
        yield write_text(left + 15, y - 1.4, f"J-VR-{pin}", "j e")
        yield write_text(left + 5, y + 0.8, source, "s b e")
    yield from _draw_output(left + 50, top, words)


def _draw_output(x: float, top: float, words: Language) -> Iterator[str]:
    """Yield the output of the regulator: 3.3 V and ground with 470 µF between them."""
    high, low, end = top + 4, top + 22, 268.0
    red, black = COLOURS["3.3V"], COLOURS["GND"]
    yield draw_line(red, (x, high), (end, high))
    yield draw_line(black, (x, low), (end, low))
    yield draw_dot(Joint("VR", "OUT"), x, high, red)
    yield write_text(x + 1.5, high - 1.4, "J-VR-OUT", "j")
    yield write_text(end + 1, high + 0.8, "3.3V", "b")
    yield write_text(end + 1, low + 0.8, "GND", "b")
    middle = x + 26
    yield draw_line(red, (middle - 5, high), (middle - 5, top + 13))
    yield draw_line(black, (middle + 5, top + 13), (middle + 5, low))
    yield from draw_electrolytic(middle, top + 13)
    yield draw_dot(Joint("C1", "+"), middle - 5, high, red)
    yield draw_dot(Joint("C1", "-"), middle + 5, low, black)
    yield write_text(middle - 4, high - 1.4, "J-C1-+", "j")
    yield write_text(middle + 6, low + 3, "J-C1--", "j")
    yield write_text(middle + 10, top + 13.8, "470 µF", "s")
    yield write_text(
        x, low + 9, words(message("to the readers only, never to the Pi's 3.3 V")), "s"
    )


def _draw_seats(wiring: Wiring, words: Language) -> Iterator[str]:
    """Yield a cell for each seat with its button and its lamp."""
    grounds = {
        net.stage: net.joints[0].name
        for net in list_nets(wiring)
        if net.stage in ("buttons", "lamps") and not net.place
    }
    if grounds:
        text = message("Buttons and lamps, one of each at every seat")
        yield write_text(SEATS_X, SEATS_Y - 5, words(text), "b")
    for row, seat in enumerate(sorted({*wiring.buttons, *wiring.lamps})):
        x = SEATS_X + row % 3 * CELL[0]
        y = SEATS_Y + row // 3 * CELL[1]
        yield draw_box(x, y, CELL[0] - 2, CELL[1] - 2, "fill:none;stroke:#bbb;stroke-width:.2")
        yield write_text(x + 2, y + 4, words(message("Seat {seat}", seat=seat)), "b")
        if seat in wiring.buttons:
            source = f"J-P-{HEADER[wiring.buttons[seat]]}"
            yield from _draw_seat_button(seat, x, y + 17, source, grounds["buttons"])
        if seat in wiring.lamps:
            source = f"J-P-{HEADER[wiring.lamps[seat]]}"
            yield from _draw_seat_lamp(seat, x, y + 42, source, grounds["lamps"])


def _draw_seat_button(seat: int, x: float, y: float, source: str, ground: str) -> Iterator[str]:
    green = COLOURS["button"]
    yield draw_line(green, (x + 8, y), (x + 17, y))
    yield draw_line(COLOURS["GND"], (x + 29, y), (x + 37, y))
    yield from draw_button(x + 23, y)
    yield draw_dot(Joint(f"S{seat}", "1"), x + 17, y, green)
    yield draw_dot(Joint(f"S{seat}", "2"), x + 29, y, COLOURS["GND"])
    yield write_text(x + 2, y - 2, source, "s b")
    yield write_text(x + 44, y - 2, f"{ground} GND", "s b e")
    yield write_text(x + 16, y + 3, f"J-S{seat}-1", "j e")
    yield write_text(x + 30, y + 3, f"J-S{seat}-2", "j")


def _draw_seat_lamp(seat: int, x: float, y: float, source: str, ground: str) -> Iterator[str]:
    red, lamp = COLOURS["lamp"], f"L{seat}"
    yield draw_line(red, (x + 3, y), (x + 28, y))
    yield draw_line(COLOURS["GND"], (x + 32, y), (x + 42, y))
    yield from draw_resistor(x + 12, y, LAMP_RINGS)
    yield from draw_lamp(x + 31, y)
    yield draw_dot(Joint(f"R{lamp}", "1"), x + 6, y, red)
    yield draw_dot(Joint(f"R{lamp}", "2"), x + 18, y, red)
    yield draw_dot(Joint(lamp, "A"), x + 25, y, red)
    yield draw_dot(Joint(lamp, "K"), x + 36, y, COLOURS["GND"])
    yield write_text(x + 2, y - 3, source, "s b")
    yield write_text(x + 44, y - 6.5, f"{ground} GND", "s b e")
    yield write_text(x + 12, y + 5, f"J-R{lamp}-1 · -2", "j m")
    yield write_text(x + 12, y + 8, "330–680 Ω", "s m")
    yield write_text(x + 27, y + 7.5, f"J-{lamp}-A +", "j e")
    yield write_text(x + 34, y + 7.5, f"– J-{lamp}-K", "j")
