"""Heaps of pieces, and free hands: lift any piece and put it down anywhere, right or wrong.

Laws:
1. Every piece is in exactly one heap, whose last piece is its top. A heap says where a piece is
   meant to be; free moves change only where it actually is. A held piece stays in its own heap.
2. When the meaning changes, a piece is where it is meant to be: it leaves any fingers.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from companion.pieces.layout import ASIDE, BOX, FIGURE_AT, FINGERS, ON_TABLE, PLACE, Heap


class Tabletop(Protocol):
    """Places with readers and tags; laying and lifting wait until the readers have seen the last
    move."""

    def pass_time(self, seconds: float) -> None:
        """Let so many seconds of the table's own time pass."""

    def stick_tags(self, things: Mapping[str, str]) -> None:
        """Stick each tag onto its thing."""

    def lay_tag(self, tag: str, place: int) -> None:
        """Lay a tag at a place, lifted from where it lay before."""

    def lift_tags(self, *tags: str) -> None:
        """Lift tags off their places."""

    def restore_tags(self, lying: Mapping[str, int]) -> None:
        """Have nothing lie there but these tags, as before the table was switched on."""

    def tags_at(self, place: int) -> list[str]:
        """Return the tags at a place, the first to come first."""

    def place_of(self, tag: str) -> int | None:
        """Return the place of a tag; None if it does not lie at one."""


