"""Adjust the meant places of pieces to what the game has accepted, by hand or by phone.

Law: the game never learns anything here. A card that it has at a place is the one that free hands
laid there; if none was laid, it is taken now from where it comes from in such an event.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from companion.core.events import Event
from companion.core.table_events import AMENDMENTS
from companion.games.open_table import Public
from companion.pieces.moves import ASIDE, FINGERS
from companion.pieces.piles import PLACE, Heap
from companion.pieces.visibility import OWN, VisiblePieces
from companion.tracking.picture import is_card

Lies = Mapping[int, Sequence[str | None]]
"""What lies at each place as the game has it; None for a card that was never named."""


V = TypeVar("V", bound=Public)
"""The public view of one game."""


class SyncedPieces(VisiblePieces, ABC, Generic[V]):
    """The pieces of a box, whose heaps are adjusted to the state of the game."""

    def follow_events(self, events: Sequence[Event], lies: Lies, public: V) -> None:
        """Adjust the heaps to events that the game has accepted."""
        with self._busy:
            if any(isinstance(event, AMENDMENTS) for event in events):
                self._release_missing(lies)
            sources = [heap for event in events for heap in self._source_heaps(event)]
            for place, cards in lies.items():
                for card in self._missing_cards(place, cards):
                    tag = self._find_meant_tag(place, card, sources)
                    if tag is not None:
                        self._accept_move(tag, Heap(PLACE, place))
            self._agree_with_game(events, public)

    def _missing_cards(self, place: int, cards: Sequence[str | None]) -> list[str | None]:
        """Return what the game has at a place besides what is meant to lie there."""
        here = self._heap_names(Heap(PLACE, place))
        named = list(
            (Counter(card for card in cards if card is not None) - Counter(here)).elements()
        )
        return [*named, *[None] * len(cards)][: max(0, len(cards) - len(here))]

    def _find_meant_tag(self, place: int, card: str | None, sources: Sequence[Heap]) -> str | None:
        """Return the tag that this card must be: one laid here, else one that is held, else one
        still at its source; preferably of this name. A card that was laid and given another name
        is the one that was laid."""
        laid = [tag for tag in self._on_table() if self._strays_at(place, tag)]
        held = [tag for tag in self._fingers.values() if self.home_heap(tag) in sources]
        left = [tag for heap in sources for tag in self._drawable_tags(heap)]
        for tags in (laid, held, left):
            named = [tag for tag in tags if card in (None, self.things[tag])]
            if named or (tags and tags is laid):
                return next(iter(named), tags[0])
        return next(iter(left), None)

    def _strays_at(self, place: int, tag: str) -> bool:
        meant = self.home_heap(tag) == Heap(PLACE, place)
        return (
            is_card(self.things[tag]) and self.actual_heap(tag) == Heap(PLACE, place) and not meant
        )

    def _drawable_tags(self, heap: Heap) -> Iterator[str]:
        """Yield what may come from a heap, in the order in which it would be taken."""
        yield from (
            tag for tag in reversed(self._heap_tags(heap)) if self.actual_heap(tag).kind != FINGERS
        )

    def _release_missing(self, lies: Lies) -> None:
        """Mean a card where it is if the correction says that it does not lie at its place."""
        for place, cards in lies.items():
            heap = Heap(PLACE, place)
            away = [tag for tag in self._heap_tags(heap) if self.is_astray(tag)]
            for tag in away[: max(0, len(self._heap_tags(heap)) - len(cards))]:
                self._keep_away(tag)

    def _keep_away(self, tag: str) -> None:
        """Mean a piece where it is; in a hand that may not see it, it stays face down."""
        at = self.actual_heap(tag)
        own = self.spot_kinds.get(at.kind, at.kind) in OWN
        unseen = own and self.visible_face(at.number, tag, at) is None
        self._release_pieces([tag])
        self._put_in_heap([tag], ASIDE if unseen else at)
        if unseen:
            self._beside[tag] = at

    def _accept_move(self, tag: str, to: Heap) -> None:
        """Mean a piece to be there from now on."""
        self._move_piece(tag, to)

    @abstractmethod
    def _source_heaps(self, event: Event) -> Sequence[Heap]:
        """Return the heaps from which a card comes to a place in such an event."""

    def _agree_with_game(self, events: Sequence[Event], public: V) -> None:
        """Adjust whatever else differs from the game; in most games nothing."""

    def _on_table(self) -> list[str]:
        return [tag for tag in self.things if self._top.place_of(tag) is not None]
