"""The table of Banque Fatale up to an auction: a card for everyone, cards turned up, a card chosen,
hands closed and opened (F.setup, F.auction)."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from companion.core.commitment import SomeChoice, fresh_hands, replace_entry
from companion.core.errors import Refusal, refusal
from companion.core.events import Value
from companion.core.i18n import N_
from companion.core.verdict import step
from companion.games.banque_fatale.auction import Auction, Lot, find_ban, resolve_auction
from companion.games.banque_fatale.sale_phase import start_sale
from companion.games.banque_fatale.state import BanqueFataleState, CardChosen, CardDealt, CardTurned
from companion.games.commit_reveal import mark_unproven, sealed_round
from companion.games.rulebook import Choices, Row, no_such_seat, refuse_unoffered


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
    state = state.change_player(event.seat, cards=(event.card,))
    return state if not all(p.cards for p in state.players) else replace(state, phase="lay")


def deal_choices(state: BanqueFataleState, seat: int) -> Choices:
    """Offer a seat its first card."""
    return () if state.players[seat - 1].cards else ({"card": _single_colour_cards(state)},)


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


TURN_A_CARD = N_("Turn a card from the pile face up beside the board, and say which it is.")
NOT_IN_PILE = N_("The card {card} is not a card that can still be in the pile.")

DEAL_ROWS = (
    Row(
        "deal", CardDealt, "each", "F.setup", ("deal", "lay"),
        N_("Say which card of a single colour lies in front of you."),
        deal_card, refuse_deal, deal_choices,
    ),
    Row(
        "lay", CardTurned, "active", "F.setup", ("lay", "choose"), TURN_A_CARD, turn_card,
        refuse_unoffered(turn_choices, "F.setup", "no_such_card", NOT_IN_PILE), turn_choices,
    ),
    Row(
        "refill", CardTurned, "active", "F.auction", ("seal",), TURN_A_CARD, turn_card,
        refuse_unoffered(turn_choices, "F.auction", "no_such_card", NOT_IN_PILE), turn_choices,
    ),
)  # fmt: skip


def choose_card(state: BanqueFataleState, event: CardChosen) -> BanqueFataleState:
    """Auction a card; the row is filled up from the pile."""
    open_cards = tuple("" if card == event.card else card for card in state.open_cards)
    phase = "refill" if state.pile else "seal"
    return replace(state, phase=phase, open_cards=open_cards, auctioned=event.card)


def card_choices(state: BanqueFataleState, _seat: int) -> Choices:
    """Offer the open cards."""
    return [{"card": card} for card in state.on_offer()]


def refuse_colour(state: BanqueFataleState, value: Value) -> Refusal | None:
    """Refuse chips of a colour that the box does not have."""
    for colour in value if isinstance(value, dict) else ():
        if colour not in state.box.colours:
            return refusal("no_such_colour", "F.auction", "There is no chip “{name}”.", name=colour)
    return None


def pay_auction(state: BanqueFataleState) -> BanqueFataleState:
    """Resolve the auction: the card is won, the markers move, the bonus is paid."""
    hands = [dict(value) for value in state.hands.values if isinstance(value, dict)]
    verdict = mark_unproven(state, resolve_auction(_build_lot(state, hands)))
    names = [player.name for player in state.players]
    reached = (step.facts for step in verdict.steps if step.rule == "F.track")
    course = {facts["colour"]: facts["after"] for facts in reached}  # before any bonus
    middle = {c: sum(hand.get(c, 0) for hand in hands) for c in state.box.colours}
    for seat, (player, hand) in enumerate(zip(state.players, hands, strict=True), 1):
        won = (state.auctioned,) if player.name == verdict.winner else ()
        state = state.change_player(
            seat,
            chips={colour: n - hand.get(colour, 0) for colour, n in player.chips.items()},
            cash=player.cash + verdict.bonuses[player.name],
            cards=(*player.cards, *won),
        )
    state = replace(
        state,
        phase="take",
        values=verdict.values,
        middle=middle,
        hands=fresh_hands(state.hands.round + 1, len(names)),
        risen=verdict.risen,
        paid=state.paid + sum(verdict.bonuses.values()),
        course=(*state.course, course),
        sale=None,
        active=names.index(verdict.first_pick) + 1,
    )
    state = replace(state, verdict=_with_ban(state, verdict))
    return state if any(middle.values()) else start_sale(state)


def _with_ban(state: BanqueFataleState, verdict: Auction) -> Auction:
    """Add to the verdict which cards of the start player cannot be sold now."""
    starter = state.players[state.starter - 1]
    rules, won, risen = state.house_rules, state.auctioned, state.risen
    bans = {card: find_ban(card, won, risen, rules) for card in starter.cards}
    cards = [card for card, (is_banned, _) in bans.items() if is_banned]
    if not cards:
        return verdict
    house = next((house for _, house in bans.values() if house), None)
    text = "Not for sale in this round, from {who}: {cards}."
    ban = step("F.sell", text, house, who=[starter.name], cards=cards)
    return replace(verdict, steps=(*verdict.steps, ban))


def _build_lot(state: BanqueFataleState, hands: Iterable[Mapping[str, int]]) -> Lot:
    names = [player.name for player in state.players]
    return Lot(
        players=names,
        start=names[state.starter - 1],
        bids=dict(zip(names, hands, strict=True)),
        values=state.values,
        card=state.auctioned,
        holdings={player.name: player.cards for player in state.players},
        house_rules=state.house_rules,
        box=state.box,
    )


NOT_OPEN = N_("The card {card} does not lie open.")

ROWS = (
    Row(
        "choose", CardChosen, "active", "F.auction", ("refill", "seal"),
        N_("Choose the open card to auction."), choose_card,
        refuse_unoffered(card_choices, "F.auction", "not_open", NOT_OPEN), card_choices,
    ),
    *sealed_round(
        "F.auction", lambda state, seat: SomeChoice(state.players[seat - 1].chips), pay_auction,
        ("take", "sell", "choose", "over"), N_("Choose the chips you bid, or none."), refuse_colour,
    ),
)  # fmt: skip
