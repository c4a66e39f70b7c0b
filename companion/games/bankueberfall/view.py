"""The public and the private view of a game of Banküberfall.

Law: built up from nothing. A face-down card, a hand behind a screen and an unopened bid have no
field here at all; there is nothing to cut out, and nothing to forget to cut out.
"""

from typing import Any

import msgspec

from companion.core.i18n import Message
from companion.core.verdict import Score
from companion.games import common_view
from companion.games.bankueberfall.robbery import Robbery
from companion.games.bankueberfall.state import BankCard, BankueberfallState
from companion.games.bankueberfall.sweep_phase import shown_faces
from companion.games.screens import Sight

UNNAMED = "?"
"""A card that lies face up on the table, and has no name yet."""


class BankueberfallSeat(common_view.Seat, frozen=True):
    """A player as the others see them: the bank they sit behind, cards in hand, red credits."""

    bank: int
    hand: int
    credits: int


class BankueberfallPublic(common_view.Public, frozen=True):
    """The table as everyone sees it; a face-down card is None.

    `reserve` is what the reserve has, less than 0 once it owes, and None where the box does not say
    what its coins are worth.
    """

    seats: tuple[BankueberfallSeat, ...]
    banks: tuple[tuple[str | None, ...], ...]
    figure: int
    pile: int
    reserve: int | None
    tiles: dict[str, int]
    verdict: Robbery | None
    score: Score | None
    sweep: common_view.SweepProgress | None = None


class BankueberfallMine(msgspec.Struct, frozen=True):
    """What one player sees besides: their own coins, and the cards they laid or looked at."""

    coins: int
    cards: tuple[dict[str, Any], ...]


def build_public_view(
    state: BankueberfallState, now: Message, waiting: tuple[int, ...]
) -> BankueberfallPublic:
    """Return the table as everyone sees it."""
    return BankueberfallPublic(
        *common_view.public_fields(state, now, waiting),
        tuple(
            BankueberfallSeat(*seat, bank, player.hand, player.credits)
            for seat, bank, player in zip(
                common_view.seat_fields(state), state.front, state.players, strict=True
            )
        ),
        tuple(_bank_faces(state, number) for number in range(1, len(state.banks) + 1)),
        state.figure,
        state.pile,
        _count_reserve(state),
        state.tiles,
        state.verdict,
        state.score,
        common_view.sweep_progress(state.sweep if state.phase == "turn_up" else None),
    )


def _count_reserve(state: BankueberfallState) -> int | None:
    total = state.box.coins_worth
    return None if total is None else total + state.reserve


def _bank_faces(state: BankueberfallState, bank: int) -> tuple[str | None, ...]:
    """Return the cards at a bank as everyone sees them."""
    if state.phase == "turn_up" and state.sweep is not None and bank == state.figure:
        return shown_faces(state)
    return tuple(_face_up_name(card) if card.up else None for card in state.banks[bank - 1])


def _face_up_name(card: BankCard) -> str:
    return card.card or UNNAMED


def build_private_view(state: BankueberfallState, seat: int) -> BankueberfallMine:
    """Return what this seat sees besides."""
    cards = tuple(
        {"bank": bank, "slot": slot, "card": card.card}
        for bank, lying in enumerate(state.banks, 1)
        for slot, card in enumerate(lying, 1)
        if seat in card.known_to and card.card is not None
    )
    return BankueberfallMine(state.players[seat - 1].coins, cards)


# What boards show of it.


def show_banks(view: Sight) -> dict[str, object]:
    """Return how many banks there are, where players sit, and the robbed cards."""
    public = view.public
    return {
        "bank_count": len(public.banks),
        "banks_of_seats": tuple(seat.bank for seat in public.seats),
        "lot": tuple(known_cards(view, public.figure)) if public.figure else (),
    }


def list_banks(view: Sight) -> dict[str, object]:
    """Return for each bank its cards as the viewer knows them, its owners, and whether the robber
    stands there."""
    seats, figure = view.public.seats, view.public.figure
    return {
        str(bank): (
            tuple(known_cards(view, bank)),
            tuple(seat.name for seat in seats if seat.bank == bank),
            figure == bank,
        )
        for bank in range(1, len(view.public.banks) + 1)
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


def count_banks(public: Any) -> int:
    """Return the number of the banks."""
    return len(public.banks)
