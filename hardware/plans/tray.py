"""The tray: a corner over each reader, so that every card lies with its middle over the coil.

Printed, it has a thin floor with a hole over the coil's middle. Cut, it is the stop alone, to be
glued onto the table along the template.
"""

from companion.core.i18n import Language, message
from hardware.plans.jig import THUMB, draw_corner_stop
from hardware.plans.measures import Measures
from hardware.plans.outlines import Outline, Vertex, draw_circle, draw_rectangle
from hardware.plans.sheets import PlanSheet, Writing, place_shapes
from hardware.plans.solids import Layer, Solid

SIGHT = 1.5
"""Radius of the hole through which the mark of the coil's middle is seen."""
MODULE = (40.0, 60.0)
"""Width and height of the usual module; its antenna fills the end away from the pins."""


def draw_tray(measures: Measures, card: str) -> PlanSheet:
    """Return the stop to be cut; two on each other are high enough for a small pile."""
    return place_shapes("cut", draw_tray_stop(measures, card, measures.cut.kerf / 2))


def draw_tray_stop(measures: Measures, card: str, grow: float = 0.0) -> Outline:
    """Return the stop along the left and the upper edge of a sleeved card."""
    width, height = measures.place_size(card)
    return draw_corner_stop(width, height, measures.tray.wall, grow)


def draw_tray_floor(measures: Measures, card: str) -> Outline:
    """Return the floor with a notch for the thumb at the lower edge."""
    width, height = measures.place_size(card)
    wall = measures.tray.wall
    return (
        Vertex(-wall, 0.0),
        Vertex(width / 2 - THUMB, 0.0, -1.0),
        Vertex(width / 2 + THUMB, 0.0),
        Vertex(width, 0.0),
        Vertex(width, height + wall),
        Vertex(-wall, height + wall),
    )


def card_middle(measures: Measures, card: str) -> tuple[float, float]:
    """Return where the middle of a sleeved card is that touches both stops."""
    _, height = measures.place_size(card)
    card_width, card_height = measures.cards[card]
    sleeve = measures.sleeve
    return (card_width + sleeve.width) / 2, height - (card_height + sleeve.height) / 2


def draw_place(measures: Measures, card: str, words: Language) -> PlanSheet:
    """Return the template of a place: stop, card, coil and module round the coil's middle."""
    x, y = card_middle(measures, card)
    width, height = measures.place_size(card)
    coil, half = measures.reader.coil / 2, measures.reader.pitch / 2
    across, along = max(MODULE[0] / 2, coil + 1), max(MODULE[1], 2 * coil + 2)
    low = y + coil + 1 - along
    lines = place_shapes(
        "engrave",
        draw_rectangle(0, 0, width, height),
        draw_rectangle(x - coil, y - coil, x + coil, y + coil),
        draw_rectangle(x - across, low, x + across, y + coil + 1),
        *_draw_cross(x, y),
        *(_draw_line(x + turn * half, y - 12, x + turn * half, y + 12) for turn in (-1, 1)),
    )
    pitch = words(message("half of {pitch} mm", pitch=f"{measures.reader.pitch:g}"))
    writings = (
        Writing(pitch, x + half, y + 14, 2.2),
        Writing(pitch, x - half, y + 14, 2.2),
        Writing(words(message("coil")), x, y + coil - 5, 2.6),
        Writing(words(message("pins of the module")), x, low + 2, 2.2),
        Writing(words(message("card in its sleeve")), x, 3, 2.6),
        Writing(words(message("stop")), width - 8, height + measures.tray.wall / 2 - 1, 2.2),
    )
    stop = place_shapes("cut", draw_tray_stop(measures, card))
    return stop.add_over(lines).add_over(PlanSheet(writings=writings))


def _draw_cross(x: float, y: float) -> tuple[Outline, ...]:
    return _draw_line(x - 5, y, x + 5, y), _draw_line(x, y - 5, x, y + 5), draw_circle(x, y, SIGHT)


def _draw_line(x: float, y: float, to_x: float, to_y: float) -> Outline:
    """Return a line: an outline without an inside."""
    return Vertex(x, y), Vertex(to_x, to_y)


def build_tray(measures: Measures, card: str) -> Solid:
    """Return the tray to be printed in one piece."""
    tray = measures.tray
    floor = Layer(draw_tray_floor(measures, card), 0.0, tray.floor)
    stop = Layer(draw_tray_stop(measures, card), 0.0, tray.floor + tray.height)
    sight = draw_circle(*card_middle(measures, card), SIGHT)
    return Solid((floor, stop), (Layer(sight, -1.0, tray.floor + 1.0),))
