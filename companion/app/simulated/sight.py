"""Sight: the pieces of a simulated table as the page of one seat shows them.

Law: what a seat may see the pieces say, and nothing is added to it; from its own view comes only
what the game expects of it now: which pieces to pick up, and where to put them.
"""

from collections.abc import Mapping
from typing import Any

from companion.table.view import View
from hardware.simulator.pieces import Pieces
from hardware.simulator.pieces.moves import FINGERS, spot_of
from hardware.simulator.pieces.piles import PLACE, Heap
from hardware.simulator.pieces.visibility import OWN, Seen
from web.context import Piece, Spot

Expected = dict[str, set[Heap]]
"""What to pick up, by its tag, and the spots where it is expected then."""


def sight(pieces: Pieces, view: View, seat: int) -> tuple[Spot, ...]:
    """Every spot of the table; last what the fingers of this seat hold, and what lies beside."""
    seen = pieces.seen(seat)
    expected = {} if view.table.is_stopped else _expected(view, pieces)
    held = pieces.held(seat)
    goals = set[Heap]() if held is None else expected.get(held) or {spot_of(pieces.home(held))}
    wanted = expected if held is None else {}
    return tuple(_spot(one, seat, one.heap in goals, wanted) for one in seen)


def name_of(one: Seen, seat: int) -> str:
    """What a spot is called; one's own hand needs no number."""
    if one.kind == FINGERS or (one.kind == "hand" and one.heap.number == seat):
        return one.kind
    numbered = one.heap.number or one.kind in OWN
    return f"{one.kind}-{one.heap.number}" if numbered else one.kind


def _spot(one: Seen, seat: int, welcome: bool, wanted: Mapping[str, Any]) -> Spot:
    return Spot(
        name_of(one, seat),
        one.kind,
        one.heap.number,
        tuple(Piece(thing.what, thing.face, thing.astray) for thing in one.things),  # type: ignore[arg-type]
        one.lifts,
        welcome,
        tuple(n for n in one.lifts if one.things[n - 1].tag in wanted),
    )


def _expected(view: View, pieces: Pieces) -> Expected:
    """Whatever this seat may do with pieces now, as the pieces that it is done with."""
    found: Expected = {}
    for may in view.may:
        for choice in may.choices:
            for tag, goal in pieces.wants(view.seat, may.do, choice, view.public):
                found.setdefault(tag, set()).add(Heap(PLACE, goal))
    return found
