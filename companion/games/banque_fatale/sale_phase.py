"""After an auction: chips taken back, a sale, the next round (F.chips … F.end)."""

from collections.abc import Mapping

from msgspec.structs import replace

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.core.verdict import HouseRule, Score, Verdict, describe_house_rule, step
from companion.games.banque_fatale.auction import card_worth, count_score, find_ban, resolve_sale
from companion.games.banque_fatale.state import BanqueFataleState, CardSold, ChipTaken
from companion.games.rulebook import Choices, Row, left_of, passing_row, refuse_unoffered


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
        return replace(state, phase="over", score=score_now(state))
    return replace(state, phase="choose", starter=starter, active=starter)


def score_now(state: BanqueFataleState) -> Score:
    """Return the score if the game ended like this."""
    funds = {
        player.name: {"cash": player.cash, "chips": player.count_chips(), "cards": player.cards}
        for player in state.players
    }
    return count_score(funds, state.values, state.house_rules, state.box)


def refuse_sale(state: BanqueFataleState, event: CardSold) -> Refusal | None:
    """Refuse a card that the player does not own, or that the house rule bans."""
    seller = state.players[event.seat - 1]
    if event.card not in seller.cards:
        text = "{who} does not own the card {card}."
        return refusal("not_owned", "F.sell", text, who=[seller.name], card=event.card)
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


NO_SUCH_CHIP = N_("No chip of {colour} lies in the middle.")

ROWS = (
    Row(
        "take", ChipTaken, "active", "F.chips", ("take", "sell", "choose", "over"),
        N_("Take one chip from the middle."), take_chip,
        refuse_unoffered(chip_choices, "F.chips", "no_such_chip", NO_SUCH_CHIP), chip_choices,
    ),
    Row(
        "sell", CardSold, "active", "F.sell", ("choose", "over"),
        N_("Sell a card for the value of its colours."), sell_card, refuse_sale, sale_choices,
    ),
    passing_row("sell", "F.sell", ("choose", "over"), N_("Sell nothing"), _next_round),
)  # fmt: skip


# What a judge is asked of it.


class Offer(Verdict, frozen=True, tag="offer"):
    """Whether the seller may sell the card, and its price in millions."""

    seller: str
    allowed: bool
    price: int


class ChipTurns(Verdict, frozen=True, tag="chip_turns"):
    """Players in the order of taking the remaining chips, and the chips to choose from."""

    turns: tuple[str, ...]
    left: dict[str, int]


def judge_offer(
    seller: str, card: str, values: Mapping[str, int], is_banned: bool, house: HouseRule | None
) -> Offer:
    """Decide whether a card may be sold, and for how much."""
    price, parts = card_worth(card, values), {c: values[c] for c in card.split("-")}
    text = "{card} is worth {millions} ({by_colour})."
    worth = step("F.sell", text, None, card=card, millions=price, by_colour=parts)
    text = "{who} cannot sell it in this round." if is_banned else "{who} may sell it now."
    may = step("F.sell", text, house, who=[seller])
    return Offer((worth, may), seller, not is_banned, price)


def judge_turns(winner: str, turns: tuple[str, ...], left: dict[str, int]) -> ChipTurns:
    """Name the player who takes the next chip, and the takers of the rest."""
    text = "{who} won the card, so the player to the left takes the first chip."
    steps = [step("F.chips", text, who=[winner])]
    if turns:
        text = "{who} takes the next chip, of any colour that is left: {by_colour}."
        steps.append(step("F.chips", text, None, who=[turns[0]], by_colour=dict(left)))
    else:
        steps.append(step("F.chips", "Every chip has been taken back.", chips=0))
    if turns[1:]:
        steps.append(step("F.chips", "Then, one chip each: {who}.", who=list(turns[1:])))
    return ChipTurns(tuple(steps), turns, left)
