"""Mixing: how often to make each choice so that no one can profit from knowing it.

Law: a bot that always takes the best of what it sees is easily read. Where all choose at once and
get in each other's way, a choice gets worse the oftener it is made: the mixture is right when no
choice that is made is worse than another one.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

DROPS = 32
"""In so many drops the probability is poured out."""

Mixture = dict[T, float]
"""How likely each choice is."""


def pour_out(choices: Sequence[T], value: Callable[[T, float], float]) -> Mixture[T]:
    """Return the mixture in which all choices that are made are worth the same.

    `value(choice, p)` is what a choice is worth if everyone makes it with probability `p`; it
    falls with p. Each drop goes to the choice that is worth most so far.
    """
    levels = dict.fromkeys(choices, 0)
    worth = {choice: value(choice, 0) for choice in choices}
    for _ in range(DROPS):
        best = max(worth, key=worth.__getitem__)
        levels[best] += 1
        worth[best] = value(best, min(1, (levels[best] + 0.5) / DROPS))
    return {choice: level / DROPS for choice, level in levels.items()}
