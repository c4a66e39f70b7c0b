"""Reader plans: where the readers of a table are drawn, seen from above.

Law: a place lies where the game has it: banks round the table or in a row, open cards beside an
auction. A reader that the game does not use is drawn small, at the edge.
"""

import math
from collections.abc import Mapping, Sequence

import msgspec

CENTRE = 200
"""The drawing is 400 units across, and the table is round."""
RING_RADIUS, ROW_GAP = 88, 43
"""Units from the centre to places in a ring, and between places in a row."""
SPARE_GAP, TOP_EDGE, BOTTOM_EDGE = 30, 104, 288
"""Units between readers that the game does not use, and how far down those are drawn."""

PlacePositions = Mapping[int, tuple[int, int]]


class ReaderPlan(msgspec.Struct, frozen=True):
    """Positions of a game's places in the drawing, and the depth of readers it does not use.

    Without positions all places lie in a ring.
    """

    positions: PlacePositions = {}
    spare_height: int = BOTTOM_EDGE


PLACES_IN_A_RING = ReaderPlan()


class ReaderSpot(msgspec.Struct, frozen=True):
    """A drawn reader: its place, its position, and whether the game uses it."""

    place: int
    x: int
    y: int
    played: bool = True


def ring_positions(places: int) -> dict[int, tuple[int, int]]:
    """Return positions round the table; the first is nearest, the others follow clockwise."""
    turns = [math.tau * n / places for n in range(places)]
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


def plan_readers(plan: ReaderPlan, places: Sequence[int]) -> tuple[ReaderSpot, ...]:
    """Return these places with their positions."""
    played = plan.positions or ring_positions(max(places, default=1))
    unused = [place for place in places if place not in played]
    every = {**played, **row_positions(unused, plan.spare_height, SPARE_GAP)}
    return tuple(ReaderSpot(place, *every[place], place in played) for place in places)
