"""It depends: a case with unknown cards, bids or house rules, judged for every possibility.

Laws: every way to fill the case in is judged by the same code as a case that is known; a filling
that the judge refuses, such as a fifth thief of four, is none. The words come last, in
`it_depends`.

A value is decisive where it leads to another ending: the branches are disjoint and cover every
filling, and each leads to one ending. If there are more of them than people read, there are none.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import Message
from companion.core.verdict import Score, Verdict
from companion.judge.decide import find_kind
from companion.judge.gaps import (
    Filling,
    Group,
    Template,
    count_fillings,
    fill_case,
    find_gaps,
    group_gaps,
    list_fillings,
    refuse_too_many,
)
from companion.judge.kinds import Gains, Kind

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


MOST_JUDGED = 6_000
"""As many possibilities are judged."""


class Judged(NamedTuple):
    """A filling of the gaps, and the ending it leads to."""

    filling: Filling
    ending: Hashable


class Comes(NamedTuple):
    """Outcome of a verdict: everyone's gains, and everything else it decides."""

    gains: Gains
    outcomes: tuple[Message, ...]


class CaseFillings(NamedTuple):
    """The fillings of a case with gaps, and the ending of each."""

    case: JsonObject
    kind: Kind
    groups: Sequence[Group]
    judged: list[Judged]
    endings: dict[Hashable, Comes]

    def find_branches(self, sort: Callable[[Hashable], Hashable]) -> list[Branch]:
        """Return the branches that tell the sorts of endings apart; [] if there is one, or too
        many."""
        sorts = {ending: sort(ending) for ending in self.endings}
        if len({*sorts.values()}) < 2:
            return []
        return find_branches([_row(one, self.groups, sorts[one.ending]) for one in self.judged])

    def example_of(self, ending: Hashable) -> Filling:
        """Return the first filling that leads to an ending."""
        return next(one.filling for one in self.judged if one.ending == ending)

    def decide_example(self, ending: Hashable) -> tuple[JsonObject, Verdict]:
        """Return a case that leads to an ending, and its verdict."""
        case = fill_case(self.case, self.groups, self.example_of(ending))
        return case, self.kind.decide(case)


def judge_fillings(case: JsonObject) -> CaseFillings:
    """Judge a case for every way to fill its gaps; raise Malformed."""
    kind = find_kind(case)
    gaps = find_gaps(kind, case)
    groups = group_gaps(gaps)
    if (n := count_fillings(groups)) > MOST_JUDGED:
        raise refuse_too_many(gaps, n, MOST_JUDGED)
    found = CaseFillings(case, kind, groups, [], {})
    _judge_each(found)
    return found


def _judge_each(found: CaseFillings) -> None:
    """Add every filling that the judge takes, with its ending; raise Malformed if none.

    Until one is read as a whole, all are; then only its gaps change.
    """
    case, kind, groups, judged, endings = found
    first_fault: Malformed | None = None
    template, known = Template(case, groups), None
    for filling in list_fillings(groups):
        try:
            if known is None:
                known = Template(kind.read(template.fill(filling)), groups)
            verdict = kind.settle(known.fill(filling))
        except Malformed as fault:
            first_fault = first_fault or fault
        else:
            comes = find_comes(verdict, kind)
            ending = repr(comes)
            judged.append(Judged(filling, ending))
            endings.setdefault(ending, comes)
    if first_fault is not None and not judged:
        raise first_fault


def gains_of(verdict: Verdict, kind: Kind) -> Gains:
    """Return everyone's gains by name; none for a score, where only the winner counts."""
    return {} if isinstance(verdict, Score) else kind.gains(verdict)


def find_comes(verdict: Verdict, kind: Kind) -> Comes:
    """Return the outcome of a verdict; its `repr` is the key of the ending."""
    return Comes(gains_of(verdict, kind), kind.outcomes(verdict))


def list_features(groups: Sequence[Group]) -> list[range]:
    """Return the numbers of the features of each group: a value, or the count of each value."""
    found, at = [], 0
    for group in groups:
        n = 1 if len(group.gaps) == 1 else len(group.values)
        found.append(range(at, at + n))
        at += n
    return found


def _row(one: Judged, groups: Sequence[Group], sort: Hashable) -> Row:
    features: list[int] = []
    for group, numbers in zip(groups, one.filling, strict=True):
        if len(group.gaps) == 1:
            features += numbers
        else:
            features += [numbers.count(n) for n in range(len(group.values))]
    return tuple(features), sort
