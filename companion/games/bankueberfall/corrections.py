"""Corrections in Banküberfall: the cards at a bank, who saw them, what everyone has."""

from typing import ClassVar

import msgspec

from companion.core.commitment import replace_entry
from companion.core.errors import Refusal, refusal
from companion.core.table_events import Found
from companion.games.bankueberfall.robbery_phase import SWEEP, resolve_if_known, score_now
from companion.games.bankueberfall.state import BankCard, BankueberfallState
from companion.games.bankueberfall.turns import refuse_bank, seen_cards
from companion.games.correction_rules import TOO_MANY, Corrections, refuse_surplus

replace = msgspec.structs.replace


class BankueberfallCorrections(Corrections[BankueberfallState]):
    """What the table of Banküberfall can put right."""

    counted: ClassVar = {"coins": "coins", "credits": "credits"}
    score = staticmethod(score_now)

    def refuse_found(self, state: BankueberfallState, event: Found) -> Refusal | None:
        """Refuse cards that the box does not hold, or not so many of them."""
        refused = refuse_bank(state, event.place, "T.todo")
        if refused is not None:
            return refused
        box, elsewhere = state.box.cards, seen_cards(state, but=event.place)
        if len(event.cards) > sum(box.values()):
            return refusal("too_many", "T.todo", TOO_MANY)
        return refuse_surplus(event.cards, elsewhere, box)

    def apply_found(self, state: BankueberfallState, event: Found) -> BankueberfallState:
        """Note the bank as it is; what was known of a card still there stays known."""
        before = list(state.banks[event.place - 1])
        lying = tuple(_keep_known(card, before) for card in event.cards)
        state = replace(state, banks=replace_entry(state.banks, event.place, lying))
        if state.phase != "turn_up" or state.figure != event.place:
            return state
        if state.sweep is not None and None in event.cards:
            return SWEEP.go_on_if_same(state)
        return resolve_if_known(state)


def _keep_known(card: str | None, before: list[BankCard]) -> BankCard:
    """Return this card as it lay there before, by its name or as one without a name."""
    for name in (card, None):
        for was in before:
            if was.card == name:
                before.remove(was)
                return replace(was, card=card)
    return BankCard(card)
