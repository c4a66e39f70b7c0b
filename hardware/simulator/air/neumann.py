"""Mutual inductance of the coils over a place, computed by Neumann's formula.

Laws: coils are thin filaments in air, and the planes of all are parallel. The reader's coil is a
square spiral, taken as squares one inside the other; its straight sides are integrated in closed
form. A sticker's coil is a round spiral, taken as rings; the field of a ring is a pair of elliptic
integrals. Lengths are in mm, inductances in units of µ0/4π · 1 mm, so that only ratios mean
something. Metal nearby, the ferrite of a shielded sticker and the stickers' effect on the reader's
own resonance are left out.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

STEPS = 48
"""Pieces that a ring is cut into."""


class Coils(msgspec.Struct, frozen=True):
    """Assumed sizes of the coils and of the layers between them, in mm."""

    coil: float = 38.0
    """Outer side of the reader's square coil."""
    coil_turns: int = 4
    coil_pitch: float = 1.0
    sticker: float = 25.0
    """Diameter of the sticker; its outermost turn lies 1 mm inside the edge."""
    sticker_turns: int = 4
    sticker_pitch: float = 1.2
    track: float = 0.17
    """Geometric mean distance of the sticker's printed track to itself."""
    bed: float = 3.4
    """From the reader's coil to the table top: 3 mm of wood, and air below it."""
    slot_pitch: float = 15.5
    """Between the middles of two sticker slots that lie side by side."""
    place_pitch: float = 100.0
    """Between the middles of two places that lie side by side."""

    def sides(self) -> tuple[float, ...]:
        """Return half of the side of each square of the reader's coil."""
        return tuple(self.coil / 2 - n * self.coil_pitch for n in range(self.coil_turns))

    def radii(self) -> tuple[float, ...]:
        """Return the radius of each ring of a sticker's coil."""
        outer = self.sticker / 2 - 1
        return tuple(outer - n * self.sticker_pitch for n in range(self.sticker_turns))


class RingPiece(NamedTuple):
    """A short piece of a ring: its middle and its direction with its length."""

    x: float
    y: float
    dx: float
    dy: float


def mutual_with_reader(coils: Coils, x: float, y: float, height: float) -> float:
    """Return the mutual inductance of the reader's coil and a sticker so far aside and above."""
    return sum(
        _potential_of_square(half, piece, height)
        for radius in coils.radii()
        for piece in _ring_pieces(radius, x, y)
        for half in coils.sides()
    )


def mutual_of_stickers(coils: Coils, apart: float, above: float) -> float:
    """Return the mutual inductance of two stickers, one so far aside and so far above the other."""
    return sum(
        _mutual_of_rings(one, other, apart, above)
        for one in coils.radii()
        for other in coils.radii()
    )


def inductance_of_sticker(coils: Coils) -> float:
    """Return the self-inductance of a sticker's coil."""
    radii = coils.radii()
    return sum(
        _inductance_of_ring(one, coils.track) if m == n else _mutual_of_rings(one, other, 0.0, 0.0)
        for m, one in enumerate(radii)
        for n, other in enumerate(radii)
    )


def _ring_pieces(radius: float, x: float, y: float) -> Iterator[RingPiece]:
    length = 2 * math.pi * radius / STEPS
    for step in range(STEPS):
        angle = 2 * math.pi * (step + 0.5) / STEPS
        cos, sin = math.cos(angle), math.sin(angle)
        yield RingPiece(x + radius * cos, y + radius * sin, -sin * length, cos * length)


def _potential_of_square(half: float, piece: RingPiece, height: float) -> float:
    """Return the vector potential of a square along a piece: its four sides in turn."""
    x, y, dx, dy = piece
    z2 = height * height
    along_x = _side(half, x, (y + half) ** 2 + z2) - _side(half, x, (y - half) ** 2 + z2)
    along_y = _side(half, y, (x - half) ** 2 + z2) - _side(half, y, (x + half) ** 2 + z2)
    return along_x * dx + along_y * dy


def _side(half: float, along: float, away_squared: float) -> float:
    """Return the integral of 1/r over a straight side."""
    away = math.sqrt(away_squared)
    return math.asinh((half - along) / away) + math.asinh((half + along) / away)


def _mutual_of_rings(one: float, other: float, apart: float, above: float) -> float:
    """Return the mutual inductance of two rings by the first one's potential along the second."""
    if not apart:
        return 2 * math.pi * other * _potential_of_ring(one, other, above)
    total = 0.0
    for x, y, dx, dy in _ring_pieces(other, apart, 0.0):
        away = math.hypot(x, y)
        total += _potential_of_ring(one, away, above) * (x * dy - y * dx) / away
    return total


def _potential_of_ring(radius: float, away: float, above: float) -> float:
    """Return the vector potential of a ring, so far from its axis and above its plane."""
    far = (radius + away) ** 2 + above * above
    squared = 4 * radius * away / far
    first, second = _elliptic_integrals(squared)
    return 2 * math.sqrt(far) / away * ((1 - squared / 2) * first - second)


def _elliptic_integrals(squared: float) -> tuple[float, float]:
    """Return K and E of a squared modulus, by the arithmetic-geometric mean."""
    a, b, c, power, lost = 1.0, math.sqrt(1 - squared), math.sqrt(squared), 0.5, 0.0
    while c > 1e-12:
        lost += power * c * c
        a, b, c, power = (a + b) / 2, math.sqrt(a * b), (a - b) / 2, 2 * power
    first = math.pi / (2 * a)
    return first, first * (1 - lost)


def _inductance_of_ring(radius: float, track: float) -> float:
    return 4 * math.pi * radius * (math.log(8 * radius / track) - 2)
