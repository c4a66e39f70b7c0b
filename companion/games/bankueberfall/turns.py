"""What every turn of Banküberfall shares: the next one, the banks, the cards that lie there."""

from typing import Any

import msgspec

from companion.core.commitment import put
from companion.core.errors import Refusal, refusal
from companion.games.bankueberfall.state import Lying, State
from companion.games.rulebook import left_of, not_at_turn

replace = msgspec.structs.replace


def next_turn(state: State, **changes: Any) -> State:
    """The tile is done: the next player clockwise, the tiles shuffled again if all are used."""
    if not any(state.tiles.values()):
        changes["tiles"] = dict(state.box.tiles)
    active = left_of(state.active, len(state.players))
    return replace(state, phase="tile", active=active, **changes)


def turn_card(state: State, bank: int, slot: int, lying: Lying) -> tuple[tuple[Lying, ...], ...]:
    """The banks with one card exchanged for what is known of it now."""
    return put(state.banks, bank, put(state.banks[bank - 1], slot, lying))


def face_down(state: State, keep: int = 0) -> tuple[tuple[int, int], ...]:
    """Bank and slot of every face-down card, where a bank has more than `keep` of them."""
    found: list[tuple[int, int]] = []
    for bank, cards in enumerate(state.banks, 1):
        down = [(bank, slot) for slot, card in enumerate(cards, 1) if not card.up]
        if len(down) > keep:
            found += down
    return tuple(found)


def refuse_bank(state: State, seat: int, bank: int, rule: str) -> Refusal | None:
    """The active seat chooses one of the banks."""
    refused = not_at_turn(state, seat, rule)
    if refused is None and not 1 <= bank <= len(state.banks):
        text = "There is no bank {bank}; the banks are 1 to {most}."
        return refusal("no_such_bank", rule, text, bank=bank, most=len(state.banks))
    return refused


def possible(state: State) -> tuple[str, ...]:
    """The cards that an unknown one can be, as far as everyone can tell."""
    return tuple(card for card in state.box.cards if no_such_card(state, card, "") is None)


def no_such_card(state: State, card: str | None, rule: str) -> Refusal | None:
    """A card must be one that the box holds, and not one more than it holds.

    Only cards that everyone has seen are counted: to count face-down ones would tell of them.
    """
    if card is None:
        return None
    if card not in state.box.cards:
        return refusal("no_such_card", rule, "The box holds no card “{name}”.", name=card)
    seen = state.discard.count(card) + sum(
        lying.up and lying.card == card for bank in state.banks for lying in bank
    )
    if seen < state.box.cards[card]:
        return None
    text = "Every {card} of the box has been seen already."
    return refusal("none_left", rule, text, card=card)
