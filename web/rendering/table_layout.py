"""Drawn: where the readers of a table lie in the drawing of it, seen from above.

Law: a place lies where the box that is played has it: banks round the table or in a row, open cards
beside an auction. A reader that this box leaves alone is drawn small, at the edge.
"""

import math
from collections.abc import Mapping, Sequence

import msgspec

CENTRE = 200
"""The drawing is 400 across, and the table is round."""
RING_RADIUS, ROW_GAP = 88, 43
"""How far from the middle banks lie in a ring, and how far from each other in a row."""
SPARE_GAP, TOP_EDGE, BOTTOM_EDGE = 30, 104, 288
"""How far from each other lie those that the box leaves alone, and how far down."""


class ReaderSpot(msgspec.Struct, frozen=True):
    """A reader as it is drawn: its place, where that is, and whether this box plays there."""

    place: int
    x: int
    y: int
    played: bool = True


PlacePositions = Mapping[int, tuple[int, int]]


def ring_positions(banks: int) -> dict[int, tuple[int, int]]:
    """Round the table; the first is nearest, the others follow clockwise."""
    turns = [math.tau * n / banks for n in range(banks)]
    return {
        n: (
            round(CENTRE - RING_RADIUS * math.sin(turn)),
            round(CENTRE + RING_RADIUS * math.cos(turn)),
        )
        for n, turn in enumerate(turns, 1)
    }


def row_positions(places: Sequence[int], y: int, gap: int = ROW_GAP) -> dict[int, tuple[int, int]]:
    """One beside the other."""
    left = CENTRE - gap * (len(places) - 1) / 2
    return {place: (round(left + gap * n), y) for n, place in enumerate(places)}


LAYOUTS: Mapping[str, tuple[PlacePositions, int]] = {
    "bankueberfall": ({**ring_positions(5), 8: (CENTRE, CENTRE)}, TOP_EDGE),
    "banque_fatale": (
        {**row_positions((1, 2, 3), 132, 60), **row_positions((4, 5), 212, 60)},
        BOTTOM_EDGE,
    ),
    "robby_solo": (row_positions(range(1, 8), CENTRE), BOTTOM_EDGE),
}
"""How each box lies on the table, and where the readers that it leaves alone are drawn: banks in a
ring and the eighth spot in their middle; three open cards, the auction and the sale; seven banks.
"""


def layout_readers(game: str, places: Sequence[int]) -> tuple[ReaderSpot, ...]:
    """These places, as they lie where this box is played."""
    played, rest = LAYOUTS.get(game) or (ring_positions(max(places, default=1)), BOTTOM_EDGE)
    spare = row_positions([place for place in places if place not in played], rest, SPARE_GAP)
    every = {**played, **spare}
    return tuple(ReaderSpot(place, *every[place], place in played) for place in places)
