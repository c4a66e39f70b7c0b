"""Looking at cards in Banküberfall: Spy, Reveal, and cards that become known (B.spy, B.reveal)."""

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Passed
from companion.core.i18n import N_
from companion.games.bankueberfall.box import TILES
from companion.games.bankueberfall.state import (
    BankCard,
    BankueberfallState,
    CardNamed,
    CardRevealed,
    CardSpied,
)
from companion.games.bankueberfall.turns import (
    face_down,
    next_turn,
    no_such_card,
    possible_cards,
    refuse_bank,
    replace_card,
)
from companion.games.rulebook import Choices, Row, offer_as_it_is

replace = msgspec.structs.replace


def _refuse_slot(
    state: BankueberfallState, event: CardSpied | CardRevealed, rule: str, keep: int = 0
) -> Refusal | None:
    refused = refuse_bank(state, event.bank, rule)
    if refused is not None:
        return refused
    if (event.bank, event.slot) not in face_down(state):
        text = "There is no face-down card number {slot} at bank {bank}."
        return refusal("no_such_slot", rule, text, slot=event.slot, bank=event.bank)
    if (event.bank, event.slot) not in face_down(state, keep):
        text = "The last face-down card at bank {bank} stays face down."
        return refusal("last_card", rule, text, bank=event.bank)
    return None


def _refuse_spy(state: BankueberfallState, event: CardSpied) -> Refusal | None:
    return _refuse_slot(state, event, "B.spy")


def _spy_card(state: BankueberfallState, event: CardSpied) -> BankueberfallState:
    card = state.banks[event.bank - 1][event.slot - 1]
    seen = replace(card, known_to=tuple(sorted({*card.known_to, event.seat})))
    return next_turn(state, banks=replace_card(state, event.bank, event.slot, seen))


def _refuse_reveal(state: BankueberfallState, event: CardRevealed) -> Refusal | None:
    refused = _refuse_slot(state, event, "B.reveal", keep=1)
    if refused is not None:
        return refused
    known = state.banks[event.bank - 1][event.slot - 1].card
    if known is None and event.card is None:
        text = "No reader knows this card: say which one was turned up."
        return refusal("unnamed", "B.reveal", text)
    if known is not None and event.card is not None:
        text = "Card number {slot} at bank {bank} is known already."
        return refusal("known", "B.reveal", text, slot=event.slot, bank=event.bank)
    return no_such_card(state, event.card, "B.reveal")


def _reveal_card(state: BankueberfallState, event: CardRevealed) -> BankueberfallState:
    """Turn a card up; its seat names a card that no reader knows."""
    known = state.banks[event.bank - 1][event.slot - 1].card or event.card
    banks = replace_card(state, event.bank, event.slot, BankCard(known, up=True))
    return next_turn(state, banks=banks)


def _spy_choices(state: BankueberfallState, _seat: int) -> Choices:
    return [{"bank": bank, "slot": slot} for bank, slot in face_down(state)]


def _reveal_choices(state: BankueberfallState, _seat: int) -> Choices:
    return [_reveal_choice(state, bank, slot) for bank, slot in face_down(state, keep=1)]


def _reveal_choice(state: BankueberfallState, bank: int, slot: int) -> dict[str, object]:
    choice: dict[str, object] = {"bank": bank, "slot": slot}
    if state.banks[bank - 1][slot - 1].card is None:
        choice["card"] = possible_cards(state)
    return choice


def _pass_turn(state: BankueberfallState, _event: Passed) -> BankueberfallState:
    return next_turn(state)


# A card becomes known.


def refuse_naming(
    state: BankueberfallState, event: CardNamed, rule: str = "B.setup"
) -> Refusal | None:
    """Refuse to name a card that is known already, or is not there."""
    refused = refuse_bank(state, event.bank, rule)
    if refused is not None:
        return refused
    cards = state.banks[event.bank - 1]
    if not 1 <= event.slot <= len(cards):
        text = "There is no card number {slot} at bank {bank}."
        return refusal("no_such_slot", rule, text, slot=event.slot, bank=event.bank)
    if cards[event.slot - 1].card is not None:
        text = "Card number {slot} at bank {bank} is known already."
        return refusal("known", rule, text, slot=event.slot, bank=event.bank)
    return no_such_card(state, event.card, rule)


def name_card(state: BankueberfallState, event: CardNamed) -> BankueberfallState:
    """Name a card; who may see it does not change."""
    card = state.banks[event.bank - 1][event.slot - 1]
    known = replace(card, card=event.card)
    return replace(state, banks=replace_card(state, event.bank, event.slot, known))


LOOK_AT_A_CARD = N_("Look at a card at a bank, and put it back.")
REVEAL_A_CARD = N_("Turn a card at a bank face up.")
DO_WITHOUT = N_("Skip")
READ_A_CARD = N_("A reader recognises a face-down card.")

ROWS = (
    Row(
        "spy", CardSpied, "active", "B.spy", ("tile",),
        LOOK_AT_A_CARD, _spy_card, _refuse_spy, _spy_choices,
    ),
    Row(
        "spy", Passed, "active", "B.spy", ("tile",),
        DO_WITHOUT, _pass_turn, choices=offer_as_it_is,
    ),
    Row(
        "reveal", CardRevealed, "active", "B.reveal", ("tile",),
        REVEAL_A_CARD, _reveal_card, _refuse_reveal, _reveal_choices,
    ),
    Row(
        "reveal", Passed, "active", "B.reveal", ("tile",),
        DO_WITHOUT, _pass_turn, choices=offer_as_it_is,
    ),
)  # fmt: skip

READINGS = tuple(
    Row(phase, CardNamed, "reader", "B.setup", (phase,), READ_A_CARD, name_card, refuse_naming)
    for phase in ("tile", *TILES, "seal", "open", "refill")
)
"""After all other rows, so that what is out of phase cites what the phase is about."""
