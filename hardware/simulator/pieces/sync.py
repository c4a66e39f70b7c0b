"""Following: what pieces mean follows what the game takes for done, by hand or tapped on a phone.

Law: the game never learns anything here. A card that it has at a place is the one that free hands
laid there; where nobody laid one, it is taken now from where it comes from in such an event.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.core.events import Event
from companion.core.table_events import AMENDMENTS
from companion.tracking.picture import is_card
from hardware.simulator.pieces.moves import ASIDE, FINGERS
from hardware.simulator.pieces.piles import PLACE, Heap
from hardware.simulator.pieces.visibility import OWN, Eyes

Lies = Mapping[int, Sequence[str | None]]
"""What lies at each place as the game has it; None for a card that nobody has named."""


class Following(Eyes, ABC):
    """The things of a box, whose heaps become what the game has."""

    def follow(self, events: Sequence[Event], lies: Lies, public: Any) -> None:
        """Have what happened be what people mean."""
        with self._busy:
            if any(isinstance(event, AMENDMENTS) for event in events):
                self._release(lies)
            sources = [heap for event in events for heap in self._from(event)]
            for place, cards in lies.items():
                for card in self._lacking(place, cards):
                    tag = self._meant_by(place, card, sources)
                    if tag is not None:
                        self._accept(tag, Heap(PLACE, place))
            self._agree(events, public)

    def _lacking(self, place: int, cards: Sequence[str | None]) -> list[str | None]:
        """What the game has at a place besides what people mean to lie there."""
        here = self._names(Heap(PLACE, place))
        named = list(
            (Counter(card for card in cards if card is not None) - Counter(here)).elements()
        )
        return [*named, *[None] * len(cards)][: max(0, len(cards) - len(here))]

    def _meant_by(self, place: int, card: str | None, sources: Sequence[Heap]) -> str | None:
        """The tag that this must be: what was laid here, what is held, what is still where it was;
        of these one of this name, if there is. What somebody laid and called by another name is
        what they laid."""
        laid = [tag for tag in self._on_table() if self._strays_at(place, tag)]
        held = [tag for tag in self._fingers.values() if self.home(tag) in sources]
        left = [tag for heap in sources for tag in self._drawn(heap)]
        for tags in (laid, held, left):
            named = [tag for tag in tags if card in (None, self.things[tag])]
            if named or (tags and tags is laid):
                return next(iter(named), tags[0])
        return next(iter(left), None)

    def _strays_at(self, place: int, tag: str) -> bool:
        meant = self.home(tag) == Heap(PLACE, place)
        return is_card(self.things[tag]) and self.where(tag) == Heap(PLACE, place) and not meant

    def _drawn(self, heap: Heap) -> Iterator[str]:
        """What may come from a heap, in the order in which people would take it."""
        yield from (tag for tag in reversed(self._at(heap)) if self.where(tag).kind != FINGERS)

    def _release(self, lies: Lies) -> None:
        """What the table agreed not to lie at a place, and does not lie there, is where it is."""
        for place, cards in lies.items():
            heap = Heap(PLACE, place)
            away = [tag for tag in self._at(heap) if self.is_astray(tag)]
            for tag in away[: max(0, len(self._at(heap)) - len(cards))]:
                self._keep_away(tag)

    def _keep_away(self, tag: str) -> None:
        """It is meant to be where it is; but in a hand that may not see it, it stays a back."""
        at = self.where(tag)
        own = self.shown.get(at.kind, at.kind) in OWN
        unseen = own and self.face(at.number, tag, at) is None
        self._let_go([tag])
        self._keep([tag], ASIDE if unseen else at)
        if unseen:
            self._beside[tag] = at

    def _accept(self, tag: str, to: Heap) -> None:
        """This is meant to be there now."""
        self._move(tag, to)

    @abstractmethod
    def _from(self, event: Event) -> Sequence[Heap]:
        """Where a card comes from that comes to a place in such an event."""

    def _agree(self, events: Sequence[Event], public: Any) -> None:
        """Whatever else the game has otherwise than people mean it; in most games nothing."""

    def _on_table(self) -> list[str]:
        return [tag for tag in self.things if self._top.where(tag) is not None]
