"""What the pages show of a game, as data and pure functions; what draws it lies elsewhere.

Laws: a fact that a part does not name reaches none of its templates. A function here is given what
one viewer may see, never the state of the game. Every field has a default that suits any game whose
public view is an open table (`companion.games.open_table`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from companion.core.i18n import Message
from companion.games.reader_plan import PLACES_IN_A_RING, ReaderPlan
from companion.games.rulebook import Choice

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


def show_places_and_values(view: Sight) -> dict[str, object]:
    """Return the keys of the places and of the values that the board of an open table has."""
    keys = list_board_items(view)
    return {kind: tuple(key for key in keys if key.startswith(kind)) for kind in ("place", "value")}


def list_board_items(view: Sight) -> dict[str, object]:
    """Return each place with its cards, and each value, of an open table."""
    places: Sequence[Any] = getattr(view.public, "places", ())
    values: Mapping[str, int] = getattr(view.public, "values", {})
    return {
        **{f"place-{here.place}": (here.place, here.cards) for here in places},
        **{f"value-{name}": (name, value) for name, value in values.items()},
    }


def count_open_places(public: Any) -> int:
    """Return the number of places of an open table; at least one."""
    return max((here.place for here in getattr(public, "places", ())), default=1)


def find_face_down(public: Any) -> tuple[tuple[int, int], ...]:
    """Return place and number of each card that lies face down on an open table."""
    return tuple(
        (here.place, n)
        for here in getattr(public, "places", ())
        for n, face in enumerate(here.cards, 1)
        if face is None
    )


DEFAULT_USES: Mapping[str, Uses] = {
    "frame": ("shown.place", "shown.value"),
    "board_item": (),
    "stock": ("view.public.stock",),
    "player": (),
    "verdict": ("view.public.seats",),
    "bids": ("view.mine", "view.public.id"),
    "private": ("view.mine", "view.public.id"),
    "more_players": (),
    "play": ("shown.place", "shown.value", "spot_names"),
}
"""What the templates draw from that stand in for those of a game, by what they draw."""


class Screens(msgspec.Struct, frozen=True, kw_only=True):
    """What pages show of a game.

    `uses` are the facts from which its templates draw a part, `show` works out those that begin
    with “shown.”, `board_items` the fact of each item of the board, by its key; `blocks` are parts
    of pages that only this game has. See docs/game-screens.md.

    `count_places` counts the places where cards lie, `name_place` says what one is called on the
    simulated table (by default as in the log), `face_down` which cards lie there face down.
    `unseated` are players without a chair. `readers` is where readers are drawn, seen from above.

    The question to a seat is short in `short_phases`. By events: `prompts_with_pieces` are the
    sentences that tell what to do at the simulated table, `button_labels` what a button says;
    `true_to_hand` have choices of which only those are shown that are true of the closed hand, and
    `rarely_tapped` are offered to be tapped only on demand. `label_choice` words a choice; where it
    returns None, and without it, the fields do.

    `pictures` are names of pieces that are drawn by a picture, `signs` those drawn by a sign, and
    `marks` are the letters by which a colour is told without seeing its hue.
    """

    uses: Mapping[str, Uses] = {}
    show: Callable[[Sight], Mapping[str, object]] = show_places_and_values
    board_items: Callable[[Sight], Mapping[str, object]] = list_board_items
    blocks: Mapping[str, GameBlock] = {}
    count_places: Callable[[Any], int] = count_open_places
    name_place: Callable[[Any, int], Message] | None = None
    face_down: Callable[[Any], Sequence[tuple[int, int]]] = find_face_down
    unseated: Callable[[Any], tuple[str, ...]] | None = None
    readers: ReaderPlan = PLACES_IN_A_RING
    short_phases: tuple[str, ...] = ()
    prompts_with_pieces: Mapping[str, tuple[str, ...]] = {}
    button_labels: Mapping[str, str] = {}
    true_to_hand: tuple[str, ...] = ()
    rarely_tapped: tuple[str, ...] = ()
    label_choice: Callable[[Choice], Message | None] | None = None
    pictures: tuple[str, ...] = ()
    signs: Mapping[str, str] = {}
    marks: Mapping[str, str] = {}
