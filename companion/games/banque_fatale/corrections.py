"""Corrections in Banque Fatale: which cards lie open, what everyone has."""

from typing import ClassVar

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.table_events import Found
from companion.games.banque_fatale.sale_phase import score_now
from companion.games.banque_fatale.state import BanqueFataleState
from companion.games.correction_rules import Corrections

replace = msgspec.structs.replace

AUCTION, SALE = 4, 5
"""The places of the card that is auctioned and of the one that is sold."""


def is_at_auction(state: BanqueFataleState) -> bool:
    """Return whether a card lies at the place of the auction."""
    return state.phase in ("refill", "seal", "open")


def expected_cards(state: BanqueFataleState) -> dict[int, tuple[str | None, ...]]:
    """Return the open cards by place, the auctioned one, and nothing at the place of sale."""
    lying: dict[int, tuple[str | None, ...]] = {
        place: tuple(filter(None, state.open_cards[place - 1 : place]))
        for place in range(1, state.box.open_cards + 1)
    }
    return {**lying, AUCTION: (state.auctioned,) if is_at_auction(state) else (), SALE: ()}


class BanqueFataleCorrections(Corrections[BanqueFataleState]):
    """What the table of Banque Fatale can put right."""

    counted: ClassVar = {"cash": "millions", "chips": "chips", "cards": "count"}
    score = staticmethod(score_now)

    def refuse_found(self, state: BanqueFataleState, event: Found) -> Refusal | None:
        """Refuse all but exactly one card, which no player owns, where a card lies open."""
        if not expected_cards(state).get(event.place):
            text = "No card of this game lies at place {place}."
            return refusal("no_such_place", "T.todo", text, place=event.place)
        if len(event.cards) != 1:
            text = "One card lies at place {place}, no more and no fewer."
            return refusal("one_card", "T.todo", text, place=event.place)
        (card,) = event.cards
        at_hand = (state.auctioned,) if is_at_auction(state) else ()
        if card in (*state.unseen_cards(), *state.on_offer(), *at_hand):
            return None
        text = "The card {card} cannot lie there: it is not in the pile and does not lie open."
        return refusal("no_such_card", "T.todo", text, card=card or "?")

    def apply_found(self, state: BanqueFataleState, event: Found) -> BanqueFataleState:
        """Note the card here; if it was noted elsewhere, exchange the two."""
        card, was = str(event.cards[0]), str(expected_cards(state)[event.place][0])

        def swap_names(noted: str) -> str:
            return {card: was, was: card}.get(noted, noted)

        auctioned = swap_names(state.auctioned) if is_at_auction(state) else state.auctioned
        open_cards = tuple(map(swap_names, state.open_cards))
        return replace(state, open_cards=open_cards, auctioned=auctioned)
