"""What the pages show of a game, as data and pure functions; what draws it lies elsewhere.

Laws: a fact that a part does not name reaches none of its templates. A function here is given what
one viewer may see, never the state of the game. Every field has a default that suits any game.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from companion.core.i18n import Message
from companion.core.verdict import Verdict
from companion.games.open_table import cards_of, numbers_of, values_of
from companion.games.picture import VerdictPicture
from companion.games.reader_plan import PLACES_IN_A_RING, ReaderPlan

Uses = tuple[str, ...]
"""Names of facts: of a view (“view.public.pile”), or of what `show` works out (“shown.piles”)."""


class Sight(Protocol):
    """What one viewer sees: what everyone sees, and what only this seat sees, or None."""

    @property
    def public(self) -> Any: ...

    @property
    def mine(self) -> Any: ...


class GameBlock(msgspec.Struct, frozen=True):
    """A part of a page that is drawn anew when its facts change: a template of the game."""

    template: str
    uses: Uses


def show_open_table(view: Sight) -> dict[str, object]:
    """Return the board of an open table: the keys of its places, of the seats that have something
    open, and of its other items, and the numbers beside it."""
    keys = tuple(list_board_items(view))
    return {
        "places": tuple(key for key in keys if key.startswith("place-")),
        "seats": tuple(key for key in keys if key.startswith("seat-")),
        "others": tuple(key for key in keys if not key.startswith(("place-", "seat-"))),
        "numbers": numbers_of(view.public),
    }


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


DEFAULT_USES: Mapping[str, Uses] = {
    "frame": ("shown.places", "shown.others", "shown.seats"),
    "board_item": (),
    "stock": ("shown.numbers",),
    "player": (),
    "verdict": (),
    "bids": ("view.mine",),
    "private": ("view.mine",),
    "more_players": (),
    "play": ("shown.others", "shown.seats", "spot_names"),
}
"""What the templates draw from that stand in for those of a game, by what they draw."""


class Screens(msgspec.Struct, frozen=True, kw_only=True):
    """What pages show of a game.

    `uses` are the facts from which its templates draw a part, `show` works out those that begin
    with “shown.”, `board_items` the fact of each item of the board, by its key; `blocks` are parts
    of pages that only this game has. See docs/new-game.md.

    `name_place` says what a place is called on the simulated table, by default as in the log.
    `readers` is where readers are drawn, seen from above.

    The question to a seat is short in `short_phases`; by default wherever no hand is closed. By
    events: `prompts_with_pieces` are the sentences that tell what to do at the simulated table,
    `button_labels` what a button says; `rarely_tapped` are offered to be tapped only on demand.
    `count_labels` say what a player counts of their own, where it is not called by its name.

    `picture` draws a verdict from its steps, for players by the names of their seats in order.
    Without one the sentences are told alone.

    `pictures` are names of pieces that are drawn by the picture of that name in the folder `static`
    of the game (“thief.svg”), where its `style.css` may lie too, and `marks` are the letters by
    which a colour is told without seeing its hue. `welcome` are three pictures of the same folder
    that welcome a guest, by default the first of the pieces; its “box.svg” is on the button that
    chooses the box.
    """

    uses: Mapping[str, Uses] = {}
    show: Callable[[Sight], Mapping[str, object]] = show_open_table
    board_items: Callable[[Sight], Mapping[str, object]] = list_board_items
    blocks: Mapping[str, GameBlock] = {}
    name_place: Callable[[Any, int], Message] | None = None
    readers: ReaderPlan = PLACES_IN_A_RING
    short_phases: tuple[str, ...] | None = None
    prompts_with_pieces: Mapping[str, tuple[str, ...]] = {}
    button_labels: Mapping[str, str] = {}
    rarely_tapped: tuple[str, ...] = ()
    picture: Callable[[Verdict, Sequence[str]], VerdictPicture] | None = None
    pictures: tuple[str, ...] = ()
    welcome: tuple[str, ...] = ()
    marks: Mapping[str, str] = {}
    count_labels: Mapping[str, str] = {}
