"""The rows after an auction: chips taken back, a sale, the next round (F.chips … F.end)."""

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Passed
from companion.core.i18n import N_
from companion.core.verdict import Score, describe_house_rule
from companion.games.banque_fatale.auction import (
    BanqueFataleFortune,
    card_worth,
    count_score,
    find_ban,
    resolve_sale,
)
from companion.games.banque_fatale.state import BanqueFataleState, CardSold, ChipTaken
from companion.games.rulebook import Choices, Row, left_of, offer_as_it_is, refuse_unoffered

replace = msgspec.structs.replace


def take_chip(state: BanqueFataleState, event: ChipTaken) -> BanqueFataleState:
    """Take one chip; then the next player clockwise does, until none is left."""
    player = state.players[event.seat - 1]
    chips = {**player.chips, event.colour: player.chips[event.colour] + 1}
    middle = {**state.middle, event.colour: state.middle[event.colour] - 1}
    state = state.change_player(event.seat, chips=chips)
    state = replace(state, middle=middle, active=left_of(state.active, len(state.players)))
    return state if any(middle.values()) else start_sale(state)


def chip_choices(state: BanqueFataleState, _seat: int) -> Choices:
    """Offer the colours in the middle, those that are worth most first."""
    dearest = sorted(state.middle, key=lambda colour: -state.values[colour])
    return [{"colour": colour} for colour in dearest if state.middle[colour]]


def is_banned(state: BanqueFataleState, card: str) -> bool:
    """Return whether the house rule keeps this card from being sold in this round."""
    return find_ban(card, state.auctioned, state.risen, state.house_rules)[0]


def start_sale(state: BanqueFataleState) -> BanqueFataleState:
    """Begin the sale, or the next round where there is nothing to sell."""
    state = replace(state, phase="sell", active=state.starter)
    return state if sale_choices(state, state.starter) else _next_round(state)


def _next_round(state: BanqueFataleState, sold: str = "") -> BanqueFataleState:
    """End the sale; the left neighbour leads, or the game is over."""
    seller = state.players[state.starter - 1].name
    starter = left_of(state.starter, len(state.players))
    then = state.players[starter - 1].name if state.on_offer() else None
    done = resolve_sale(seller, sold, state.values, then)
    state = replace(state, auctioned="", risen=(), sale=done, paid=state.paid + done.price)
    if then is None:
        return _end_game(state)
    return replace(state, phase="choose", starter=starter, active=starter)


def _end_game(state: BanqueFataleState) -> BanqueFataleState:
    return replace(state, phase="over", score=score_now(state))


def score_now(state: BanqueFataleState) -> Score:
    """Return the score if the game ended like this."""
    funds = {p.name: BanqueFataleFortune(p.cash, p.count_chips(), p.cards) for p in state.players}
    return count_score(funds, state.values, state.house_rules, state.box)


def refuse_sale(state: BanqueFataleState, event: CardSold) -> Refusal | None:
    """Refuse a card that the player does not own, or that the house rule bans."""
    if event.card not in state.players[event.seat - 1].cards:
        who = [state.players[event.seat - 1].name]
        text = "{who} does not own the card {card}."
        return refusal("not_owned", "F.sell", text, who=who, card=event.card)
    if is_banned(state, event.card):
        text = "The card {card} cannot be sold in this round (house rule: {use})."
        use = describe_house_rule("sale_ban", state.house_rules["sale_ban"])
        return refusal("sale_ban", "F.sell", text, card=event.card, use=use)
    return None


def sell_card(state: BanqueFataleState, event: CardSold) -> BanqueFataleState:
    """Remove the card from the game for its value."""
    player = state.players[event.seat - 1]
    cards = tuple(card for card in player.cards if card != event.card)
    cash = player.cash + card_worth(event.card, state.values)
    state = state.change_player(event.seat, cards=cards, cash=cash)
    state = replace(state, sold=(*state.sold, event.card))
    return _next_round(state, event.card)


def sale_choices(state: BanqueFataleState, seat: int) -> Choices:
    """Offer the own cards that may be sold."""
    cards = state.players[seat - 1].cards
    return [{"card": card} for card in cards if not is_banned(state, card)]


def pass_sale(state: BanqueFataleState, _event: Passed) -> BanqueFataleState:
    """End the round without a sale."""
    return _next_round(state)


NO_SUCH_CHIP = N_("No chip of {colour} lies in the middle.")
TAKE_A_CHIP = N_("Take one chip from the middle.")
SELL_A_CARD = N_("Sell a card for the value of its colours.")
SELL_NOTHING = N_("Sell nothing")

ROWS = (
    Row(
        "take", ChipTaken, "active", "F.chips", ("take", "sell", "choose", "over"),
        TAKE_A_CHIP, take_chip,
        refuse_unoffered(chip_choices, "F.chips", "no_such_chip", NO_SUCH_CHIP), chip_choices,
    ),
    Row(
        "sell", CardSold, "active", "F.sell", ("choose", "over"),
        SELL_A_CARD, sell_card, refuse_sale, sale_choices,
    ),
    Row(
        "sell", Passed, "active", "F.sell", ("choose", "over"),
        SELL_NOTHING, pass_sale, choices=offer_as_it_is,
    ),
)  # fmt: skip
