"""The jig in which stickers are glued: a base with a corner stop, and a mask with a window.

The card lies in the corner, its back up. The mask has the size of the card and lies in the same
corner, so its window shows the four slots in the card's middle. One sticker is pushed into the lobe
of its slot. One to four dots beside the lobes say which slot is which; they are marks of the mask,
and nothing of the jig touches the card but flat faces.
"""

import math

from hardware.plans.measures import Measures
from hardware.plans.outlines import (
    Outline,
    Vertex,
    draw_circle,
    draw_rectangle,
    draw_slot_windows,
    slot_middles,
)
from hardware.plans.sheets import GAP, PlanSheet, Writing, place_shapes
from hardware.plans.solids import Layer, Solid

THUMB = 10.0
"""Radius of the notch through which the card is lifted."""
RELIEF = 1.5
"""Radius of the hole in the corner of a stop, where a card's corner would be bruised."""
THREE_QUARTERS = -math.tan(math.radians(270 / 4))
"""The bulge of that hole."""
LOOSE = 0.2
"""By how much the mask is narrower than the card, so that it never presses it aside."""
TAB = 12.0
"""By how much the mask is longer than the card, to lift it by."""
DOT, DOT_DEPTH, DOT_PITCH = 1.0, 0.6, 3.2
"""Radius, depth and distance of the dots that number the slots."""
MASK_STOP = 1.6
"""By how much the printed stop is higher than the mask is thick."""


def draw_jig(measures: Measures, card: str) -> PlanSheet:
    """Return the pieces to be cut: base, stop and mask; the stop is glued onto the base."""
    return (
        _draw_base_piece(measures, card)
        .add_beside(draw_mask(measures, card))
        .add_beside(_draw_stop_piece(measures, card))
    )


def draw_jig_in_rows(measures: Measures, card: str) -> PlanSheet:
    """Return the same pieces for a page of paper, the stop below."""
    upper = _draw_base_piece(measures, card).add_beside(draw_mask(measures, card))
    stop = _draw_stop_piece(measures, card)
    return upper.add_over(stop.move_by(0, upper.bounds[1] - GAP - stop.bounds[3]))


def _draw_base_piece(measures: Measures, card: str) -> PlanSheet:
    """Return the base, with the line engraved along which the stop is glued."""
    base = place_shapes("cut", draw_base(measures, card, measures.cut.kerf / 2))
    return base.add_over(place_shapes("engrave", draw_stop(measures, card)))


def _draw_stop_piece(measures: Measures, card: str) -> PlanSheet:
    return place_shapes("cut", draw_stop(measures, card, measures.cut.kerf / 2))


def draw_base(measures: Measures, card: str, grow: float = 0.0) -> Outline:
    """Return the base: the card at the right below the stop, with a notch for the thumb."""
    width, height = measures.cards[card]
    wall = measures.jig.wall
    thumb = THUMB - grow
    return (
        Vertex(-wall - grow, -grow),
        Vertex(width / 2 - thumb, -grow, -1.0),
        Vertex(width / 2 + thumb, -grow),
        Vertex(width + grow, -grow),
        Vertex(width + grow, height + wall + grow),
        Vertex(-wall - grow, height + wall + grow),
    )


def draw_stop(measures: Measures, card: str, grow: float = 0.0) -> Outline:
    """Return the stop along the left and the upper edge of the card."""
    width, height = measures.cards[card]
    return draw_corner_stop(width, height, measures.jig.wall, grow)


def draw_corner_stop(width: float, height: float, wall: float, grow: float) -> Outline:
    """Return a stop round the upper left corner of a card at 0, 0 to width, height; its inner
    corner is rounded outwards, for the corner of the card."""
    relief = RELIEF - grow
    return (
        Vertex(-wall - grow, -grow),
        Vertex(grow, -grow),
        Vertex(grow, height - relief - grow, THREE_QUARTERS),
        Vertex(relief + grow, height - grow),
        Vertex(width + grow, height - grow),
        Vertex(width + grow, height + wall + grow),
        Vertex(-wall - grow, height + wall + grow),
    )


def draw_mask(measures: Measures, card: str) -> PlanSheet:
    """Return the mask to be cut, with the numbers of the slots engraved."""
    width, height = measures.cards[card]
    grow = measures.cut.kerf / 2
    edge = draw_mask_edge(measures, card, grow)
    sheet = place_shapes("cut", edge, *_draw_window(measures, card, grow))
    sheet = sheet.add_over(place_shapes("engrave", *draw_slot_dots(measures, card)))
    names = tuple(
        Writing(str(number), x, y - 2.0, 4.0)
        for number, (x, y) in enumerate(_beside_lobes(measures, card, 9.0), start=1)
    )
    corner = Writing(f"{width:g} × {height:g}", width / 2, height - 7.0, 3.0)
    return sheet.add_over(PlanSheet(writings=(*names, corner)))


def draw_mask_edge(measures: Measures, card: str, grow: float = 0.0) -> Outline:
    """Return the edge of the mask: by LOOSE smaller than the card, and longer by a tab."""
    width, height = measures.cards[card]
    inset = LOOSE / 2 - grow
    return draw_rectangle(inset, -TAB - grow, width - inset, height - inset)


def _draw_window(measures: Measures, card: str, grow: float = 0.0) -> tuple[Outline, ...]:
    width, height = measures.cards[card]
    radius = measures.window_radius - grow
    return draw_slot_windows(width / 2, height / 2, measures.sticker.pitch, radius)


def _beside_lobes(measures: Measures, card: str, away: float) -> list[tuple[float, float]]:
    """Return a point above or below each lobe, this far from the window."""
    width, height = measures.cards[card]
    reach = measures.window_radius + away
    return [
        (width / 2 + x, height / 2 + y + (reach if y > 0 else -reach))
        for x, y in slot_middles(measures.sticker.pitch)
    ]


def draw_slot_dots(measures: Measures, card: str) -> tuple[Outline, ...]:
    """Return one to four dots above or below the lobes of slots 1 to 4."""
    return tuple(
        draw_circle(x + (dot - (number - 1) / 2) * DOT_PITCH, y, DOT)
        for number, (x, y) in enumerate(_beside_lobes(measures, card, 4.0), start=1)
        for dot in range(number)
    )


def build_jig_base(measures: Measures, card: str) -> Solid:
    """Return the base with its stop, to be printed in one piece."""
    jig = measures.jig
    top = jig.base + jig.mask + MASK_STOP
    return Solid((
        Layer(draw_base(measures, card), 0.0, jig.base),
        Layer(draw_stop(measures, card), 0.0, top),
    ))  # fmt: skip


def build_jig_mask(measures: Measures, card: str) -> Solid:
    """Return the mask to be printed; its dots are hollows of the upper side."""
    thick = measures.jig.mask
    depth = min(DOT_DEPTH, thick / 2)
    windows, dots = _draw_window(measures, card), draw_slot_dots(measures, card)
    return Solid(
        (Layer(draw_mask_edge(measures, card), 0.0, thick),),
        (
            *(Layer(window, -1.0, thick + 1.0) for window in windows),
            *(Layer(dot, thick - depth, thick + 1.0) for dot in dots),
        ),
    )
