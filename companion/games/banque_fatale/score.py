"""The end of Banque Fatale: cash, chips, and what the cards are worth (F.end)."""

from collections.abc import Mapping, Sequence

import msgspec

from companion.core.verdict import HouseRule, Score, VerdictStep, find_winners, step
from companion.games.banque_fatale.auction import card_worth, guess_steps
from companion.games.banque_fatale.box import BanqueFataleBox


class BanqueFataleFortune(msgspec.Struct, frozen=True):
    """The possessions of a player at the end."""

    cash: int
    chips: int
    cards: Sequence[str]


def count_score(
    funds: Mapping[str, BanqueFataleFortune],
    values: Mapping[str, int],
    house_rules: Mapping[str, str],
    box: BanqueFataleBox,
) -> Score:
    """Count everyone's fortune; the most wins."""
    steps = guess_steps([card for own in funds.values() for card in own.cards], box)
    counted = house_rules["chips_at_end"] == "one_million"
    totals = {name: _count_player(name, f, values, counted, steps) for name, f in funds.items()}
    best = find_winners(totals)
    text = "The win goes to {who}, with {millions}."
    tied = ("F.ties",) if len(best) > 1 else ()
    steps.append(step("F.end", text, None, *tied, who=list(best), millions=totals[best[0]]))
    return Score(tuple(steps), totals, best)


def _count_player(
    name: str,
    fortune: BanqueFataleFortune,
    values: Mapping[str, int],
    counted: bool,
    steps: list[VerdictStep],
) -> int:
    sold = sum(card_worth(card, values) for card in fortune.cards)
    total = fortune.cash + sold + (fortune.chips if counted else 0)
    if fortune.cards:
        prices = {card: card_worth(card, values) for card in fortune.cards}
        text = "The cards of {who}: {prices}."
        held = list(prices)
        steps.append(
            step("F.end", text, who=[name], cards=held, prices=prices, values=dict(values))
        )
    facts = {
        "who": [name], "cash": fortune.cash, "chips": fortune.chips,
        "cards_worth": sold, "total": total,
    }  # fmt: skip
    if counted:
        text = "{who}: cash {cash}, a million each for {chips}, cards {cards_worth}: {total}."
    else:
        text = "{who}: cash {cash}, nothing for {chips}, cards {cards_worth}: {total}."
    house = HouseRule("chips_at_end", "one_million" if counted else "nothing")
    steps.append(VerdictStep("F.end", text, facts, house if fortune.chips else None))
    return total
