"""Banque Fatale (Stefan Dorra, Blatz 1997): the rule book, put together.

deal … -> lay … -> choose -> refill -> seal -> open -> take … -> sell -> choose …
the last card auctioned -> … -> sell -> over
"""

from collections.abc import Mapping
from functools import partial

from companion.core.i18n import N_, Facts, Message
from companion.games.banque_fatale import (
    auction_phase,
    corrections,
    sale_phase,
)
from companion.games.banque_fatale.box import BanqueFataleBox
from companion.games.banque_fatale.disputes import DISPUTES
from companion.games.banque_fatale.hints import HINTS
from companion.games.banque_fatale.state import (
    BanqueFatalePlayer,
    BanqueFataleStarted,
    BanqueFataleState,
)
from companion.games.banque_fatale.tracking import TRACKING
from companion.games.rulebook import Rulebook

NOW = {
    "deal": N_("A card of a single colour is dealt to everyone."),
    "lay": N_("Cards are turned face up beside the board."),
    "choose": N_("{who}: choose the card to auction."),
    "refill": N_("A new card is turned face up beside the board."),
    "seal": N_("Auction of the card {card}! Everyone bids in secret."),
    "open": N_("Auction of the card {card}: the bids are revealed."),
    "take": N_("{who}: take a chip from the middle."),
    "sell": N_("{who}: you may sell a card."),
    "over": N_("The game is over."),
}


def count_bank(state: BanqueFataleState) -> int:
    """Return the bank's millions, less than 0 once it owes."""
    return state.box.count_money() - state.paid


class BanqueFatale(Rulebook[BanqueFataleState]):
    """Banque Fatale with one box."""

    box: BanqueFataleBox
    start_event = BanqueFataleStarted
    rows = (*auction_phase.DEAL_ROWS, *auction_phase.ROWS, *sale_phase.ROWS)
    corrections = corrections.BanqueFataleCorrections()
    disputes = DISPUTES
    tracking = TRACKING
    hints = HINTS
    now = NOW
    open_fields, own_fields = ("cards",), ("chips", "cash")
    table_fields = (
        "starter", "values", "course", "open_cards", "auctioned", "pile", ("bank", count_bank),
        "middle", "sold", "sale",
    )  # fmt: skip
    score_unit = "millions"
    cards_come_again = True
    start_rule = "F.setup"
    end_rule = "F.end"

    def initial_state(self, event: BanqueFataleStarted) -> BanqueFataleState:
        box = self.box
        return BanqueFataleState.begin(
            box,
            event,
            "deal",
            partial(BanqueFatalePlayer, chips=dict.fromkeys(box.colours, box.chips_each)),
            starter=event.first,
            values=dict.fromkeys(box.colours, box.track.start),
            pile=len(box.cards) - event.players,
        )

    def now_facts(self, state: BanqueFataleState) -> Facts:
        return {"card": state.auctioned}

    def awaited_seats(self, state: BanqueFataleState) -> tuple[int, ...]:
        if state.phase == "deal":
            return tuple(n for n, player in enumerate(state.players, 1) if not player.cards)
        return super().awaited_seats(state)

    def count_fortunes(self, state: BanqueFataleState) -> Mapping[str, int]:
        return sale_phase.score_now(state).totals

    def name_verdict(self, before: BanqueFataleState) -> Message:
        facts = {"card": before.auctioned, "round": before.hands.round}
        return Message(N_("The auction of {card} in round {round}"), facts)

    def expected_cards(self, state: BanqueFataleState) -> dict[int, tuple[str | None, ...]]:
        return corrections.expected_cards(state)

    def places_at_stake(self, state: BanqueFataleState) -> tuple[int, ...]:
        return (corrections.AUCTION,) if state.phase in ("seal", "open") else ()
