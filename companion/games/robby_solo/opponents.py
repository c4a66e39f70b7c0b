"""What a bot knows of the others in Robby Solo: at which banks they were seen, and their habits.

Law: all of it was announced after each round. A player without a habit is thought to mix.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from companion.bots.decisions import BotView
from companion.bots.habits import weigh_habits
from companion.bots.mixing import Mixture
from companion.games.robby_solo.raid import Cards

FLOOR = 300
"""What a bank is worth at least, in dollars: one never knows."""
OBJECT_WORTH = 10_000
"""What an object is worth to most."""
MIXES = -1
HABITS = {MIXES: 0.8, 0: 0.1, 1: 0.05, 2: 0.05}
"""How likely a player is to mix, or to go always to the richest bank, or the next ones."""
STEADY = 0.8
"""How often a player with a habit follows it."""
LONG = 10
"""So many rounds it remembers."""


def _ranked_banks(loot: Mapping[str, Cards]) -> list[str]:
    """Return the banks as everyone values them, the richest first."""
    return sorted(loot, key=lambda bank: -_common_worth(loot[bank]))


def _common_worth(loot: Cards) -> float:
    return sum(card if isinstance(card, int) else OBJECT_WORTH for card in loot) + FLOOR


def loot_before(past: Any) -> dict[str, Cards]:
    """Return what lay at each bank in a round that was announced."""
    loot = {bank: tuple(cards) for bank, cards in past.left.items()}
    loot |= {raid.bank: raid.removed for raid in past.raids}
    visits = (step.facts for step in past.steps if step.rule == "R.solo" and "colour" in step.facts)
    return loot | {facts["colour"]: tuple(facts["cards"]) for facts in visits}


def find_choices(past: Any) -> dict[str, str]:
    """Return who was at which bank in a round that was announced."""
    visits = [step.facts for step in past.steps if step.rule == "R.solo" and "who" in step.facts]
    return {name: facts["colour"] for facts in visits for name in facts["who"]}


def find_rivals(sight: BotView) -> list[Mixture[str]]:
    """Return for each of the others where a habit leads them, as far as they have one.

    What is missing to 1 they mix as it does itself.
    """
    told = [(_ranked_banks(loot_before(past)), find_choices(past)) for past in sight.past[-LONG:]]
    now = _ranked_banks({bank.name: bank.loot for bank in sight.public.banks})
    names, found = [name for name in sight.names if name != sight.name], []
    for name in names:
        ranks = [ranked.index(at[name]) for ranked, at in told if name in at]
        habit = weigh_habits(HABITS, [_rank_odds(rank, len(now)) for rank in ranks])
        found.append({bank: habit.get(rank, 0.0) for rank, bank in enumerate(now)})
    if sight.public.junior is not None:
        found.append({bank: 1 / len(now) for bank in now})
    return found


@cache
def _rank_odds(rank: int, banks: int) -> Mapping[int, float]:
    """Return how likely each habit leads to the bank of this rank."""
    stray, falling = (1 - STEADY) / banks, [0.7**n for n in range(banks)]
    steady = {habit: stray + STEADY * (habit == rank) for habit in HABITS if habit != MIXES}
    return {**steady, MIXES: falling[rank] / sum(falling)}
