"""Free moves at a simulated table: lift any piece and put it down anywhere, right or wrong.

Laws:
1. A heap says where a piece is meant to be; free moves change only where it actually is. A held
   piece stays in its own heap, and lies in no field.
2. A move waits for nothing. What is put back where a reader still takes it to lie, or would take
   it for the tap before, is kept up until it can come again: a hand is never quicker than a reader.
3. When the meaning changes, a piece is where it is meant to be: it leaves any fingers.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.pieces.piles import FIGURE_AT, ON_TABLE, PLACE, Heap, Heaps
from companion.pieces.tabletop import Tabletop

ASIDE = Heap("aside")
"""Beside the table, in no field."""
FINGERS = "fingers"
PATIENCE = 3.0
"""Seconds of the table's time after which a hand goes on, seen or not."""


class PendingReturn(NamedTuple):
    """A piece to put back once its reader can take it to come, or at a moment at the latest."""

    place: int
    until: float


class MovablePieces(Heaps):
    """The pieces of a box, each in its heap, and those that are actually elsewhere."""

    def __init__(self, things: dict[str, str], top: Tabletop) -> None:
        self._top = top
        self._busy = threading.RLock()
        super().__init__(things)

    def _put_all_in_box(self) -> None:
        super()._put_all_in_box()
        self._fingers: dict[int, str] = {}
        self._beside: dict[str, Heap] = {}
        self._returning: dict[str, PendingReturn] = {}

    # What free hands do.

    def lift_piece(self, seat: int, tag: str) -> None:
        """Take a piece into the empty fingers of a seat."""
        with self._busy:
            self._release_pieces([tag])
            self._top.take_tags(tag)
            self._fingers[seat] = tag

    def put_down(self, seat: int, spot: Heap) -> None:
        """Put the held piece of a seat down at a spot, right or wrong."""
        with self._busy:
            tag = self._fingers.pop(seat)
            if spot.kind == PLACE:
                self._make_room(tag, spot.number)
                self._lay_at(tag, spot.number)
            elif spot != spot_of(self.home_heap(tag)):
                self._beside[tag] = spot

    def _make_room(self, tag: str, place: int) -> None:
        """Take off a place what a hand would not lay this piece on; by default nothing."""

    def put_back(self, seat: int) -> None:
        """Put the held piece of a seat back where it belongs, if there is one."""
        with self._busy:
            if seat in self._fingers:
                self.put_down(seat, spot_of(self.home_heap(self._fingers[seat])))

    def turn_over(self, tag: str) -> None:
        """Lift what lies at a place, turn it, and put it back there."""
        with self._busy:
            place = self.actual_heap(tag).number
            self._release_pieces([tag])
            self._top.take_tags(tag)
            self._lay_at(tag, place)

    def finish_returns(self) -> None:
        """Put back every piece that its reader can take to come; to be called over and over."""
        with self._busy:
            for tag, (place, until) in list(self._returning.items()):
                if self._top.now >= until or self._top.can_come_again(tag, place):
                    del self._returning[tag]
                    self._top.put_tag(tag, place)

    def _lay_at(self, tag: str, place: int) -> None:
        if self._top.can_come_again(tag, place):
            self._top.put_tag(tag, place)
        else:
            self._returning[tag] = PendingReturn(place, self._top.now + PATIENCE)

    # Where things are.

    def home_heap(self, tag: str) -> Heap:
        """Return the heap that a piece is meant to be in."""
        with self._busy:
            return next(heap for heap, tags in self._heaps.items() if tag in tags)

    def actual_heap(self, tag: str) -> Heap:
        """Return the spot where a piece actually is."""
        for seat, held in self._fingers.items():
            if held == tag:
                return Heap(FINGERS, seat)
        if tag in self._returning:
            return Heap(PLACE, self._returning[tag].place)
        place = self._top.place_of(tag)
        if place is not None:
            return Heap(PLACE, place)
        home = self.home_heap(tag)
        return self._beside.get(tag, ASIDE if home.kind in ON_TABLE else home)

    def is_astray(self, tag: str) -> bool:
        """Return whether a piece lies where it is not meant to; a held one does not lie."""
        at = self.actual_heap(tag)
        return at.kind != FINGERS and at != spot_of(self.home_heap(tag))

    def held_piece(self, seat: int) -> str | None:
        """Return the piece in the fingers of a seat."""
        return self._fingers.get(seat)

    def seats_holding(self) -> Sequence[int]:
        """Return the seats whose fingers hold something."""
        return list(self._fingers)

    def pieces_by_spot(self) -> Mapping[Heap, Sequence[str]]:
        """Return the pieces at each spot: first those that belong there, in order, then strays."""
        with self._busy:
            found: dict[Heap, list[str]] = {}
            strays: list[tuple[Heap, str]] = []
            for heap, tags in self._heaps.items():
                for tag in tags:
                    at = self.actual_heap(tag)
                    if at == spot_of(heap):
                        found.setdefault(at, []).append(tag)
                    else:
                        strays.append((at, tag))
            for at, tag in strays:
                found.setdefault(at, []).append(tag)
            return found

    # The meaning changes.

    def _release_pieces(self, tags: Iterable[str]) -> None:
        """Take these pieces out of all fingers and from beside the table."""
        gone = set(tags)
        self._fingers = {seat: tag for seat, tag in self._fingers.items() if tag not in gone}
        for tag in gone:
            self._beside.pop(tag, None)
            self._returning.pop(tag, None)

    def _move_piece(self, tag: str, to: Heap) -> None:
        """Move a piece to another heap, in meaning and in fact, without waiting."""
        if self.actual_heap(tag) == spot_of(to):
            self._beside.pop(tag, None)
            self._put_in_heap([tag], to)
            return
        self._release_pieces([tag])
        self._put_in_heap([tag], to)
        if to.kind in ON_TABLE:
            self._top.put_tag(tag, to.number)
        else:
            self._top.take_tags(tag)

    def _find_piece(self, heap: Heap, thing: str) -> str:
        """Return the first piece of this name in a heap, preferring one that is actually there."""
        tags = [tag for tag in self._heaps.get(heap, ()) if self.things[tag] == thing]
        return self._prefer_present(tags, heap) or super()._find_piece(heap, thing)

    def _top_piece(self, heap: Heap) -> str:
        """Return the top of a pile; a piece that was taken away only if nothing else is left."""
        return self._prefer_present(self._heaps.get(heap, ())[::-1], heap) or super()._top_piece(
            heap
        )

    def _prefer_present(self, tags: Sequence[str], heap: Heap) -> str:
        return next((tag for tag in tags if self.actual_heap(tag) == spot_of(heap)), "")

    # What outlives the program.

    def _to_json(self) -> dict[str, object]:
        return {
            **super()._to_json(),
            "fingers": [[seat, tag] for seat, tag in self._fingers.items()],
            "beside": [[tag, *heap] for tag, heap in self._beside.items()],
            "lie": [
                [tag, at.number]
                for tag in self.things
                if (at := self.actual_heap(tag)).kind == PLACE
            ],
        }

    def _from_json(self, written: Mapping[str, Any]) -> None:
        super()._from_json(written)
        self._returning = {}
        self._fingers = dict(written.get("fingers", ()))
        self._beside = {tag: Heap(kind, n) for tag, kind, n in written.get("beside", ())}
        self._top.clear_table()
        for tag, place in written["lie"]:
            self._top.restore_tag(tag, place)


def spot_of(heap: Heap) -> Heap:
    """Return where the pieces of a heap lie: the figure stands among the cards of its bank."""
    return Heap(PLACE, heap.number) if heap.kind == FIGURE_AT else heap
