"""A game's declaration of its pieces at a simulated table: heaps by name; the moves of each event;
how its pages see them; and the switches there.

Laws: a heap says whose eyes see the faces of what is meant to lie in it. A face that is `known` is
seen by the seats that laid the card, or were shown it; a `closed` one by nobody.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from companion.core.cards import FIGURE, TILE
from companion.tracking.game_tracking import FIRST_PLACE, PLACE_FIELDS, draws_card

Fields = Mapping[str, Any]
Lies = Mapping[int, Sequence[str | None]]
"""Cards at each place as the game has it; None for a card that was never named."""
Faces = Literal["open", "known", "own", "top", "closed"]
Kind = Literal["card", "tile", "figure"]


class Piece(msgspec.Struct, frozen=True):
    """A card, a tile or the figure, as one seat sees it."""

    what: Kind
    face: str | None
    """None: face down, to these eyes."""
    astray: bool = False
    """Whether it lies where people do not mean it to lie."""


class ShownSpot(msgspec.Struct, frozen=True):
    """A spot of the simulated table, as one seat sees it: "place-2", "hand", "front-1", "pile"."""

    name: str
    kind: str
    """The name without its number."""
    number: int
    """Of a place, or of the seat whose spot it is; else 0."""
    lies: tuple[Piece, ...]
    """Pieces lying there, the lowest first."""
    lifts: tuple[int, ...] = ()
    """Pieces of it that this seat may pick up, counted from 1."""
    welcome: bool = False
    """Whether the piece that this seat holds, or one that it may lift, is expected here now."""
    wanted: tuple[int, ...] = ()
    """Pieces of it that the game expects this seat to pick up now."""


class Heap(NamedTuple):
    """A place for pieces: a pile, the hand of seat 2, place 3."""

    kind: str
    number: int = 0


PLACE, FIGURE_AT, FINGERS = "place", "figure at", "fingers"
BOX, ASIDE = Heap("box"), Heap("aside")
"""Heaps of pieces that are not in the game, and beside the table, in no field."""
OWN = ("hand", "front", "loot")
"""The kinds of spot that belong to the seat of their number."""


def once(_pieces: Any) -> Iterable[int]:
    """Number the one heap of its kind."""
    return (0,)


def each_seat(pieces: Any) -> Iterable[int]:
    """Number a heap for every seat of the game."""
    return range(1, pieces.seats + 1)


class Spot(NamedTuple):
    """A kind of heap: its name on pages, the seats that see its faces, and how many there are.

    What it `holds` lies there alone where a piece that comes sends the others `off` to a heap.
    """

    kind: str
    shown: str
    faces: Faces
    numbers: Callable[[Any], Iterable[int]] = once
    holds: Kind = "card"
    off: Heap | None = None


class Move(NamedTuple):
    """The piece that an event moves, the heaps it may come from, and its goal.

    It is the `top` of the first of these heaps; the one that is `named` in the field `card`; the
    one in the `slot` of the goal, which is lifted and put back, or only looked at (`look`); or the
    `next` one of the goal that was not shown yet. `report` is the field that a player who looks at
    it enters.
    """

    pick: Literal["top", "named", "slot", "look", "next"]
    to: Callable[[Any, Fields], Heap]
    source: Callable[[Any, int], Iterable[Heap]] = lambda _pieces, _seat: ()
    report: str = ""


def at_place(field: str) -> Callable[[Any, Fields], Heap]:
    """Return a function that finds the place named in this field of an event."""

    def find(pieces: Any, fields: Fields) -> Heap:
        spots = (spot for spot in pieces.layout.spots if (spot.kind, spot.holds) == (PLACE, "card"))
        found = [n for spot in spots for n in spot.numbers(pieces) if n == fields.get(field)]
        if not found:
            raise LookupError(f"There is no {field} {fields.get(field)}.")
        return Heap(PLACE, found[0])

    return find


def from_heap(*heaps: Heap) -> Callable[[Any, int], Iterable[Heap]]:
    return lambda _pieces, _seat: heaps


def from_own(kind: str) -> Callable[[Any, int], Iterable[Heap]]:
    """Return the function that finds the heap of this kind of a seat."""
    return lambda _pieces, seat: (Heap(kind, seat),)


class Layout(NamedTuple):
    """The pieces of a game.

    `deal` lays them out from the fields of the start event. `clear` clears up by the rules, beyond
    the cards at the places, which follow by themselves; it is told what lay at each place until a
    round ended, where one has just ended. `moves` are by the name of the event, `looks`
    what can be seen for events that move nothing. `read` reads the name of a card as the game
    writes it.
    """

    spots: tuple[Spot, ...]
    deal: Callable[[Any, Fields], None]
    moves: Mapping[str, Move]
    clear: Callable[[Any, Lies, Lies, Any], None] = lambda *_: None
    looks: Mapping[str, Callable[[Any, int], Fields]] = {}
    read: Callable[[str], Any] = str

    @property
    def turning_events(self) -> tuple[str, ...]:
        """The events that turn a card over where it lies; one that asks which card it is shows it
        to all."""
        return tuple(do for do, move in self.moves.items() if move.pick in ("slot", "look", "next"))


def piece_kind(thing: str) -> Kind:
    return "figure" if thing == FIGURE else "tile" if thing.startswith(TILE) else "card"


# A game that says nothing of it: cards are drawn from a pile, and put aside in the end.

PILE, OUT = Heap("pile"), Heap("out")


def _deal(pieces: Any, _started: Fields) -> None:
    pieces.shuffle_into(pieces.tags(BOX), PILE)


def _places(pieces: Any) -> Iterable[int]:
    return pieces.memory.get("places") or [FIRST_PLACE]


def _named_place(_pieces: Any, fields: Fields) -> Heap:
    found = (fields.get(name) for name in PLACE_FIELDS)
    return Heap(PLACE, next((place for place in found if isinstance(place, int)), FIRST_PLACE))


def _clear(pieces: Any, _before: Lies, lies: Lies, _public: Any) -> None:
    """Put aside the cards that the game no longer has at their place."""
    pieces.memory["places"] = sorted({*_places(pieces), *lies})
    for place in pieces.memory["places"]:
        kept = Counter(lies.get(place, ()))
        for tag in pieces.tags(Heap(PLACE, place)):
            name = pieces.things[tag]
            if kept[name] or kept[None]:
                kept[name if kept[name] else None] -= 1
            else:
                pieces.shift([tag], OUT)


SPOTS = (
    Spot(PLACE, "place", "open", _places),
    Spot(PILE.kind, "pile", "closed"),
    Spot(OUT.kind, "discard", "open"),
)


def infer_layout(rows: Iterable[Any]) -> Layout:
    """Return the layout that follows from a phase table."""
    drawing = {row.event_name for row in rows if draws_card(row.event)}
    move = Move("top", _named_place, from_heap(PILE), "card")
    return Layout(SPOTS, _deal, dict.fromkeys(drawing, move), clear=_clear)


# What can be switched: the pace of the bots, and faults.

Pace = Literal["human", "fast", "still"]
"""Pace of bots; where they are still they wait."""
Fault = Literal["cable", "frames", "stack", "bounce", "plug"]


class Faults(msgspec.Struct, frozen=True):
    """The faults that are switched on: cables of readers by place, frames lost in percent, places
    whose uppermost card bears a second sticker, seats whose button chatters."""

    cable: tuple[int, ...] = ()
    frames: int = 0
    stack: tuple[int, ...] = ()
    bounce: tuple[int, ...] = ()
