"""The screens of a game, as data and pure functions; the templates lie elsewhere.

Laws: a template of a game is drawn from what the function of its part returns, and from nothing
else of the view. A function here is given what one viewer may see, never the state of the game.
Every field has a default that suits any game. Readers are drawn where the game has their places,
seen from above; one that the game does not use is drawn small, at the edge.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from companion.core.i18n import N_
from companion.core.verdict import Verdict
from companion.games.open_table import Part, Sight, cards_of, numbers_of, show_own, values_of
from companion.games.picture import VerdictPicture

CENTRE = 200
"""The drawing is 400 units across, and the table is round."""
RING_RADIUS, ROW_GAP = 88, 43
"""Units from the centre to places in a ring, and between places in a row."""
SPARE_GAP, BOTTOM_EDGE = 30, 288
"""Units between readers that the game does not use, and how far down those are drawn."""

PlacePositions = Mapping[int, tuple[int, int]]


class ReaderPlan(msgspec.Struct, frozen=True):
    """Positions of a game's places in the drawing, and the depth of readers it does not use.

    Without positions all places lie in a ring.
    """

    positions: PlacePositions = {}
    spare_height: int = BOTTOM_EDGE


PLACES_IN_A_RING = ReaderPlan()


class ReaderSpot(msgspec.Struct, frozen=True):
    """A drawn reader: its place, its position, and whether the game uses it."""

    place: int
    x: int
    y: int
    played: bool = True


def ring_positions(places: int) -> dict[int, tuple[int, int]]:
    """Return positions round the table; the first is nearest, the others follow clockwise."""
    turns = [math.tau * n / places for n in range(places)]
    return {
        n: (
            round(CENTRE - RING_RADIUS * math.sin(turn)),
            round(CENTRE + RING_RADIUS * math.cos(turn)),
        )
        for n, turn in enumerate(turns, 1)
    }


def row_positions(places: Sequence[int], y: int, gap: int = ROW_GAP) -> dict[int, tuple[int, int]]:
    """Return positions side by side at this height, centred."""
    left = CENTRE - gap * (len(places) - 1) / 2
    return {place: (round(left + gap * n), y) for n, place in enumerate(places)}


def plan_readers(plan: ReaderPlan, places: Sequence[int]) -> tuple[ReaderSpot, ...]:
    """Return these places with their positions."""
    played = plan.positions or ring_positions(max(places, default=1))
    unused = [place for place in places if place not in played]
    every = {**played, **row_positions(unused, plan.spare_height, SPARE_GAP)}
    return tuple(ReaderSpot(place, *every[place], place in played) for place in places)


class GameBlock(NamedTuple):
    """A part of a page that only this game has: its template, and the facts it is drawn from. It is
    drawn again when they change."""

    template: str
    show: Part


class OpenTable(msgspec.Struct, frozen=True):
    """The board of an open table: the keys of its places, of the seats that have something
    open, and of its other items."""

    places: tuple[str, ...]
    seats: tuple[str, ...]
    others: tuple[str, ...]


def show_open_table(view: Sight) -> OpenTable:
    """Return the keys of the things on an open table."""
    keys = tuple(list_board_items(view))
    return OpenTable(
        tuple(key for key in keys if key.startswith("place-")),
        tuple(key for key in keys if key.startswith("seat-")),
        tuple(key for key in keys if not key.startswith(("place-", "seat-"))),
    )


class Numbers(msgspec.Struct, frozen=True):
    """The numbers beside the board."""

    numbers: Mapping[str, int]


def show_numbers(view: Sight) -> Numbers:
    """Return the numbers that an open table has beside its board."""
    return Numbers(numbers_of(view.public))


def list_board_items(view: Sight) -> dict[str, object]:
    """Return the items of an open table: each place with its cards, cards beside the places, values
    of a track, and each seat's open fields."""
    public = view.public
    return {
        **{f"place-{here.place}": (here.place, here.cards) for here in public.places},
        **{f"cards-{name}": (name, faces) for name, faces in cards_of(public).items()},
        **{f"value-{name}": (name, value) for name, value in values_of(public).items()},
        **{
            f"seat-{n}": (seat.name, seat)
            for n, seat in enumerate(public.seats, 1)
            if numbers_of(seat) or cards_of(seat)
        },
    }


BID_LABELS = {"sealed": N_("Seal my bid"), "sealed_again": N_("Undo my bid")}
"""Labels of the buttons of a game with bids as hands."""


class Screens(msgspec.Struct, frozen=True, kw_only=True):
    """Screens of a game.

    Its templates draw a part from the struct that a function here makes of the view, most often its
    own fields (`show_fields`): the `board` (which items it has), the `stock` beside it, what else
    is told `beside` it (the plate of a player, players without a seat, what follows a verdict), the
    `bid` that is asked for, and the simulated table (`play`). `board_items` are the items of the
    board by their keys, `blocks` parts that only this game has. See docs/new-game.md.

    `readers` is where readers are drawn, seen from above.

    The question to a seat is short in `short_phases`; by default wherever no hand is closed. By
    events: `prompts_with_pieces` are the sentences that tell what to do at the simulated table,
    and `button_labels` what a button says.
    `count_labels` say what a player counts of their own, where it is not called by its name.

    `picture` draws a verdict from its steps, for players by the names of their seats in order.
    Without one the sentences are told alone.

    `pictures` are names of pieces that are drawn by the picture of that name in the folder `static`
    of the game (“thief.svg”), where its `style.css` may lie too. `colours` are names that are drawn
    as round pieces with two letters, by which a colour is told without seeing its hue: the first
    ones of its name, or its `marks`. `welcome` are three pictures of the same folder that welcome a
    guest, by default the first of the pieces; its “box.svg” is on the button that chooses the box.
    """

    board: Part = show_open_table
    stock: Part = show_numbers
    beside: Part | None = None
    bid: Part = show_own
    play: Part = show_open_table
    board_items: Callable[[Sight], Mapping[str, object]] = list_board_items
    blocks: Mapping[str, GameBlock] = {}
    readers: ReaderPlan = PLACES_IN_A_RING
    short_phases: tuple[str, ...] | None = None
    prompts_with_pieces: Mapping[str, tuple[str, ...]] = {}
    button_labels: Mapping[str, str] = {}
    picture: Callable[[Verdict, Sequence[str]], VerdictPicture] | None = None
    pictures: tuple[str, ...] = ()
    welcome: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    marks: Mapping[str, str] = {}
    count_labels: Mapping[str, str] = {}
