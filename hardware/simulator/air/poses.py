"""Poses of cards over a place: the sticker's slot, a half turn, and the misplacement.

Law: a card keeps its slot for ever; the turn and the misplacement are drawn again each time it is
laid. Lengths are in mm, from the middle of the place.
"""

import math
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

SLEEVED = 0.6
"""Thickness of a card in its sleeve."""
MOST_ASKEW = 5.0
SLOTS = ((-1, 1), (1, 1), (-1, -1), (1, -1))
"""The directions of the slots from the middle of the card: 2×2, numbered from 0."""


class Pose(NamedTuple):
    """Position of a sticker over its place, and the thickness of its card."""

    x: float = 0.0
    y: float = 0.0
    thickness: float = SLEEVED

    def opposite(self) -> "Pose":
        """Return the pose of a second sticker on the same card: across its middle."""
        return Pose(-self.x, -self.y, 0.0)


MIDDLE = Pose()


def pose_card(
    slot: int | None,
    pitch: float,
    *,
    turned: bool = False,
    askew: tuple[float, float] = (0.0, 0.0),
    thickness: float = SLEEVED,
) -> Pose:
    """Return the pose of a card with its sticker in a slot; None is the middle of the piece."""
    x, y = (0, 0) if slot is None else SLOTS[slot]
    half = -pitch / 2 if turned else pitch / 2
    return Pose(x * half + askew[0], y * half + askew[1], thickness)


def draw_pose(slot: int | None, pitch: float, chance: Random) -> Pose:
    """Return a pose as a hand lays it: either way round, and up to 5 mm askew."""
    turned, far, way = chance.random() < 0.5, chance.uniform(0, MOST_ASKEW), chance.random()
    askew = (far * math.cos(2 * math.pi * way), far * math.sin(2 * math.pi * way))
    return pose_card(slot, pitch, turned=turned, askew=askew)


def deal_slots(kinds: Sequence[str], chance: Random) -> list[int]:
    """Return a slot for each card, given their kinds: each kind is spread evenly over the slots and
    in random order, so that a slot tells nothing of a card."""
    slots = dict[int, int]()
    for kind in sorted(set(kinds)):
        cards = [n for n, other in enumerate(kinds) if other == kind]
        first = chance.randrange(len(SLOTS))
        even = [(first + n) % len(SLOTS) for n in range(len(cards))]
        slots.update(zip(cards, chance.sample(even, len(even)), strict=True))
    return [slots[n] for n in range(len(kinds))]
