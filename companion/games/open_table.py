"""The default view of a game: what its state and its players show openly, by the names of fields.

Law: nothing is shown that the rule book does not name in `open_fields` and `table_fields`; of cards
that lie face down only the number. A seat sees its own fields besides, and what its hand may hold.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.hand_choice import HandChoice
from companion.core.i18n import N_, Message
from companion.core.verdict import Score, Verdict
from companion.games.common_view import Public, Seat, public_fields, seat_fields
from companion.games.game_state import GameState

ExpectedCards = Mapping[int, Sequence[str | None]]


Labelled = Collection[str] | Mapping[str, str]
"""Names of fields, or these with what each is called."""


LABELS = {"coins": N_("coins"), "pile": N_("pile")}
"""What fields are called in many games."""


def list_labels(rules: Any) -> dict[str, str]:
    """Return what the open fields of a rule book are called, by their names."""
    found = dict(LABELS)
    for fields in (rules.open_fields, rules.table_fields):
        if isinstance(fields, Mapping):
            found |= fields
    return found


class OpenPlace(msgspec.Struct, frozen=True):
    """A place, and its cards in the order in which they came; None for one that lies face down."""

    place: int
    cards: tuple[str | None, ...]


class OpenSeat(Seat, frozen=True):
    """A player as the others see them: numbers and cards that lie open, by what they are."""

    holdings: dict[str, int]
    cards: dict[str, tuple[str, ...]]


class OpenTable(Public, frozen=True):
    """The table as everyone sees it.

    `numbers` and `cards` lie open beside the places, `values` are those of a track if there is one.
    """

    seats: tuple[OpenSeat, ...]
    places: tuple[OpenPlace, ...]
    numbers: dict[str, int]
    cards: dict[str, tuple[str, ...]]
    values: dict[str, int]
    verdict: Verdict | None
    score: Score | None


class OwnSeat(msgspec.Struct, frozen=True):
    """What only this seat sees besides: all that it has, and what its hand may hold now."""

    holdings: dict[str, int]
    cards: dict[str, tuple[str, ...]]
    choice: HandChoice | None = None


def build_open_table(
    state: GameState,
    now: Message,
    waiting: tuple[int, ...],
    places: tuple[OpenPlace, ...],
    fields: tuple[Labelled, Labelled],
) -> OpenTable:
    """Return the table, with these fields of every player and these of the state."""
    open_fields, table_fields = fields
    seats = tuple(
        OpenSeat(*seat, numbers_of(player, open_fields), cards_of(player, open_fields))
        for seat, player in zip(seat_fields(state), state.players, strict=True)
    )
    return OpenTable(
        *public_fields(state, now, waiting),
        seats,
        places,
        numbers_of(state, table_fields),
        cards_of(state, table_fields),
        getattr(state, "values", {}) if "values" in table_fields else {},
        state.verdict,
        state.score,
    )


def hide_cards(lying: ExpectedCards, face_down: Sequence[tuple[int, int]]) -> tuple[OpenPlace, ...]:
    """Return the places with what lies there, without the faces of cards that lie face down."""
    hidden = set(face_down)
    return tuple(
        OpenPlace(
            place,
            tuple(None if (place, n) in hidden else card for n, card in enumerate(cards, 1)),
        )
        for place, cards in lying.items()
    )


def numbers_of(holder: object, fields: Collection[str]) -> dict[str, int]:
    """Return those of these fields that hold a number."""
    found = {name: getattr(holder, name) for name in fields}
    return {name: value for name, value in found.items() if type(value) is int}


def cards_of(holder: object, fields: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return those of these fields that hold cards."""
    found = {name: getattr(holder, name) for name in fields}
    return {name: value for name, value in found.items() if isinstance(value, tuple)}
