"""Each seat's sight of the pieces at a simulated table, and the pieces it may pick up.

Law: deny by default. A face is seen where it lies open for all, or by a seat that holds the card in
hand, laid it, or was shown it. Of a pile, and of another seat's hand, only backs are seen.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from companion.core.cards import TILE
from companion.pieces.heaps import Heaps, Tabletop
from companion.pieces.layout import (
    ASIDE,
    FINGERS,
    OPEN_TO_ALL,
    OWN,
    PILES,
    PLACE,
    Faces,
    Heap,
    Layout,
    Piece,
    ShownSpot,
    Spot,
    piece_kind,
)

STRANGE = Spot("", "", "known")
"""Undeclared heaps: the box, fingers, beside the table."""


class SeenSpot(NamedTuple):
    """A spot as a seat sees it, and the tags there."""

    heap: Heap
    tags: tuple[str, ...]
    shown: ShownSpot


class SeenPieces(Heaps):
    """The heaps of a layout as the seats see them, and each seat's knowledge."""

    def __init__(self, layout: Layout, things: dict[str, str], top: Tabletop) -> None:
        super().__init__(things, top)
        self.layout = layout
        self.memory: dict[str, Any] = {"round": 1, "heard": []}
        """Other contents of the table, and people's memory of it."""

    @property
    def seats(self) -> int:
        """Number of seats of the game."""
        return int(self.memory.get("seats", 0))

    def list_spots(self) -> list[Heap]:
        """Return every spot of this game in the order of display."""
        return [Heap(s.kind, n) for s in self.layout.spots for n in s.numbers(self)]

    def find_spot(self, heap: Heap) -> Spot:
        """Return the declaration of a heap."""
        kinds = (spot for spot in self.layout.spots if spot.kind == heap.kind)
        return next((spot for spot in kinds if heap.number in spot.numbers(self)), STRANGE)

    def show_face(self, tag: str, seat: int = 0) -> None:
        """Note that a seat has seen the face of a card; 0 stands for all."""
        knowing = self.memory.setdefault("known", {}).setdefault(tag, [])
        if seat not in knowing:
            knowing.append(seat)

    def note_laid(self, home: Heap, tag: str) -> None:
        """Note that a seat knows the card that it laid from its hand."""
        if self.find_spot(home).faces == "own":
            self.show_face(tag, home.number)

    def visible_face(self, seat: int, tag: str, at: Heap) -> str | None:
        """Return the face of a piece as this seat sees it there; None for its back."""
        thing, home, known = self.things[tag], self.home_heap(tag), self.memory.get("known", {})
        face = thing.removeprefix(TILE)
        lies, meant = self.find_spot(at), self._faces_of(home)
        is_own_top = meant == "top" and self.tags(home)[-1] == tag
        if piece_kind(thing) == "figure":
            return thing
        if lies.faces == "closed" or (lies.faces == "own" and at.number != seat):
            return None
        if meant == "open" or is_own_top or (meant == "own" and home.number == seat):
            return face
        is_turned = at.kind == PLACE and lies.faces == "open" and piece_kind(thing) == lies.holds
        if is_turned and meant in ("closed", "known"):
            return face
        is_known = not {0, seat}.isdisjoint(known.get(tag, ()))
        return face if is_known and meant != "top" else None

    def _faces_of(self, home: Heap) -> Faces:
        """Return the seats that see the faces in a heap; pieces kept aside are seen by those who
        see the places."""
        return self.layout.spots[0].faces if home == ASIDE else self.find_spot(home).faces

    def visible_spots(self, seat: int) -> list[SeenSpot]:
        """Return all spots that this seat sees: the table, its hands, the heaps beside."""
        truly = self.pieces_by_spot()
        heaps = (*self.list_spots(), Heap(FINGERS, seat), ASIDE)
        return [self._visible_spot(seat, heap, tuple(truly.get(heap, ()))) for heap in heaps]

    def _visible_spot(self, seat: int, heap: Heap, tags: tuple[str, ...]) -> SeenSpot:
        kind = self.find_spot(heap).shown or heap.kind
        is_own_hand = kind == "hand" and heap.number == seat
        has_number = kind != FINGERS and not is_own_hand and (heap.number or kind in OWN)
        lies = tuple(
            Piece(
                piece_kind(self.things[tag]),
                self.visible_face(seat, tag, heap),
                self.is_astray(tag),
            )
            for tag in tags
        )
        name = f"{kind}-{heap.number}" if has_number else kind
        lifts = _liftable(seat, kind, heap.number, lies)
        return SeenSpot(heap, tags, ShownSpot(name, kind, heap.number, lies, lifts))

    # The table outlives the program.

    def save(self) -> dict[str, Any]:
        """Return the state of all pieces for `restore`."""
        return {**super().save(), "memory": deepcopy(self.memory)}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a saved state before any reader looks."""
        super().restore(saved)
        self.memory = deepcopy(saved["memory"])


def _liftable(seat: int, kind: str, number: int, lies: Sequence[Piece]) -> tuple[int, ...]:
    """Return the pieces of a spot that a seat may pick up, counted from 1."""
    own, is_others = kind in OWN and number == seat, kind in OWN and number != seat
    free = kind in OPEN_TO_ALL or (own and kind != "loot")
    tops = {len(lies)} if kind in PILES else set[int]()
    lifts = (n for n, piece in enumerate(lies, 1) if free or n in tops or piece.astray)
    return () if kind == FINGERS or is_others else tuple(lifts)
