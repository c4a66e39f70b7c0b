"""The layout of a game that declares none: a face-down pile, and places for drawn cards.

Law: what moves is read from the events that are made `with_pieces` and name a `card`. The top of
the pile goes to the place that such an event names as `place` or `bank`, or to the first one. What
the game no longer has at a place is put aside, open to all.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from companion.pieces.layout import BOX, PLACE, Fields, Heap, Layout, Lies, Move, Spot, from_heap
from companion.tracking.game_tracking import FIRST_PLACE, PLACE_FIELDS, draws_card

PILE, OUT = Heap("pile"), Heap("out")


def _deal(pieces: Any, _started: Fields) -> None:
    pieces.shuffle_into(pieces.tags(BOX), PILE)


def _places(pieces: Any) -> Iterable[int]:
    return pieces.memory.get("places") or [FIRST_PLACE]


def _named_place(_pieces: Any, fields: Fields) -> Heap:
    found = (fields.get(name) for name in PLACE_FIELDS)
    return Heap(PLACE, next((place for place in found if isinstance(place, int)), FIRST_PLACE))


def _clear(pieces: Any, _before: Lies, lies: Lies, _public: Any) -> None:
    """Put aside the cards that the game no longer has at their place."""
    pieces.memory["places"] = sorted({*_places(pieces), *lies})
    for place in pieces.memory["places"]:
        kept = Counter(lies.get(place, ()))
        for tag in pieces.tags(Heap(PLACE, place)):
            name = pieces.things[tag]
            if kept[name] or kept[None]:
                kept[name if kept[name] else None] -= 1
            else:
                pieces.shift([tag], OUT)


SPOTS = (
    Spot(PLACE, "place", "open", _places),
    Spot(PILE.kind, "pile", "closed"),
    Spot(OUT.kind, "discard", "open"),
)


def lay_drawn_cards(rows: Iterable[Any]) -> Layout:
    """Return the layout that follows from a phase table."""
    drawing = {row.event_name for row in rows if draws_card(row.event)}
    move = Move("top", _named_place, from_heap(PILE), "card")
    return Layout(SPOTS, _deal, dict.fromkeys(drawing, move), clear=_clear)
