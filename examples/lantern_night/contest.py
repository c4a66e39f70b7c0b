"""Resolve the contest for a lantern, and the score.

Law: this is the only place that knows; it is pure, needs nothing but what it is given, and every
step says the rule, the facts and the numbers from which one can count again.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.core.verdict import HouseRule, Score, Verdict, VerdictStep, find_winners, step


class Contest(Verdict, frozen=True, tag="contest"):
    """How the bidding for one lantern ended; without a winner it went out."""

    card: str
    winner: str
    price: int


def resolve_contest(card: str, bids: Mapping[str, int]) -> Contest:
    """Give the lantern to the highest bid made by one player alone."""
    steps = [step("L.bid", "The hands open: {tally}.", tally=bids)]
    many = Counter(bids.values())
    for bid in sorted((bid for bid, n in many.items() if n > 1), reverse=True):
        who = [name for name, made in bids.items() if made == bid]
        steps.append(
            step("L.alone", "The same bid, {bid}, by {who}: it counts not.", who=who, bid=bid)
        )
    alone = [name for name, bid in bids.items() if many[bid] == 1]
    if not alone:
        text = "Nobody bids alone: the lantern {card} goes out."
        return Contest((*steps, step("L.out", text, card=card)), card, "", 0)
    winner = max(alone, key=lambda name: bids[name])
    text = "The highest that is left: {who} takes the lantern {card} and pays {coins}."
    steps.append(step("L.alone", text, who=[winner], card=card, coins=bids[winner]))
    return Contest(tuple(steps), card, winner, bids[winner])


def count_score(fortunes: Mapping[str, tuple[int, Sequence[str]]], coins_at_end: str) -> Score:
    """Count everyone's lanterns, and coins where the house rule says so; the most wins."""
    steps, totals = list[VerdictStep](), dict[str, int]()
    for name, (coins, lanterns) in fortunes.items():
        light = sum(map(int, lanterns))
        extra = coins // 10 if coins_at_end == "a_tenth" else 0
        totals[name] = light + extra
        facts = {"who": [name], "cards": lanterns, "light": light, "coins": coins, "extra": extra}
        text = "{who} has lit {cards}: {light}. {coins} add {extra}."
        steps.append(VerdictStep("L.end", text, facts, HouseRule("coins_at_end", coins_at_end)))
    best = find_winners(totals)
    text = "The win goes to {who}, with {total}."
    steps.append(step("L.end", text, who=list(best), total=totals[best[0]]))
    return Score(tuple(steps), totals, best)
