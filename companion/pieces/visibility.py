"""Visibility at a simulated table: what one seat sees of the pieces, and what it may pick up.

Law: deny by default. A face is seen where it lies open for all, or by the seat that holds the card
in hand, laid it, or was shown it; lifting a card that lies face down shows nothing. Of a pile, and
of another seat's hand, only the number of backs is seen.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar, NamedTuple

from companion.core.cards import FIGURE, TILE
from companion.pieces.moves import ASIDE, FINGERS, MovablePieces
from companion.pieces.piles import PLACE, Heap

OPEN_TO_ALL = (PLACE, "figure", ASIDE.kind)
"""The kinds of spot from which anybody may pick up anything."""
OWN = ("hand", "front", "loot")
"""The kinds of spot that belong to the seat of their number."""
PILES = ("pile", "tiles")
"""The kinds of spot from which one takes what is on top."""


class VisiblePiece(NamedTuple):
    """A piece as a seat sees it: its kind, its face (None: face down), whether it strays."""

    tag: str
    what: str
    face: str | None
    astray: bool


class VisibleSpot(NamedTuple):
    """A spot of the table, the pieces there, and which may be picked up, counted from 1."""

    heap: Heap
    kind: str
    things: tuple[VisiblePiece, ...]
    lifts: tuple[int, ...]


class VisiblePieces(MovablePieces, ABC):
    """The pieces of a box, and how they look from each seat."""

    spot_kinds: ClassVar[Mapping[str, str]]
    """What each kind of heap is called where people look at it."""

    @abstractmethod
    def list_spots(self) -> Iterable[Heap]:
        """Return every spot of this game in the order of display."""

    @abstractmethod
    def visible_face(self, seat: int, tag: str, at: Heap) -> str | None:
        """Return the face of a piece as this seat sees it there; None for its back."""

    def visible_spots(self, seat: int) -> list[VisibleSpot]:
        """Return all that this seat sees: the table, what it holds, what lies beside."""
        with self._busy:
            truly = self.pieces_by_spot()
            return [
                self._visible_spot(seat, heap, truly.get(heap, ()))
                for heap in (*self.list_spots(), Heap(FINGERS, seat), ASIDE)
            ] + self._untagged_spots()

    def _untagged_spots(self) -> list[VisibleSpot]:
        """Return the spots of pieces without a tag, which hands do not move."""
        return []

    def _visible_spot(self, seat: int, heap: Heap, tags: Iterable[str]) -> VisibleSpot:
        kind = self.spot_kinds.get(heap.kind, heap.kind)
        things = tuple(
            VisiblePiece(
                tag,
                piece_kind(self.things[tag]),
                self.visible_face(seat, tag, heap),
                self.is_astray(tag),
            )
            for tag in tags
        )
        return VisibleSpot(heap, kind, things, tuple(_liftable(seat, kind, heap.number, things)))


def _liftable(seat: int, kind: str, number: int, things: tuple[VisiblePiece, ...]) -> Iterable[int]:
    for n, thing in enumerate(things, 1):
        own = kind in OWN and number == seat
        free = kind in OPEN_TO_ALL or (own and kind != "loot")
        on_top = kind in PILES and n == len(things)
        if kind != FINGERS and (free or on_top or (thing.astray and (own or kind not in OWN))):
            yield n


def piece_kind(thing: str) -> str:
    """Return the kind of a piece."""
    return "figure" if thing == FIGURE else "tile" if thing.startswith(TILE) else "card"
