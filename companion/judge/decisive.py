"""Decisive values: which unknown thing leads to which of several endings.

Law: the branches are disjoint and cover every filling; each leads to one ending. If there are more
of them than people read, there are none.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

MOST_BRANCHES, MOST_CONDITIONS = 8, 2
"""As many cases people read, and as much in one of them; beyond that an example says more."""

Row = tuple[tuple[int, ...], Hashable]
"""One filling, as the values of its features, and the ending that it leads to."""

Conditions = tuple[tuple[int, tuple[int, ...]], ...]
"""The features that count, each with the values it may have."""


class Branch(NamedTuple):
    """A set of fillings that all lead to one ending."""

    conditions: Conditions
    ending: Hashable


class TooManyBranches(Exception):
    """There is more to tell apart than people read."""


def find_branches(rows: Sequence[Row]) -> list[Branch]:
    """Return the branches that tell the endings of these fillings apart; [] if too many."""
    if len({ending for _, ending in rows}) > MOST_BRANCHES:
        return []
    try:
        found = _split(list(rows))
    except TooManyBranches:
        return []
    return found if all(len(one.conditions) <= MOST_CONDITIONS for one in found) else []


def _split(rows: list[Row]) -> list[Branch]:
    endings = {ending for _, ending in rows}
    if len(endings) == 1:
        return [Branch((), endings.pop())]
    feature = min(range(len(rows[0][0])), key=lambda each: _disorder(rows, each))
    branches: list[Branch] = []
    for values, inner in _merge_alike(_by_value(rows, feature)):
        branches += [Branch(((feature, values), *one.conditions), one.ending) for one in inner]
        if len(branches) > MOST_BRANCHES:
            raise TooManyBranches
    return branches


def _by_value(rows: list[Row], feature: int) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row[0][feature], []).append(row)
    return found


def _disorder(rows: list[Row], feature: int) -> tuple[float, int]:
    """Return the mix of endings left once a feature is known; the least is best."""
    parts = _by_value(rows, feature)
    if len(parts) == 1:
        return float("inf"), feature
    mixed = sum(len({ending for _, ending in part}) * len(part) for part in parts.values())
    return mixed, len(parts)


def _merge_alike(parts: dict[int, list[Row]]) -> list[tuple[tuple[int, ...], list[Branch]]]:
    """Return the branches of each value; values with the same branches together."""
    merged: dict[tuple[Branch, ...], list[int]] = {}
    for value in sorted(parts):
        merged.setdefault(tuple(_split(parts[value])), []).append(value)
        if len(merged) > MOST_BRANCHES:
            raise TooManyBranches
    return [(tuple(values), list(inner)) for inner, values in merged.items()]
