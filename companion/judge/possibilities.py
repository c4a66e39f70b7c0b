"""It depends: a case with unknown values, its gaps, and the verdict for every way to fill them in.

Laws: what is not known is written as “?”, as {"one_of": […]}, or as {"from": …, "to": …}, at any
single value that has a label; anywhere else the judge refuses it like any other wrong value.
Things that are alike, such as the cards at one bank, are filled in once for each handful, whatever
their order. Every way to fill the case in is judged by the same code as a case that is known; a
filling that the judge refuses, such as a fifth thief of four, is none. The words come last, in
`it_depends`.

A value is decisive where it leads to another ending: the branches are disjoint and cover every
filling, and each leads to one ending. If there are more of them than people read, there are none.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations_with_replacement, groupby, product
from math import comb, prod
from typing import Any, NamedTuple

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_, Message
from companion.core.verdict import Score, Verdict
from companion.judge.checks import check_choice, check_fields, check_int, check_list, shorten
from companion.judge.decide import find_kind
from companion.judge.kinds import Gains, Kind
from companion.judge.values import UNKNOWN, Case, Number, Place, Values

Filling = tuple[tuple[int, ...], ...]
"""A way to fill in a case: for each group of gaps the numbers of its values."""


class Gap(NamedTuple):
    """An unknown value of a case: its place, and its possible values."""

    place: Place
    values: Values


class GapGroup(NamedTuple):
    """Gaps that are filled together: one alone, or several alike."""

    gaps: tuple[Gap, ...]

    @property
    def values(self) -> Values:
        return self.gaps[0].values

    def count_ways(self) -> int:
        """Return the number of ways to fill this group."""
        return comb(len(self.values) + len(self.gaps) - 1, len(self.gaps))


def is_open(value: object) -> bool:
    """Return whether a value of a case stands for several."""
    if value == UNKNOWN:
        return True
    return isinstance(value, dict) and (
        value.keys() == {"one_of"} or value.keys() == {"from", "to"}
    )


def find_gaps(kind: Kind, case: Case) -> list[Gap]:
    """Return the gaps of a case, in its order; raise Malformed."""
    found = []
    for place in kind.places(case):
        if is_open(place.value) and place.leaf.label:
            possible = place.leaf.values(case, place.path)
            if possible:
                found.append(Gap(place, _choose_values(place, possible, case)))
    return found


def _choose_values(place: Place, possible: Values, case: Case) -> Values:
    """Return the possible values of a gap: all, a range, or a list from the case."""
    name, value = place.spelled, place.value
    if value == UNKNOWN:
        return possible
    found: Values
    if "from" in value:
        check_fields(value, ("from", "to"), ("from", "to"), f"{name}.")
        least, most = (check_int(value[end], f"{name}.{end}") for end in ("from", "to"))
        leaf = place.leaf
        limits = (leaf.least, leaf.most) if isinstance(leaf, Number) else (1, 0)
        found = range(max(least, limits[0]), min(most, limits[1]) + 1)
    else:
        field = f"{name}.one_of"
        one_of = enumerate(check_list(value["one_of"], field))
        found = [place.leaf.read(one, f"{field}[{n}]", case) for n, one in one_of]
        for n, one in enumerate(found):
            if one not in possible:
                check_choice(one, f"{field}[{n}]", possible)
    if not found:
        raise Malformed(name, N_("{field}: none of that is possible."))
    return found


def group_gaps(gaps: Iterable[Gap]) -> list[GapGroup]:
    """Put gaps together that are alike: in the same list, with the same values."""
    ordered: dict[tuple[object, ...], list[Gap]] = {}
    for gap in gaps:
        path = gap.place.path
        key = (path[:-1], repr(gap.values)) if gap.place.alike else (path, "")
        ordered.setdefault(key, []).append(gap)
    return [GapGroup(tuple(each)) for each in ordered.values()]


class Template:
    """A case whose gaps are filled in again and again: `case` is always the same object."""

    def __init__(self, case: JsonObject, groups: Sequence[GapGroup]) -> None:
        self.case: JsonObject = _copy(case)
        self._holders = [
            [(self._find(gap), gap.place.path[-1], group.values) for gap in group.gaps]
            for group in groups
        ]

    def _find(self, gap: Gap) -> Any:
        """Return the list or object around a gap."""
        at: Any = self.case
        for part in gap.place.path[:-1]:
            at = at[part]
        return at

    def fill(self, filling: Filling) -> JsonObject:
        """Fill every gap; return the case."""
        for holders, numbers in zip(self._holders, filling, strict=True):
            for (holder, key, values), number in zip(holders, numbers, strict=True):
                holder[key] = values[number]
        return self.case


def _copy(plain: object) -> Any:
    """Return plain data of its own; several times as fast as a copy of anything."""
    if isinstance(plain, dict):
        return {key: _copy(value) for key, value in plain.items()}
    return [_copy(value) for value in plain] if isinstance(plain, list) else plain


def say_values(gap: Gap, numbers: Sequence[int]) -> list[Message]:
    """Return values of a gap in words."""
    return say_in_runs(gap.place, [gap.values[n] for n in numbers])


def say_in_runs(place: Place, values: Sequence[Any]) -> list[Message]:
    """Return values in words; numbers that follow each other as a range."""
    if len(values) < 3 or any(type(value) is not int for value in values):
        return [place.leaf.say(value) for value in values]
    found: list[Message] = []
    for _, run in groupby(enumerate(values), lambda each: each[1] - each[0]):
        numbers = [value for _, value in run]
        if len(numbers) > 2:
            ends = {"least": numbers[0], "most": numbers[-1]}
            found.append(Message(N_("{least} to {most}"), ends))
        else:
            found += map(place.leaf.say, numbers)
    return found


# The endings.

MOST_BRANCHES, MOST_CONDITIONS = 8, 2
"""As many cases people read, and as much in one of them; beyond that an example says more."""

FeatureRow = tuple[tuple[int, ...], Hashable]
"""One filling, as the values of its features, and the ending that it leads to."""

Conditions = tuple[tuple[int, tuple[int, ...]], ...]
"""The features that count, each with the values it may have."""


class Branch(NamedTuple):
    """A set of fillings that all lead to one ending."""

    conditions: Conditions
    ending: Hashable


class TooManyBranches(Exception):
    """There is more to tell apart than people read."""


def find_branches(rows: Sequence[FeatureRow]) -> list[Branch]:
    """Return the branches that tell the endings of these fillings apart; [] if too many."""
    if len({ending for _, ending in rows}) > MOST_BRANCHES:
        return []
    try:
        found = _split(list(rows))
    except TooManyBranches:
        return []
    return found if all(len(one.conditions) <= MOST_CONDITIONS for one in found) else []


def _split(rows: list[FeatureRow]) -> list[Branch]:
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


def _by_value(rows: list[FeatureRow], feature: int) -> dict[int, list[FeatureRow]]:
    found: dict[int, list[FeatureRow]] = {}
    for row in rows:
        found.setdefault(row[0][feature], []).append(row)
    return found


def _disorder(rows: list[FeatureRow], feature: int) -> tuple[float, int]:
    """Return the mix of endings left once a feature is known; the least is best."""
    parts = _by_value(rows, feature)
    if len(parts) == 1:
        return float("inf"), feature
    mixed = sum(len({ending for _, ending in part}) * len(part) for part in parts.values())
    return mixed, len(parts)


def _merge_alike(parts: dict[int, list[FeatureRow]]) -> list[tuple[tuple[int, ...], list[Branch]]]:
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
    groups: Sequence[GapGroup]
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
        case = Template(self.case, self.groups).fill(self.example_of(ending))
        return case, self.kind.decide(case)


def judge_fillings(case: JsonObject) -> CaseFillings:
    """Judge a case for every way to fill its gaps; raise Malformed."""
    kind = find_kind(case)
    gaps = find_gaps(kind, case)
    groups = group_gaps(gaps)
    if (n := prod(group.count_ways() for group in groups)) > MOST_JUDGED:
        widest = max(gaps, key=lambda gap: len(gap.values))
        text = N_(
            "{field}: this leaves {n} possibilities, more than {most}. Write what is possible, as "
            '{{"from": 0, "to": 5}}.'
        )
        raise Malformed(shorten(widest.place.spelled), text, n=n, most=MOST_JUDGED)
    return CaseFillings(case, kind, groups, *_judge_each(case, kind, groups))


def _judge_each(
    case: JsonObject, kind: Kind, groups: Sequence[GapGroup]
) -> tuple[list[Judged], dict[Hashable, Comes]]:
    """Return every filling that the judge takes, and the endings; raise Malformed if none.

    Until one is read as a whole, all are; then only its gaps change.
    """
    judged, endings = list[Judged](), dict[Hashable, Comes]()
    first_fault: Malformed | None = None
    template, known = Template(case, groups), None
    ways = (combinations_with_replacement(range(len(g.values)), len(g.gaps)) for g in groups)
    for filling in product(*ways):
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
    return judged, endings


def gains_of(verdict: Verdict, kind: Kind) -> Gains:
    """Return everyone's gains by name; none for a score, where only the winner counts."""
    return {} if isinstance(verdict, Score) else kind.gains(verdict)


def find_comes(verdict: Verdict, kind: Kind) -> Comes:
    """Return the outcome of a verdict; its `repr` is the key of the ending."""
    return Comes(gains_of(verdict, kind), kind.outcomes(verdict))


def list_features(groups: Sequence[GapGroup]) -> list[range]:
    """Return the numbers of the features of each group: a value, or the count of each value."""
    found, at = [], 0
    for group in groups:
        n = 1 if len(group.gaps) == 1 else len(group.values)
        found.append(range(at, at + n))
        at += n
    return found


def _row(one: Judged, groups: Sequence[GapGroup], sort: Hashable) -> FeatureRow:
    features: list[int] = []
    for group, numbers in zip(groups, one.filling, strict=True):
        if len(group.gaps) == 1:
            features += numbers
        else:
            features += [numbers.count(n) for n in range(len(group.values))]
    return tuple(features), sort
