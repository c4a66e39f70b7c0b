"""Habits: what the public past tells of how a player decides.

Laws: a habit is learnt from announced verdicts alone, so after a restart, or an undo, it is the
same again. What was seen once counts for little: a habit begins as everyone's, and gives way as
the past speaks.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

H = TypeVar("H", bound=Hashable)

MEMORY = 0.92
"""What an observation still counts for, when one more was made."""


def weigh_habits(prior: Mapping[H, float], seen: Iterable[Mapping[H, float]]) -> dict[H, float]:
    """Return how likely each habit is, the oldest observation first.

    Each observation says how likely it was under each habit; older ones fade, since people change.
    """
    weights = dict(prior)
    for likelihood in seen:
        for habit, usual in prior.items():
            weights[habit] = usual * (weights[habit] / usual) ** MEMORY * likelihood[habit]
        total = sum(weights.values())
        weights = {habit: weight / total + 1e-9 for habit, weight in weights.items()}
    return weights


def spread_numbers(
    seen: Iterable[float], usual: Mapping[int, float], trust: float
) -> dict[int, float]:
    """Return how likely a player is to choose each number, by the numbers chosen before.

    `usual` is what players do of whom nothing is known; it counts as `trust` observations. A
    number seen makes its neighbours likely, too.
    """
    total = sum(usual.values())
    weights = {number: trust * part / total for number, part in usual.items()}
    fading, numbers = 1.0, list(seen)
    for number in reversed(numbers):
        near = {each: 1 / (0.6 + (each - number) ** 2) for each in weights}
        whole = sum(near.values())
        for each, part in near.items():
            weights[each] += fading * part / whole
        fading *= MEMORY
    total = sum(weights.values())
    return {number: weight / total for number, weight in weights.items()}
