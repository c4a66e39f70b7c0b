"""Cases with unknown values: their gaps, and every way to fill them in.

Laws: what is not known is written as “?”, as {"one_of": […]}, or as {"from": …, "to": …}, at any
single value that has a label; anywhere else the judge refuses it like any other wrong value.
Things that are alike, such as the cards at one bank, are filled in once for each handful, whatever
their order.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, groupby, product
from math import comb, prod
from typing import Any, NamedTuple

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_, Message
from companion.judge.checks import check_choice, check_fields, check_int, check_list, shorten
from companion.judge.kinds import Kind
from companion.judge.values import UNKNOWN, Case, Number, Place, Values

Filling = tuple[tuple[int, ...], ...]
"""A way to fill in a case: for each group of gaps the numbers of its values."""


class Gap(NamedTuple):
    """An unknown value of a case: its place, and its possible values."""

    place: Place
    values: Values


class Group(NamedTuple):
    """Gaps that are filled together: one alone, or several alike."""

    gaps: tuple[Gap, ...]

    @property
    def values(self) -> Values:
        return self.gaps[0].values

    def count_ways(self) -> int:
        """Return the number of ways to fill this group."""
        return comb(len(self.values) + len(self.gaps) - 1, len(self.gaps))

    def fillings(self) -> Iterator[tuple[int, ...]]:
        """Yield every way to fill this, each value by its number."""
        yield from combinations_with_replacement(range(len(self.values)), len(self.gaps))


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


def group_gaps(gaps: Iterable[Gap]) -> list[Group]:
    """Put gaps together that are alike: in the same list, with the same values."""
    ordered: dict[tuple[object, ...], list[Gap]] = {}
    for gap in gaps:
        path = gap.place.path
        key = (path[:-1], repr(gap.values)) if gap.place.alike else (path, "")
        ordered.setdefault(key, []).append(gap)
    return [Group(tuple(each)) for each in ordered.values()]


def count_fillings(groups: Iterable[Group]) -> int:
    """Return the number of ways to fill all gaps."""
    return prod(group.count_ways() for group in groups)


def list_fillings(groups: Sequence[Group]) -> Iterator[Filling]:
    """Yield every way to fill all gaps: for each group the numbers of its values."""
    yield from product(*(group.fillings() for group in groups))


class Template:
    """A case whose gaps are filled in again and again: `case` is always the same object."""

    def __init__(self, case: JsonObject, groups: Sequence[Group]) -> None:
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


def fill_case(case: JsonObject, groups: Sequence[Group], filling: Filling) -> JsonObject:
    """Return a case of its own with the gaps filled."""
    return Template(case, groups).fill(filling)


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


def refuse_too_many(gaps: Sequence[Gap], n: int, most: int) -> Malformed:
    """Return the refusal of a case with this many possibilities."""
    widest = max(gaps, key=lambda gap: len(gap.values))
    text = N_(
        "{field}: this leaves {n} possibilities, more than {most}. Write what is possible, as "
        '{{"from": 0, "to": 5}}.'
    )
    return Malformed(shorten(widest.place.spelled), text, n=n, most=most)
