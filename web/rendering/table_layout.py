"""Drawn: where the readers of a table lie in the drawing of it, seen from above.

Law: a place lies where the box that is played has it: banks round the table or in a row, open cards
beside an auction. A reader that this box leaves alone is drawn small, at the edge.
"""

import math
from collections.abc import Mapping, Sequence

import msgspec

MIDDLE = 200
"""The drawing is 400 across, and the table is round."""
RING, ROW = 88, 43
"""How far from the middle banks lie in a ring, and how far from each other in a row."""
SPARE, ABOVE, BELOW = 30, 104, 288
"""How far from each other lie those that the box leaves alone, and how far down."""


class Coil(msgspec.Struct, frozen=True):
    """A reader as it is drawn: its place, where that is, and whether this box plays there."""

    place: int
    x: int
    y: int
    played: bool = True


Places = Mapping[int, tuple[int, int]]


def ring(banks: int) -> dict[int, tuple[int, int]]:
    """Round the table; the first is nearest, the others follow clockwise."""
    turns = [math.tau * n / banks for n in range(banks)]
    return {
        n: (round(MIDDLE - RING * math.sin(turn)), round(MIDDLE + RING * math.cos(turn)))
        for n, turn in enumerate(turns, 1)
    }


def row(places: Sequence[int], y: int, apart: int = ROW) -> dict[int, tuple[int, int]]:
    """One beside the other."""
    left = MIDDLE - apart * (len(places) - 1) / 2
    return {place: (round(left + apart * n), y) for n, place in enumerate(places)}


LAYOUTS: Mapping[str, tuple[Places, int]] = {
    "bankueberfall": ({**ring(5), 8: (MIDDLE, MIDDLE)}, ABOVE),
    "banque_fatale": ({**row((1, 2, 3), 132, 60), **row((4, 5), 212, 60)}, BELOW),
    "robby_solo": (row(range(1, 8), MIDDLE), BELOW),
}
"""How each box lies on the table, and where the readers that it leaves alone are drawn: banks in a
ring and the eighth spot in their middle; three open cards, the auction and the sale; seven banks.
"""


def drawn(game: str, places: Sequence[int]) -> tuple[Coil, ...]:
    """These places, as they lie where this box is played."""
    played, rest = LAYOUTS.get(game) or (ring(max(places, default=1)), BELOW)
    spare = row([place for place in places if place not in played], rest, SPARE)
    every = {**played, **spare}
    return tuple(Coil(place, *every[place], place in played) for place in places)
