"""The table of Banque Fatale is laid: a card for everyone, cards turned up (F.setup)."""

import msgspec

from companion.core.commitment import replace_entry
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.games.banque_fatale.state import BanqueFataleState, CardDealt, CardTurned
from companion.games.rulebook import Choices, Row, no_such_seat

replace = msgspec.structs.replace


def refuse_deal(state: BanqueFataleState, event: CardDealt) -> Refusal | None:
    """Refuse a second card, one of two colours, and one that lies elsewhere."""
    refused = no_such_seat(state, event.seat, "F.setup")
    if refused is None and state.players[event.seat - 1].cards:
        text = "Seat {seat} has a card already."
        return refusal("has_card", "F.setup", text, seat=event.seat)
    if refused is None and event.card not in _single_colour_cards(state):
        text = "The card {card} is not a card of one colour that is still to be dealt."
        return refusal("no_such_card", "F.setup", text, card=event.card)
    return refused


def _single_colour_cards(state: BanqueFataleState) -> tuple[str, ...]:
    return tuple(card for card in state.unseen_cards() if "-" not in card)


def deal_card(state: BanqueFataleState, event: CardDealt) -> BanqueFataleState:
    """Lay the card in front of the player."""
    player = state.players[event.seat - 1]
    state = replace(
        state,
        players=replace_entry(state.players, event.seat, replace(player, cards=(event.card,))),
    )
    return state if not all(p.cards for p in state.players) else replace(state, phase="lay")


def deal_choices(state: BanqueFataleState, seat: int) -> Choices:
    """Offer a seat its first card."""
    return () if state.players[seat - 1].cards else ({"card": _single_colour_cards(state)},)


def refuse_turn(state: BanqueFataleState, event: CardTurned) -> Refusal | None:
    """Refuse a card that was seen before."""
    if event.card in state.unseen_cards():
        return None
    text = "The card {card} is not a card that can still be in the pile."
    rule = "F.auction" if state.phase == "refill" else "F.setup"
    return refusal("no_such_card", rule, text, card=event.card)


def turn_card(state: BanqueFataleState, event: CardTurned) -> BanqueFataleState:
    """Open one more card; then the start player chooses, or the hands close."""
    if state.phase == "refill":
        open_cards = replace_entry(state.open_cards, state.open_cards.index("") + 1, event.card)
        return replace(state, phase="seal", open_cards=open_cards, pile=state.pile - 1)
    open_cards = (*state.open_cards, event.card)
    state = replace(state, open_cards=open_cards, pile=state.pile - 1)
    return replace(state, phase="choose") if len(open_cards) == state.box.open_cards else state


def turn_choices(state: BanqueFataleState, _seat: int) -> Choices:
    """Offer the unseen cards."""
    return ({"card": state.unseen_cards()},)


DEAL_A_CARD = N_("Say which card of a single colour lies in front of you.")
TURN_A_CARD = N_("Turn a card from the pile face up beside the board, and say which it is.")

ROWS = (
    Row(
        "deal", CardDealt, "each", "F.setup", ("deal", "lay"),
        DEAL_A_CARD, deal_card, refuse_deal, deal_choices,
    ),
    Row(
        "lay", CardTurned, "active", "F.setup", ("lay", "choose"),
        TURN_A_CARD, turn_card, refuse_turn, turn_choices,
    ),
    Row(
        "refill", CardTurned, "active", "F.auction", ("seal",),
        TURN_A_CARD, turn_card, refuse_turn, turn_choices,
    ),
)  # fmt: skip
