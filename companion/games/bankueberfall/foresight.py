"""How a robbery ends, without the steps that explain it: for bots, who imagine very many.

Law: it is what `resolve_robbery` says; the tests compare the two.
"""

from collections.abc import Sequence
from typing import NamedTuple

CHARACTERS = ("seductress", "policeman", "detective", "thief", "x")


class Outcome(NamedTuple):
    """How a robbery ends, whatever is bid: the loot; and what else the cards do."""

    loot: int
    is_watched: bool = False
    is_guarded: bool = False
    is_stolen: bool = False


def foresee_outcome(cards: Sequence[str]) -> Outcome:
    """Return how a robbery with these cards ends."""
    ladies, police, detectives, thieves, crosses = map(cards.count, CHARACTERS)
    if ladies == 1:
        police = detectives = thieves = 0
    if police == 1:
        return Outcome(0, is_guarded=True)
    if thieves > detectives:
        return Outcome(0, is_stolen=True)
    money = sum(int(card) for card in cards if card.isdecimal())
    return Outcome(money * (1 + crosses), is_watched=detectives > thieves)


def foresee_changes(outcome: Outcome, bids: Sequence[int], reward: int, stops: bool) -> list[int]:
    """Return what everyone gains or loses with these bids."""
    if outcome.is_guarded:
        return [0 if bid else reward for bid in bids]
    if outcome.is_stolen:
        return [-bid for bid in bids]
    paid, rest = {0}, outcome.loot
    for bid in sorted(set(bids), reverse=outcome.is_watched):
        due = bid * bids.count(bid)
        if due <= rest:
            rest -= due
            paid.add(bid)
        elif stops:
            break
    return [bid if bid in paid else 0 for bid in bids]
