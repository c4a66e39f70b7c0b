"""Pieces of a game that says nothing about them: a face-down pile, and places for what is drawn.

Law: what moves is read from the events that are made `with_pieces` and name a `card`. The top of
the pile goes to the place that such an event names as `place` or `bank`, or to the first one. What
the game no longer has at a place is put aside, open to all.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar

from companion.core.events import Event
from companion.games.open_table import Public
from companion.games.rulebook import AnyRulebook
from companion.pieces.pieces import BoxPieces, Fields
from companion.pieces.piles import BOX, PLACE, Heap
from companion.pieces.sync import Lies
from companion.pieces.tabletop import Tabletop
from companion.tracking.drawn_cards import FIRST_PLACE, PLACE_FIELDS, draws_card

PILE, OUT = Heap("pile"), Heap("out")


class DrawnCards(BoxPieces[Public]):
    """A pile of all tagged pieces, places for those that were drawn, and those that are out."""

    spot_kinds: ClassVar = {"out": "discard"}

    def __init__(self, rules: AnyRulebook, top: Tabletop, random: Random) -> None:
        super().__init__(rules, top, random)
        self._drawing_events = {row.event_name for row in rules.rows if draws_card(row.event)}

    def _lay_out(self, _seats: int, _started: Fields) -> None:
        self._shuffle_into(list(self._heap_tags(BOX)), PILE)
        self._untagged["places"] = [FIRST_PLACE]

    def make_move(self, seat: int, do: str, **fields: object) -> None:
        """Draw the top of the pile for an event that names a card to come."""
        with self._busy:
            if do in self._drawing_events:
                self._shift_pieces([self._top_piece(PILE)], Heap(PLACE, _named_place(fields)))

    def reported_fields(self, seat: int, do: str, fields: Fields) -> dict[str, object]:
        """Report the card that lies on top at the place of the event."""
        with self._busy:
            here = self._heap_names(Heap(PLACE, _named_place(fields)))
            return {**fields, **({"card": here[-1]} if do in self._drawing_events and here else {})}

    def wanted_pieces(
        self, seat: int, do: str, choice: Fields, public: object
    ) -> list[tuple[str, int]]:
        """Return the top of the pile with its place."""
        with self._busy:
            place = _named_place(choice)
            return (
                [(tag, place) for tag in self._takeable_tags(PILE)]
                if do in self._drawing_events
                else []
            )

    def _clear_table(self, _before: Lies, lies: Lies, _public: Public) -> None:
        """Put aside what the game no longer has at its place."""
        self._untagged["places"] = sorted({*self._untagged["places"], *lies})
        for place in self._untagged["places"]:
            kept = Counter(lies.get(place, ()))
            for tag in list(self._heap_tags(Heap(PLACE, place))):
                name = self.things[tag]
                if kept[name] or kept[None]:
                    kept[name if kept[name] else None] -= 1
                else:
                    self._shift_pieces([tag], OUT)

    def _source_heaps(self, event: Event) -> Sequence[Heap]:
        return [PILE] if type(event).with_pieces else []

    def list_spots(self) -> Iterable[Heap]:
        yield from (Heap(PLACE, place) for place in self._untagged.get("places", (FIRST_PLACE,)))
        yield from (PILE, OUT)

    def visible_face(self, _seat: int, tag: str, at: Heap) -> str | None:
        """Return the face of a card that lies at a place, or that has been at one."""
        was_drawn = self.home_heap(tag) not in (PILE, BOX)
        return self.things[tag] if was_drawn or at.kind == PLACE else None


def _named_place(fields: Fields) -> int:
    """Return the place that the fields of an event name, or the first one."""
    found = (fields.get(name) for name in PLACE_FIELDS)
    return next((place for place in found if isinstance(place, int)), FIRST_PLACE)
