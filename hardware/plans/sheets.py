"""A flat plan in layers: what a laser cuts, what it engraves, and what is written on it."""

from typing import Literal, NamedTuple

import msgspec

from hardware.plans.outlines import Outline, find_bounds, move_outline

Layer = Literal["cut", "engrave"]
COLOURS: dict[Layer, tuple[str, int]] = {"cut": ("#ff0000", 1), "engrave": ("#0000ff", 5)}
"""The colour of each layer, as SVG and as number in a DXF; lasers tell layers by them."""
GAP = 6.0
"""Between two pieces on a sheet."""


class Shape(NamedTuple):
    """An outline on a layer."""

    layer: Layer
    outline: Outline


class Writing(NamedTuple):
    """Engraved text: the middle of its base line, and the height of its capitals."""

    text: str
    x: float
    y: float
    height: float


class PlanSheet(msgspec.Struct, frozen=True):
    """One plan; its pieces lie side by side."""

    shapes: tuple[Shape, ...] = ()
    writings: tuple[Writing, ...] = ()

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of everything that is drawn."""
        return find_bounds(shape.outline for shape in self.shapes)

    def add_beside(self, other: "PlanSheet") -> "PlanSheet":
        """Return this sheet with another to its right, their lower edges level."""
        _, bottom, right, _ = self.bounds
        left, other_bottom, _, _ = other.bounds
        return self.add_over(other.move_by(right + GAP - left, bottom - other_bottom))

    def add_over(self, other: "PlanSheet") -> "PlanSheet":
        """Return both sheets on one another."""
        return PlanSheet(self.shapes + other.shapes, self.writings + other.writings)

    def move_by(self, x: float, y: float) -> "PlanSheet":
        """Return the sheet moved by x and y."""
        shapes = tuple(Shape(s.layer, move_outline(s.outline, x, y)) for s in self.shapes)
        writings = tuple(w._replace(x=w.x + x, y=w.y + y) for w in self.writings)
        return PlanSheet(shapes, writings)


def place_shapes(layer: Layer, *outlines: Outline) -> PlanSheet:
    """Return a sheet with outlines on one layer."""
    return PlanSheet(tuple(Shape(layer, outline) for outline in outlines))
