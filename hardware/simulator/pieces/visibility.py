"""Eyes at a simulated table: what one seat sees of the pieces, and what it may pick up.

Law: deny by default. A face is seen where it lies open for everyone, or by whoever holds the card
in hand, laid it, or was shown it; lifting a card that lies face down shows nothing. Of a pile, and
of another one's hand, there are only so many backs.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar, NamedTuple

from companion.tracking import FIGURE, TILE
from hardware.simulator.pieces.moves import ASIDE, FINGERS, Hands
from hardware.simulator.pieces.piles import PLACE, Heap

OPEN_TO_ALL = (PLACE, "figure", ASIDE.kind)
"""The kinds of spot from which anybody may pick up anything."""
OWN = ("hand", "front", "loot")
"""The kinds of spot that belong to the seat of their number."""
PILES = ("pile", "tiles")
"""The kinds of spot from which one takes what is on top."""


class Thing(NamedTuple):
    """A piece as these eyes see it: what it is, its face (None: face down), whether it strays."""

    tag: str
    what: str
    face: str | None
    astray: bool


class Seen(NamedTuple):
    """A spot of the table, what lies there, and which of it may be picked up, counted from 1."""

    heap: Heap
    kind: str
    things: tuple[Thing, ...]
    lifts: tuple[int, ...]


class Eyes(Hands, ABC):
    """The things of a box, and how they look from each seat."""

    shown: ClassVar[Mapping[str, str]]
    """What each kind of heap is called where people look at it."""

    @abstractmethod
    def spots(self) -> Iterable[Heap]:
        """Every spot of this game, in the order in which one looks at them."""

    @abstractmethod
    def face(self, seat: int, tag: str, at: Heap) -> str | None:
        """What these eyes see of a thing that is there; None for its back."""

    def seen(self, seat: int) -> list[Seen]:
        """All that this seat sees: the table, what its own fingers hold, what lies beside."""
        with self._busy:
            truly = self.spread()
            return [
                self._seen(seat, heap, truly.get(heap, ()))
                for heap in (*self.spots(), Heap(FINGERS, seat), ASIDE)
            ] + self._untagged_ones()

    def _untagged_ones(self) -> list[Seen]:
        """What lies on the table and bears no tag; hands do not move it."""
        return []

    def _seen(self, seat: int, heap: Heap, tags: Iterable[str]) -> Seen:
        kind = self.shown.get(heap.kind, heap.kind)
        things = tuple(
            Thing(tag, what(self.things[tag]), self.face(seat, tag, heap), self.is_astray(tag))
            for tag in tags
        )
        return Seen(heap, kind, things, tuple(_lifts(seat, kind, heap.number, things)))


def _lifts(seat: int, kind: str, number: int, things: tuple[Thing, ...]) -> Iterable[int]:
    for n, thing in enumerate(things, 1):
        own = kind in OWN and number == seat
        free = kind in OPEN_TO_ALL or (own and kind != "loot")
        on_top = kind in PILES and n == len(things)
        if kind != FINGERS and (free or on_top or (thing.astray and (own or kind not in OWN))):
            yield n


def what(thing: str) -> str:
    """The kind of a piece."""
    return "figure" if thing == FIGURE else "tile" if thing.startswith(TILE) else "card"
