"""Table layout: where the readers of a table are drawn, seen from above.

Law: a place lies where the current box has it: banks round the table or in a row, open cards beside
an auction. A reader that the box does not use is drawn small, at the edge.
"""

import math
from collections.abc import Mapping, Sequence

import msgspec

CENTRE = 200
"""The drawing is 400 units across, and the table is round."""
RING_RADIUS, ROW_GAP = 88, 43
"""Units from the centre to banks in a ring, and between places in a row."""
SPARE_GAP, TOP_EDGE, BOTTOM_EDGE = 30, 104, 288
"""Units between readers that the box does not use, and how far down those are drawn."""


class ReaderSpot(msgspec.Struct, frozen=True):
    """A drawn reader: its place, its position, and whether the box uses it."""

    place: int
    x: int
    y: int
    played: bool = True


PlacePositions = Mapping[int, tuple[int, int]]


def ring_positions(banks: int) -> dict[int, tuple[int, int]]:
    """Return positions round the table; the first is nearest, the others follow clockwise."""
    turns = [math.tau * n / banks for n in range(banks)]
    return {
        n: (
            round(CENTRE - RING_RADIUS * math.sin(turn)),
            round(CENTRE + RING_RADIUS * math.cos(turn)),
        )
        for n, turn in enumerate(turns, 1)
    }


def row_positions(places: Sequence[int], y: int, gap: int = ROW_GAP) -> dict[int, tuple[int, int]]:
    """Return positions side by side at this height, centred."""
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
"""Positions of each box, and the height of the readers that it does not use: banks in a ring with
the eighth spot in the middle; three open cards, auction and sale; seven banks."""


def layout_readers(game: str, places: Sequence[int]) -> tuple[ReaderSpot, ...]:
    """Return these places with their positions in the layout of this box."""
    played, rest = LAYOUTS.get(game) or (ring_positions(max(places, default=1)), BOTTOM_EDGE)
    spare = row_positions([place for place in places if place not in played], rest, SPARE_GAP)
    every = {**played, **spare}
    return tuple(ReaderSpot(place, *every[place], place in played) for place in places)