class Heaps:
    """The tagged pieces of a box, each in its heap, and those that are actually elsewhere."""

    def __init__(self, things: dict[str, str], top: Tabletop) -> None:
        self.things, self.top = things, top
        """Thing that each tag is stuck to, and the table."""
        self.busy = threading.RLock()
        """Held by what moves pieces on the loop, and by what shows them on another thread."""
        self._put_all_in_box()

    def _put_all_in_box(self) -> None:
        self._heaps: dict[Heap, list[str]] = {BOX: list(self.things)}
        self._beside: dict[str, Heap] = {}
        """What was put down wrongly beside the places, and what fingers hold."""

    # What is meant.

    def tags(self, heap: Heap) -> list[str]:
        """Return the tags that are meant to be in a heap, the top one last."""
        return list(self._heaps.get(heap, ()))

    def names(self, heap: Heap) -> list[str]:
        """Return the names of the pieces meant to be in a heap, the top last."""
        return [self.things[tag] for tag in self._heaps.get(heap, ())]

    def home_heap(self, tag: str) -> Heap:
        """Return the heap that a piece is meant to be in."""
        return next(heap for heap, tags in self._heaps.items() if tag in tags)

    def cards_by_heap(self) -> dict[Heap, list[str]]:
        """Return every piece of the box by its heap."""
        return {heap: self.names(heap) for heap, tags in self._heaps.items() if tags}

    def find_piece(self, heap: Heap, thing: object) -> str:
        """Return the lowest piece of this name in a heap, rather one that is actually there;
        LookupError if there is none."""
        found = [tag for tag in self.tags(heap) if self.things[tag] == thing]
        return self.prefer_present(found[::-1])

    def top_piece(self, heap: Heap) -> str:
        """Return the top of a pile; one that was taken away only if nothing else is left."""
        return self.prefer_present(self.tags(heap))

    def takeable_tags(self, pile: Heap) -> list[str]:
        """Return the top of a pile, and the tags taken from it already."""
        away = [tag for tag in self.tags(pile) if not self._is_present(tag)]
        return [*away, *[tag for tag in self.tags(pile) if tag not in away][-1:]]

    def prefer_present(self, tags: Sequence[str]) -> str:
        """Return the last of these pieces that is where it is meant to be, else the last one;
        LookupError if there is none."""
        if not tags:
            raise LookupError("There is no such piece.")
        present = (tag for tag in reversed(tags) if self._is_present(tag))
        return next(present, tags[-1])

    def _is_present(self, tag: str) -> bool:
        return self.actual_heap(tag) == spot_of(self.home_heap(tag))

    def put_in_heap(self, tags: Sequence[str], to: Heap, under: bool = False) -> None:
        """Mean pieces to be in a heap, on top or at its bottom."""
        for heap in self._heaps.values():
            heap[:] = [tag for tag in heap if tag not in tags]
        target = self._heaps.setdefault(to, [])
        target[:] = [*tags, *target] if under else [*target, *tags]

    def shift(self, tags: Iterable[str], to: Heap, under: bool = False) -> None:
        """Move pieces onto another heap or under it, waiting for the readers on the table."""
        tags = list(tags)
        self._release_pieces(tags)
        self.put_in_heap(tags, to, under)
        if to.kind in ON_TABLE:
            for tag in tags:
                self.top.lay_tag(tag, to.number)
        else:
            self.top.lift_tags(*tags)

    def move(self, tag: str, to: Heap) -> None:
        """Move a piece to another heap, unless free hands have done so already."""
        if self.actual_heap(tag) == spot_of(to):
            self._beside.pop(tag, None)
            self.put_in_heap([tag], to)
        else:
            self.shift([tag], to)

    # What free hands do.

    @property
    def fingers(self) -> dict[int, str]:
        """The piece that each seat holds."""
        return {at.number: tag for tag, at in self._beside.items() if at.kind == FINGERS}

    def lift_piece(self, seat: int, tag: str) -> None:
        """Take a piece into the empty fingers of a seat."""
        self.top.lift_tags(tag)
        self._beside[tag] = Heap(FINGERS, seat)

    def put_down(self, seat: int, spot: Heap) -> None:
        """Put the held piece of a seat down at a spot, right or wrong."""
        tag = self.fingers[seat]
        self._release_pieces([tag])
        if spot.kind == PLACE:
            self._make_room(tag, spot)
            self.top.lay_tag(tag, spot.number)
        elif spot != spot_of(self.home_heap(tag)):
            self._beside[tag] = spot

    def _make_room(self, tag: str, spot: Heap) -> None:
        """Take away the pieces on which a hand would not lay this one; by default none."""

    def put_back(self, seat: int) -> None:
        """Put the held piece of a seat back where it belongs, if there is one."""
        if seat in self.fingers:
            self.put_down(seat, spot_of(self.home_heap(self.fingers[seat])))

    def turn_over(self, tag: str) -> None:
        """Lift the piece at a place, turn it, and put it back there."""
        place = self.actual_heap(tag).number
        self._release_pieces([tag])
        self.top.lay_tag(tag, place)

    def _release_pieces(self, tags: Iterable[str]) -> None:
        """Take these pieces out of all fingers and from beside the table."""
        for tag in tags:
            self._beside.pop(tag, None)

    # Where pieces actually are.

    def actual_heap(self, tag: str) -> Heap:
        """Return the spot where a piece actually is."""
        place = self.top.place_of(tag)
        if place is not None:
            return Heap(PLACE, place)
        home = self.home_heap(tag)
        return self._beside.get(tag, ASIDE if home.kind in ON_TABLE else home)

    def is_astray(self, tag: str) -> bool:
        """Return whether a piece lies where it is not meant to; a held one does not lie."""
        return self.actual_heap(tag).kind != FINGERS and not self._is_present(tag)

    def pieces_by_spot(self) -> Mapping[Heap, Sequence[str]]:
        """Return the pieces at each spot: first those that belong there, in order, then strays."""
        all_tags = [tag for tags in self._heaps.values() for tag in tags]
        found: dict[Heap, list[str]] = {}
        for tag in sorted(all_tags, key=self.is_astray):
            found.setdefault(self.actual_heap(tag), []).append(tag)
        return found

    def misplaced_tags(self) -> dict[str, int]:
        """Return the tags that do not lie where they should, each with its right place, 0 for none.
        A held piece does not lie anywhere."""
        homes = {tag: self.home_heap(tag) for tag in self.things if self.is_astray(tag)}
        return {tag: heap.number if heap.kind in ON_TABLE else 0 for tag, heap in homes.items()}

    def put_right(self) -> None:
        """Put every piece back where it belongs."""
        for tag, place in self.misplaced_tags().items():
            self._release_pieces([tag])
            if place:
                self.top.lay_tag(tag, place)
            else:
                self.top.lift_tags(tag)

    # What outlives the program.

    def save(self) -> dict[str, Any]:
        """Return the state of all pieces for `restore`, as JSON can hold it."""
        lying = {tag: self.actual_heap(tag) for tag in self.things}
        return {
            "things": dict(self.things),
            "heaps": [[*heap, list(tags)] for heap, tags in self._heaps.items()],
            "beside": [[tag, *heap] for tag, heap in self._beside.items()],
            "lie": [[tag, at.number] for tag, at in lying.items() if at.kind == PLACE],
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a saved state before any reader looks; `things` is changed in place for those
        that hold it."""
        self.things.clear()
        self.things.update(saved["things"])
        self._put_all_in_box()
        self._heaps = {Heap(kind, n): list(tags) for kind, n, tags in saved["heaps"]}
        self._beside = {tag: Heap(kind, n) for tag, kind, n in saved["beside"]}
        self.top.restore_tags(dict(saved["lie"]))
        self.top.stick_tags(self.things)


def spot_of(heap: Heap) -> Heap:
    """Return the spot of a heap's pieces: the figure stands among the cards of its bank."""
    return Heap(PLACE, heap.number) if heap.kind == FIGURE_AT else heap
