"""Cases in which something is not known: what is open in them, and every way to fill it in.

Laws: what is not known is written as “?”, as {"one_of": […]}, or as {"from": …, "to": …}, where a
game says which values there can be; anywhere else the judge refuses it like any other wrong value.
Things that are alike, such as the cards at one bank, are filled in once for each handful, whatever
their order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, groupby, product
from math import comb, prod
from typing import Any, NamedTuple

from companion.core.cards import Box
from companion.core.errors import Malformed
from companion.core.house_rules import describe_house_rule
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.judge.fields import (
    OpenField,
    Path,
    Values,
    check_choice,
    check_fields,
    check_int,
    check_list,
    shorten,
)
from companion.judge.sheet import UNKNOWN

Filling = tuple[tuple[int, ...], ...]
"""A way to fill in a case: for each group of gaps the numbers of its values."""


class Gap(NamedTuple):
    """Something unknown in a case: where it stands, what it can be, and its kind of field."""

    path: Path
    values: Values
    field: OpenField

    @property
    def label(self) -> Message:
        return self.field.label(self.path)


class Group(NamedTuple):
    """Gaps that are filled together: one alone, or several that are alike."""

    gaps: tuple[Gap, ...]

    @property
    def values(self) -> Values:
        return self.gaps[0].values

    def count_ways(self) -> int:
        """Return in how many ways this can be filled."""
        return comb(len(self.values) + len(self.gaps) - 1, len(self.gaps))

    def fillings(self) -> Iterator[tuple[int, ...]]:
        """Yield every way to fill this, each value by its number."""
        yield from combinations_with_replacement(range(len(self.values)), len(self.gaps))


def house_rule_field(box: Box) -> OpenField:
    """Return how an unknown house rule of a box is filled in."""
    return OpenField(
        values=lambda _case, path: box.house_rules.get(str(path[-1]), ()),
        label=lambda _path: Message(N_("the house rule")),
        say=lambda rule: describe_house_rule(*rule),
    )


def is_open(value: object) -> bool:
    """Return whether a value of a case stands for several."""
    if value == UNKNOWN:
        return True
    return isinstance(value, dict) and (
        value.keys() == {"one_of"} or value.keys() == {"from", "to"}
    )


def find_gaps(case: Mapping[str, object], fields: Mapping[str, OpenField]) -> list[Gap]:
    """Return what is unknown in a case, in its order; raise Malformed."""
    found = []
    for path, value in _walk(case, ()):
        field = _find_field(path, fields) if is_open(value) else None
        possible = field.values(case, path) if field is not None else ()
        if field is not None and possible:
            found.append(Gap(path, _choose_values(path, value, possible), field))
    return found


def _walk(value: object, path: Path) -> Iterator[tuple[Path, object]]:
    """Yield every place of a case with its value, down to the gaps."""
    if path and is_open(value):
        yield path, value
    elif isinstance(value, dict) and len(path) < 4:
        for key, inner in value.items():
            yield from _walk(inner, (*path, key))
    elif isinstance(value, list) and len(path) < 4:
        for n, inner in enumerate(value):
            yield from _walk(inner, (*path, n))


def _find_field(path: Path, fields: Mapping[str, OpenField]) -> OpenField | None:
    """Return the field at a path; “*” stands for any one part."""
    for pattern, field in fields.items():
        parts = pattern.split(".")
        if len(parts) == len(path) and all(
            part in ("*", str(at)) for part, at in zip(parts, path, strict=True)
        ):
            return field
    return None


def spell_path(path: Path) -> str:
    """Return a path as errors name it: “bids.Ana”, “cards[2]”."""
    first, *rest = path
    return str(first) + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in rest)


def _choose_values(path: Path, value: Any, possible: Values) -> Values:
    """Return those of the possible values that a case names."""
    name = spell_path(path)
    if value == UNKNOWN:
        return possible
    found: Values
    if "from" in value:
        check_fields(value, ("from", "to"), prefix=f"{name}.")
        least, most = (check_int(value[end], f"{name}.{end}") for end in ("from", "to"))
        found = range(least, most + 1) if type(possible[0]) is int else ()
    else:
        found = check_list(value["one_of"], f"{name}.one_of")
        for n, one in enumerate(found):
            if _in_one_spelling(one) not in map(_in_one_spelling, possible):
                check_choice(one, f"{name}.one_of[{n}]", [str(each) for each in possible])
    if not found:
        raise Malformed(name, N_("{field}: none of that is possible."))
    return found


def _in_one_spelling(value: object) -> object:
    """Return a value as it is compared: the colours of a card may be listed either way round."""
    return sorted(map(str, value)) if isinstance(value, list) else value


def group_gaps(gaps: Iterable[Gap]) -> list[Group]:
    """Put gaps together that are alike: in the same list, with the same values."""
    ordered: dict[tuple[object, ...], list[Gap]] = {}
    for gap in gaps:
        key = (gap.path[:-1], repr(gap.values)) if gap.field.alike else (gap.path, "")
        ordered.setdefault(key, []).append(gap)
    return [Group(tuple(each)) for each in ordered.values()]


def count_fillings(groups: Iterable[Group]) -> int:
    """Return in how many ways all gaps can be filled."""
    return prod(group.count_ways() for group in groups)


def list_fillings(groups: Sequence[Group]) -> Iterator[Filling]:
    """Yield every way to fill all gaps: for each group the numbers of its values."""
    yield from product(*(group.fillings() for group in groups))


class Template:
    """A case whose gaps are filled in again and again: `case` is always the same object."""

    def __init__(self, case: JsonObject, groups: Sequence[Group]) -> None:
        self.case: JsonObject = _copy(case)
        self._places = [
            [(self._find(gap.path), gap.path[-1], group.values) for gap in group.gaps]
            for group in groups
        ]

    def _find(self, path: Path) -> Any:
        """Return the list or object in which the last part of a path stands."""
        at: Any = self.case
        for part in path[:-1]:
            at = at[part]
        return at

    def fill(self, filling: Filling) -> JsonObject:
        """Fill every gap; return the case."""
        for places, numbers in zip(self._places, filling, strict=True):
            for (place, key, values), number in zip(places, numbers, strict=True):
                place[key] = values[number]
        return self.case


def _copy(plain: object) -> Any:
    """Return plain data of its own; several times as fast as a copy of anything."""
    if isinstance(plain, dict):
        return {key: _copy(value) for key, value in plain.items()}
    return [_copy(value) for value in plain] if isinstance(plain, list) else plain


def fill_case(case: JsonObject, groups: Sequence[Group], filling: Filling) -> JsonObject:
    """Return a case with the gaps filled; what has no gap in it is shared with the given case."""
    filled = dict(case)
    for group, numbers in zip(groups, filling, strict=True):
        for gap, number in zip(group.gaps, numbers, strict=True):
            at: Any = filled
            for part in gap.path[:-1]:
                at[part] = at[part].copy()
                at = at[part]
            at[gap.path[-1]] = group.values[number]
    return filled


def say_values(gap: Gap, numbers: Sequence[int]) -> list[Message]:
    """Return values of a gap in words; numbers that follow each other as a range."""
    values = [gap.values[n] for n in numbers]
    if len(values) < 3 or any(type(value) is not int for value in values):
        return [_say(gap, value) for value in values]
    runs = groupby(enumerate(values), lambda each: each[1] - each[0])
    found: list[Message] = []
    for _, run in runs:
        numbers_in = [value for _, value in run]
        ends = {"least": numbers_in[0], "most": numbers_in[-1]}
        if len(numbers_in) > 2:
            found.append(Message(N_("{least} to {most}"), ends))
        else:
            found += [_say(gap, value) for value in numbers_in]
    return found


def _say(gap: Gap, value: Any) -> Message:
    if gap.path[0] == "house_rules":
        return gap.field.say((gap.path[-1], value))
    return gap.field.say(value)


def refuse_too_many(gaps: Sequence[Gap], n: int, most: int) -> Malformed:
    """Return why a case with so many possibilities is not judged."""
    widest = max(gaps, key=lambda gap: len(gap.values))
    text = N_(
        "{field}: this leaves {n} possibilities, more than {most}. Write what is possible, as "
        '{{"from": 0, "to": 5}}.'
    )
    return Malformed(shorten(spell_path(widest.path)), text, n=n, most=most)
