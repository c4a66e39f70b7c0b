"""Closed outlines of straight lines and arcs: what is cut, engraved, printed or drawn.

Laws: y points up, as in DXF; outlines run anticlockwise. An arc is stored as its bulge, the tangent
of a quarter of its angle, so that SVG and DXF get true arcs.
"""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

CHORD = 0.02
"""The most by which a flattened arc is off, in mm."""
QUARTER = math.tan(math.pi / 8)
"""The bulge of a quarter of a circle."""


class Vertex(NamedTuple):
    """A corner, and the bulge of the line from here to the next."""

    x: float
    y: float
    bulge: float = 0.0


Outline = tuple[Vertex, ...]
Point = tuple[float, float]


def move_outline(outline: Outline, x: float, y: float) -> Outline:
    """Return the outline moved by x and y."""
    return tuple(Vertex(v.x + x, v.y + y, v.bulge) for v in outline)


def draw_rectangle(left: float, bottom: float, right: float, top: float) -> Outline:
    """Return a rectangle."""
    return (
        Vertex(left, bottom), Vertex(right, bottom), Vertex(right, top), Vertex(left, top)
    )  # fmt: skip


def draw_circle(x: float, y: float, radius: float) -> Outline:
    """Return a circle of four quarters."""
    return tuple(
        Vertex(x + radius * dx, y + radius * dy, QUARTER)
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))
    )


def draw_slot_windows(x: float, y: float, pitch: float, radius: float) -> tuple[Outline, ...]:
    """Return the windows for stickers in the four slots: one with four lobes where they overlap.

    A sticker pushed outwards into a lobe touches its arc on both sides, so it lies in one way only.
    """
    half = pitch / 2
    if radius <= half:
        return tuple(draw_circle(x + dx, y + dy, radius) for dx, dy in slot_middles(pitch))
    waist = half + math.sqrt(radius**2 - half**2)
    bulge = math.tan((math.pi / 2 + 2 * math.asin(half / radius)) / 4)
    around = ((waist, 0.0), (0.0, waist), (-waist, 0.0), (0.0, -waist))
    return (tuple(Vertex(x + dx, y + dy, bulge) for dx, dy in around),)


def slot_middles(pitch: float) -> tuple[Point, ...]:
    """Return the middles of slots 1 to 4 as seen on the back of a card, from the card's middle:
    1 and 2 above, 3 and 4 below, as one reads. A half turn exchanges 1 with 4 and 2 with 3."""
    half = pitch / 2
    return ((-half, half), (half, half), (-half, -half), (half, -half))


def flatten_outline(outline: Outline) -> list[Point]:
    """Return the outline as straight lines, arcs within CHORD."""
    corners = zip(outline, (*outline[1:], outline[0]), strict=True)
    return [point for start, end in corners for point in _flatten_line(start, end)]


def _flatten_line(start: Vertex, end: Vertex) -> Iterator[Point]:
    """Yield the points from the start to before the end."""
    yield start.x, start.y
    if not start.bulge:
        return
    x, y, radius = arc_centre(start, end)
    angle = 4 * math.atan(start.bulge)
    pieces = math.ceil(abs(angle) / (2 * math.acos(max(1 - CHORD / radius, 0.5))))
    begin = math.atan2(start.y - y, start.x - x)
    for piece in range(1, pieces):
        at = begin + angle * piece / pieces
        yield x + radius * math.cos(at), y + radius * math.sin(at)


def arc_centre(start: Vertex, end: Vertex) -> tuple[float, float, float]:
    """Return the middle and the radius of the arc between two corners."""
    dx, dy, bulge = end.x - start.x, end.y - start.y, start.bulge
    radius = math.hypot(dx, dy) * (1 + bulge**2) / (4 * abs(bulge))
    off = (1 - bulge**2) / (4 * bulge)
    return (start.x + end.x) / 2 - dy * off, (start.y + end.y) / 2 + dx * off, radius


def find_bounds(outlines: Iterable[Outline]) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of all outlines."""
    points = [point for outline in outlines for point in flatten_outline(outline)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def path_data(outline: Outline) -> str:
    """Return an outline as the path of an SVG whose y points down: y is negated."""
    first = outline[0]
    parts = [f"M {first.x:.3f} {-first.y:.3f}"]
    for start, end in zip(outline, (*outline[1:], first), strict=True):
        to = f"{end.x:.3f} {-end.y:.3f}"
        if start.bulge:
            radius = arc_centre(start, end)[2]
            is_large = int(abs(start.bulge) > 1)
            parts.append(f"A {radius:.3f} {radius:.3f} 0 {is_large} {int(start.bulge < 0)} {to}")
        else:
            parts.append(f"L {to}")
    return " ".join([*parts, "Z"])
