"""The small questions of Banque Fatale: may this card be sold and for how much, and who takes which
chip back next.

Law: price, ban and order are those of the live table, asked through the same functions.
"""

from collections.abc import Mapping, Sequence

from companion.core.cards import standard_box
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.verdict import HouseRule, Verdict, VerdictStep, step
from companion.games.banque_fatale.auction import card_worth
from companion.games.banque_fatale.box import BanqueFataleBox

BOX = standard_box(BanqueFataleBox)


class Offer(Verdict, frozen=True, tag="offer"):
    """Whether the seller may sell the card, and its price in millions."""

    seller: str
    allowed: bool
    price: int


class ChipTurns(Verdict, frozen=True, tag="chip_turns"):
    """Who takes each chip that is left, in this order, and what is left to choose from."""

    turns: tuple[str, ...]
    left: dict[str, int]


def judge_offer(
    seller: str, card: str, values: Mapping[str, int], facts: tuple[bool, bool], ban: str
) -> Offer:
    """Decide whether a card may be sold; `facts` say whether it was just won, and whether a colour
    of it has just risen."""
    won, risen = facts
    allowed = not (won if ban == "just_won" else risen)
    price, parts = card_worth(card, values), {c: values[c] for c in card.split("-")}
    text = "{card} is worth {millions} ({by_colour})."
    worth = step("F.sell", text, None, card=card, millions=price, by_colour=parts)
    house = HouseRule("sale_ban", ban) if won != risen else None
    text = "{who} may sell it now." if allowed else "{who} cannot sell it in this round."
    return Offer((worth, step("F.sell", text, house, who=[seller])), seller, allowed, price)


def order_chips(
    players: Sequence[str], winner: str, chips: Mapping[str, int], taken: Sequence[str]
) -> ChipTurns:
    """Decide who takes the chips that are left; raise Malformed if more were taken than lay."""
    left = {colour: chips.get(colour, 0) for colour in BOX.colours}
    for n, colour in enumerate(taken):
        if not left[colour]:
            text = N_("{field}: no chip of {colour} was left then.")
            raise Malformed(f"taken[{n}]", text, colour=colour)
        left[colour] -= 1
    first = players.index(winner) + 1 + len(taken)
    turns = tuple(players[(first + n) % len(players)] for n in range(sum(left.values())))
    return ChipTurns(_say_turns(winner, turns, left), turns, left)


def _say_turns(
    winner: str, turns: Sequence[str], left: Mapping[str, int]
) -> tuple[VerdictStep, ...]:
    text = "{who} won the card, so the player to the left takes the first chip."
    begins = step("F.chips", text, who=[winner])
    if not turns:
        return begins, step("F.chips", "Every chip has been taken back.", chips=0)
    text = "{who} takes the next chip, of any colour that is left: {by_colour}."
    now = step("F.chips", text, None, who=[turns[0]], by_colour=dict(left))
    if len(turns) == 1:
        return begins, now
    text = "Then, one chip each: {who}."
    return begins, now, step("F.chips", text, who=list(turns[1:]))
