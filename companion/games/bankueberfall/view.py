"""What everyone, and what one seat, sees of Banküberfall besides the plain fields of its state.

Law: a face-down card, a hand behind a screen and an unopened bid are nowhere in it.
"""

from typing import Any

import msgspec

from companion.games.bankueberfall.robbery_phase import shown_faces
from companion.games.bankueberfall.state import BankueberfallState
from companion.games.open_table import OpenPlace, Sight, sweep_progress

UNNAMED = "?"
"""A card that lies face up on the table, and has no name yet."""


def show_places(state: BankueberfallState) -> tuple[OpenPlace, ...]:
    """Return the cards at each bank as they lie; a face-down one is None."""
    return tuple(
        OpenPlace(number, tuple(card.card or UNNAMED if card.up else None for card in bank))
        for number, bank in enumerate(state.banks, 1)
    )


def show_banks(state: BankueberfallState) -> tuple[tuple[str | None, ...], ...]:
    """Return the cards at each bank, with those that were shown in a sweep."""
    faces = [here.cards for here in show_places(state)]
    if state.sweeping and state.sweep is not None:
        faces[state.figure - 1] = shown_faces(state)
    return tuple(faces)


def count_reserve(state: BankueberfallState) -> int | None:
    """Return the reserve's coins, less than 0 once it owes; None where the box does not say their
    values."""
    total = state.box.coins_worth
    return None if total is None else total + state.reserve


def show_cards(state: BankueberfallState, seat: int) -> tuple[dict[str, Any], ...]:
    """Return the cards that this seat laid or looked at."""
    return tuple(
        {"bank": bank, "slot": slot, "card": card.card}
        for bank, lying in enumerate(state.banks, 1)
        for slot, card in enumerate(lying, 1)
        if seat in card.known_to and card.card is not None
    )


OPEN_FIELDS = ("hand", "credits")
TABLE_FIELDS = (
    ("places", show_places), ("banks", show_banks), "front", "figure", "pile",
    ("reserve", count_reserve), "tiles", ("sweep", sweep_progress),
)  # fmt: skip
OWN_FIELDS = ("coins", ("cards", show_cards))


# What boards show of it.


class BidShown(msgspec.Struct, frozen=True):
    """What a seat bids from, and for which cards."""

    mine: Any
    lot: tuple[tuple[str | None, bool], ...]


def show_bid(view: Sight) -> BidShown:
    """Return the facts of a bid."""
    figure = view.public.figure
    return BidShown(view.mine, tuple(known_cards(view, figure)) if figure else ())


def list_banks(view: Sight) -> dict[str, object]:
    """Return for each bank its cards as the viewer knows them, its owners, and whether the robber
    stands there."""
    public = view.public
    sitting = list(zip(public.front, public.seats, strict=True))
    return {
        str(bank): (
            tuple(known_cards(view, bank)),
            tuple(seat.name for at, seat in sitting if at == bank),
            public.figure == bank,
        )
        for bank in range(1, len(public.banks) + 1)
    }


def known_cards(view: Sight, bank: int) -> list[tuple[str | None, bool]]:
    """Return the cards at a bank as this viewer knows them: each face, and whether it lies face
    down."""
    cards = () if view.mine is None else view.mine.cards
    own = {one["slot"]: one["card"] for one in cards if one["bank"] == bank}
    faces = view.public.banks[bank - 1]
    return [
        (own[slot], True) if face is None and slot in own else (face, False)
        for slot, face in enumerate(faces, 1)
    ]
