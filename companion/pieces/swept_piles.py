"""Hands that sweep a pile: they lift it, and hold its cards over the reader one by one.

Law: people count what the screens tick. A card that was held up and not ticked was not shown; which
of two equal cards was ticked is the one that was held up last.
"""

from abc import ABC, abstractmethod
from collections import Counter
from typing import Any

from companion.pieces.pieces import BoxPieces, Fields, Pickups
from companion.pieces.piles import PLACE, Heap
from companion.pieces.sync import V


class SweptPieces(BoxPieces[V], ABC):
    """The pieces of a box of which piles are swept."""

    @abstractmethod
    def _swept_place(self, fields: Fields) -> int:
        """Return the place that these fields of an event name, or LookupError."""

    def _show_card(self, _seat: int, fields: Fields) -> None:
        """Lift the pile of a place, and hold its next card over the reader."""
        place = self._swept_place(fields)
        card = self._next_to_show(place)
        self._top.lift_tags(*(tag for tag in self._heap_tags(Heap(PLACE, place))
                              if self._top.place_of(tag) == place))  # fmt: skip
        self._untagged["showing"] = card
        self._top.lay_tag(card, place)
        self._top.lift_tags(card)

    def _next_to_show(self, place: int) -> str:
        """Return the next card of a pile that was not shown yet, or LookupError."""
        left = self._unshown_tags(place)
        if not left:
            raise LookupError("every card of this place was shown")
        return left[-1]

    def _unshown_tags(self, place: int) -> list[str]:
        shown = self._untagged.get("shown", ())
        return [tag for tag in self._heap_tags(Heap(PLACE, place)) if tag not in shown]

    def _note_shown_cards(self, public: Any) -> None:
        """Remember which cards were shown, as the game counts them by their names."""
        before, held = self._untagged.get("shown", ()), self._untagged.get("showing")
        pile = self._heap_tags(Heap(PLACE, public.sweep.place)) if public.sweep else ()
        left = Counter(public.sweep.shown if public.sweep else ())
        shown = []
        for tag in sorted(pile, key=lambda tag: (tag not in before, tag != held)):
            if left[self.things[tag]] > 0:
                left[self.things[tag]] -= 1
                shown.append(tag)
        self._untagged["shown"] = shown

    def _report_shown_card(self, _seat: int, fields: Fields) -> Fields:
        """Report the card in hand, which the reader did not hear."""
        return {"card": self.things[self._next_to_show(self._swept_place(fields))]}

    def _pick_unshown(self, _seat: int, choice: Fields, _public: object) -> Pickups:
        place = self._swept_place(choice)
        yield from ((tag, place) for tag in self._unshown_tags(place))
