"""Heaps of pieces: their meaning, the moves of free hands, right or wrong, and each seat's sight of
them.

Laws:
1. Every piece is in exactly one heap, whose last piece is its top. A heap says where a piece is
   meant to be; free moves change only where it actually is. A held piece stays in its own heap.
2. When the meaning changes, a piece is where it is meant to be: it leaves any fingers.
3. Eyes are denied by default. A face is seen where it lies open for all, or by a seat that holds
   the card in hand, laid it, or was shown it. Of a pile, and of another seat's hand, only backs are
   seen.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from companion.core.cards import TILE
from companion.games.layout import (
    ASIDE,
    BOX,
    FIGURE_AT,
    FINGERS,
    OWN,
    PLACE,
    Heap,
    Layout,
    Piece,
    ShownSpot,
    Spot,
    piece_kind,
)
from hardware.simulator.hands_on_table import SimulatedTabletop

ON_TABLE = (PLACE, FIGURE_AT)
"""The kinds of heap that lie in the fields, at the place of their number."""
OPEN_TO_ALL = (PLACE, "figure", ASIDE.kind)
"""The kinds of spot, as shown, where anybody may pick up anything."""
PILES = ("pile", "tiles")
"""The kinds of spot where one takes the top."""


class WantedPiece(NamedTuple):
    """A piece that the game expects a seat to move to a place; if `is_asked`, it wants to be told
    which piece that is."""

    tag: str
    place: int
    is_asked: bool


class SeenSpot(NamedTuple):
    """A spot as a seat sees it, and the tags there."""

    heap: Heap
    tags: tuple[str, ...]
    shown: ShownSpot


class Heaps:
    """The tagged pieces of a box, each in its heap, and those that are actually elsewhere."""

    def __init__(self, layout: Layout, things: dict[str, str], top: SimulatedTabletop) -> None:
        self.layout, self.things, self.top = layout, things, top
        """Thing that each tag is stuck to, and the table."""
        self.memory: dict[str, Any] = {"round": 1, "heard": []}
        """Other contents of the table, and people's memory of it."""
        self.busy = threading.RLock()
        """Held while pieces move on the loop, and while another thread shows them."""
        self._put_all_in_box()

    def _put_all_in_box(self) -> None:
        self._heaps: dict[Heap, list[str]] = {BOX: list(self.things)}
        self._beside: dict[str, Heap] = {}
        """Pieces put down wrongly beside the places, and in fingers."""

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

    def top_piece(self, heap: Heap) -> str:
        """Return the top of a pile; one that was taken away only if nothing else is left."""
        return self.prefer_piece(self.tags(heap))

    def prefer_piece(self, tags: Sequence[str], goal: Heap | None = None) -> str:
        """Return the last of these pieces that lies at this goal, else in its right place, else the
        last of all; raise LookupError if there is none."""
        if not tags:
            raise LookupError("There is no such piece.")
        return max(
            reversed(tags), key=lambda tag: (self.actual_heap(tag) == goal, self._is_present(tag))
        )

    def _is_present(self, tag: str) -> bool:
        return self.actual_heap(tag) == spot_of(self.home_heap(tag))

    def shift(self, tags: Iterable[str], to: Heap, under: bool = False) -> None:
        """Mean pieces to be in another heap, on top or at its bottom; move those that are not there
        yet, waiting for the readers on the table."""
        tags = list(tags)
        away = [tag for tag in tags if self.actual_heap(tag) != spot_of(to)]
        for heap in self._heaps.values():
            heap[:] = [tag for tag in heap if tag not in tags]
        target = self._heaps.setdefault(to, [])
        target[:] = [*tags, *target] if under else [*target, *tags]
        for tag in tags:
            self._beside.pop(tag, None)
        if to.kind in ON_TABLE:
            for tag in away:
                self.top.lay_tag(tag, to.number)
        else:
            self.top.lift_tags(*away)

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
        """Put the held piece of a seat down at a spot; at its own fingers, where it belongs."""
        tag = self.fingers[seat]
        self.lay_piece(tag, spot_of(self.home_heap(tag)) if spot.kind == FINGERS else spot)

    def lay_piece(self, tag: str, spot: Heap) -> None:
        """Lay a piece at a spot, right or wrong; where pieces of its kind lie alone, another one
        makes room."""
        self._beside.pop(tag, None)
        if spot.kind == PLACE:
            declared, kind = self.find_spot(spot), piece_kind(self.things[tag])
            if declared.off is not None and kind == declared.holds:
                for old in self.top.tags_at(spot.number):
                    if old != tag and piece_kind(self.things[old]) == kind:
                        self.top.lift_tags(old)
                        self._beside[old] = declared.off
            self.top.lay_tag(tag, spot.number)
        else:
            self.top.lift_tags(tag)
            if spot != spot_of(self.home_heap(tag)):
                self._beside[tag] = spot

    def put_right(self) -> None:
        """Put every piece back where it belongs."""
        for tag in self.misplaced_tags():
            self.lay_piece(tag, spot_of(self.home_heap(tag)))

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

    def misplaced_tags(self) -> list[str]:
        """Return the tags that lie where they are not meant to."""
        return [tag for tag in self.things if self.is_astray(tag)]

    # What eyes see.

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

    def visible_face(self, seat: int, tag: str, at: Heap) -> str | None:
        """Return the face of a piece as this seat sees it there; None for its back."""
        thing, home, known = self.things[tag], self.home_heap(tag), self.memory.get("known", {})
        face = thing.removeprefix(TILE)
        lies = self.find_spot(at)  # Who sees the places sees what is kept aside as well.
        meant = self.layout.spots[0].faces if home == ASIDE else self.find_spot(home).faces
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

    def visible_spots(self, seat: int, wanted: Sequence[WantedPiece] = ()) -> list[SeenSpot]:
        """Return all spots that this seat sees: the table, its hands, the heaps beside."""
        truly, held = self.pieces_by_spot(), self.fingers.get(seat)
        goals = {Heap(PLACE, one.place) for one in wanted if held in (None, one.tag)}
        if held is not None and not goals:
            goals = {spot_of(self.home_heap(held))}
        found = list[SeenSpot]()
        for heap in (*self.list_spots(), Heap(FINGERS, seat), ASIDE):
            tags, kind = tuple(truly.get(heap, ())), self.find_spot(heap).shown or heap.kind
            is_own_hand = kind == "hand" and heap.number == seat
            has_number = kind != FINGERS and not is_own_hand and (heap.number or kind in OWN)
            name = f"{kind}-{heap.number}" if has_number else kind
            lies = tuple(self._visible_piece(seat, tag, heap) for tag in tags)
            lifts = _liftable(seat, kind, heap.number, lies)
            glow = tuple(n for n in lifts if any(one.tag == tags[n - 1] for one in wanted))
            shown = ShownSpot(name, kind, heap.number, lies, lifts, heap in goals, glow)
            found.append(SeenSpot(heap, tags, shown))
        return found

    def _visible_piece(self, seat: int, tag: str, at: Heap) -> Piece:
        face = self.visible_face(seat, tag, at)
        return Piece(piece_kind(self.things[tag]), face, self.is_astray(tag))

    # What outlives the program.

    def save(self) -> dict[str, Any]:
        """Return the state of all pieces for `restore`, as JSON can hold it."""
        lying = {tag: self.actual_heap(tag) for tag in self.things}
        return {
            "things": dict(self.things),
            "heaps": [[*heap, list(tags)] for heap, tags in self._heaps.items()],
            "beside": [[tag, *heap] for tag, heap in self._beside.items()],
            "lie": [[tag, at.number] for tag, at in lying.items() if at.kind == PLACE],
            "memory": deepcopy(self.memory),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a saved state before any reader looks; `things` is changed in place for those
        that hold it."""
        self.things.clear()
        self.things.update(saved["things"])
        self._put_all_in_box()
        self._heaps = {Heap(kind, n): list(tags) for kind, n, tags in saved["heaps"]}
        self._beside = {tag: Heap(kind, n) for tag, kind, n in saved["beside"]}
        self.memory = deepcopy(saved["memory"])
        self.top.restore_tags(dict(saved["lie"]))
        self.top.stick_tags(self.things)


def spot_of(heap: Heap) -> Heap:
    """Return the spot of a heap's pieces: the figure stands among the cards of its bank."""
    return Heap(PLACE, heap.number) if heap.kind == FIGURE_AT else heap


STRANGE = Spot("", "", "known")
"""Undeclared heaps: the box, fingers, beside the table."""


def _liftable(seat: int, kind: str, number: int, lies: Sequence[Piece]) -> tuple[int, ...]:
    """Return the pieces of a spot that a seat may pick up, counted from 1."""
    own, is_others = kind in OWN and number == seat, kind in OWN and number != seat
    free = kind in OPEN_TO_ALL or (own and kind != "loot")
    tops = {len(lies)} if kind in PILES else set[int]()
    lifts = (n for n, piece in enumerate(lies, 1) if free or n in tops or piece.astray)
    return () if kind == FINGERS or is_others else tuple(lifts)
