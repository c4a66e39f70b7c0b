"""The form of a kind of dispute: fields of an address become a case, and a case fills them.

Laws: the form follows from the declared shapes. A field is named by its path, with the number of a
player for a name: “bids.1”, “cards.5”, “banks.red.2”. Fields are read strictly, and an error names
the field of the form. An empty field counts as absent, as a page without scripts sends every field.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_
from companion.judge import shapes
from companion.judge.kinds import MOST_ALIKE, Kind
from companion.judge.values import UNKNOWN, Few, Leaf, Number, Player, Shape, YesNo

NAME_FIELD = "name"
OPEN = "open."
"""Prefix of the field that is ticked if a number is not known."""
OWNER = "owner."
"""Prefix of the field that names the owner of a thing."""
NUMBER = re.compile(r"[0-9]{1,7}")

Fields = Mapping[str, str]


class Sheet(NamedTuple):
    """A form that is filled in; `given` is the case that an address filled in, as long as no field
    was changed."""

    kind: Kind
    fields: Fields
    given: JsonObject | None = None

    @property
    def players(self) -> int:
        """Return the number of players in the form, within the limits of the box."""
        most: int = self.kind.box.players.most
        written = self.fields.get("players", "")
        n = int(written) if NUMBER.fullmatch(written) else min(3, most)
        return max(1, min(n, most))

    def read_text(self, field: str) -> str:
        """Return the text of a field."""
        return self.fields.get(field, "").strip()

    def read_number(self, field: str) -> int:
        """Return the number of a field, 0 if it is empty; raise Malformed if it is none."""
        written = self.read_text(field)
        if not written or NUMBER.fullmatch(written):
            return int(written or 0)
        raise Malformed(field, N_("“{value}” is not a whole number."), value=written[:20])

    def read_names(self) -> list[str]:
        """Return the players' names, clockwise; raise Malformed if one is missing or double."""
        found = [self.read_text(f"{NAME_FIELD}{n}") for n in range(1, self.players + 1)]
        for n, name in enumerate(found, 1):
            if not name:
                raise Malformed(f"{NAME_FIELD}{n}", N_("Every player needs a name."))
            if name in found[: n - 1]:
                raise Malformed(f"{NAME_FIELD}{n}", N_("Two players have the same name."))
        return found

    def make_case(self) -> JsonObject:
        """Return the case of the form, without empty optional fields; raise Malformed."""
        names = self.read_names()
        case: JsonObject = {name: self.kind.example[name] for name in ("game", "kind")}
        for name, shape in self.kind.shapes.items():
            value = self._read(shape, name, names)
            if value is not None and (value or name in self.kind.needed):
                case[name] = value
        return case

    def _read(self, shape: Shape, name: str, names: list[str]) -> Any:
        """Return the value of a shape; None if nothing is filled in."""
        found: Any = None
        match shape:
            case shapes.Players():
                found = names
            case shapes.HouseRules():
                rules = {rule: self.read_text(f"rule_{rule}") for rule in self.kind.asked}
                found = {rule: answer for rule, answer in rules.items() if answer}
            case shapes.ByPlayer():
                by_field = {f"{name}.{n}": who for n, who in enumerate(names, 1)}
                if name in self.kind.needed or any(self._is_filled(shape, f) for f in by_field):
                    found = {w: self._read(shape.of, field, names) for field, w in by_field.items()}
            case shapes.ByKey():
                chosen = {self.read_text(f"{shape.chosen_in}.{n}") for n, _ in enumerate(names, 1)}
                slots = {key: self._read(shape.of, f"{name}.{key}", names) for key in shape.keys}
                found = {
                    key: lying for key, lying in slots.items()
                    if lying or key in chosen or self.read_text(f"{name}.{key}")
                }  # fmt: skip
            case shapes.Group():
                found = self._read_group(shape, name, names)
            case shapes.Listed():
                found = list(self._read_list(shape, name))
            case Leaf():
                found = self._read_leaf(shape, name, names)
        return found

    def _read_group(self, shape: shapes.Group, name: str, names: list[str]) -> JsonObject | None:
        """Return an object; None if one of its fields is not filled in."""
        found: JsonObject = {}
        for key, each in shape.fields.items():
            one = self._read(each, f"{name}.{key}", names)
            if one is None:
                return None
            if one or not shape.by_taps:
                found[key] = one
        return found

    def _is_filled(self, shape: shapes.ByPlayer, name: str) -> bool:
        """Tell whether anything is filled in for one player; lists always are, be it with none."""
        return not isinstance(shape.of, Leaf) or bool(
            self.read_text(name) or self.read_text(OPEN + name)
        )

    def _read_list(self, shape: shapes.Listed, name: str) -> Iterator[Any]:
        of = shape.of
        values = of.values({}, ())
        match shape:
            case shapes.Owned():
                seat = name.split(".")[1]
                yield from (v for v in values if self.read_text(OWNER + of.spell(v)) == seat)
            case shapes.Ticked():
                yield from (v for v in values if self.read_text(f"{name}.{of.spell(v)}"))
            case shapes.Slots():
                written = (self.read_text(f"{name}.{n}") for n in range(1, shape.most + 1))
                yield from (_choose(of, values, text) for text in written if text)
            case _:
                for value in (*values, UNKNOWN):
                    spelled = value if value == UNKNOWN else of.spell(value)
                    n = self.read_number(f"{name}.{spelled}")
                    yield from [value] * min(n, MOST_ALIKE)

    def _read_leaf(self, shape: Leaf, name: str, names: list[str]) -> Any:
        text = self.read_text(name)
        may_be_missing = name in self.kind.optional
        found: Any = None
        if self.read_text(OPEN + name) or text == UNKNOWN:
            found = UNKNOWN
        elif isinstance(shape, YesNo):
            found = text != shape.spell(False)
        elif isinstance(shape, Player):
            n = self.read_number(name)
            found = names[n - 1] if 1 <= n <= len(names) else None
            if found is None and name in self.kind.needed:
                found = names[0]
        elif not text and may_be_missing:
            found = None
        elif isinstance(shape, Number):
            found = self.read_number(name)
        elif not text:
            raise Malformed(name, N_("Choose one of these."))
        else:
            found = _choose(shape, shape.values({}, ()), text)
        return found


def _choose(leaf: Leaf, values: Any, text: str) -> Any:
    """Return the value that is spelled so; the text itself if none is."""
    return next((value for value in values if leaf.spell(value) == text), text)


def fill_form(kind: Kind, case: JsonObject) -> dict[str, str]:
    """Return the form's fields for a case that is sound but for its gaps."""
    names = kind.name_players(case)
    found = {"players": str(len(names))}
    found |= {f"{NAME_FIELD}{n}": name for n, name in enumerate(names, 1)}
    for name, shape in kind.shapes.items():
        if name in case:
            found |= _fill(shape, case[name], name, names)
    return found


def _fill(shape: Shape, value: Any, name: str, names: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    match shape:
        case shapes.HouseRules():
            found = {f"rule_{rule}": _spell_open(answer) for rule, answer in value.items()}
        case shapes.ByPlayer():
            for n, who in enumerate(names, 1):
                if who in value:
                    found |= _fill(shape.of, value[who], f"{name}.{n}", names)
        case shapes.ByKey():
            for key, lying in value.items():
                found |= {f"{name}.{key}": "1"} | _fill(shape.of, lying, f"{name}.{key}", names)
        case shapes.Group():
            for key, one in value.items():
                found |= _fill(shape.fields[key], one, f"{name}.{key}", names)
        case shapes.Listed():
            found = _fill_list(shape, value, name)
        case Leaf():
            found = _fill_leaf(shape, value, name, names)
    return found


def _spell_open(value: Any) -> str:
    return value if isinstance(value, str) else UNKNOWN


def _fill_list(shape: shapes.Listed, value: list[Any], name: str) -> dict[str, str]:
    spelled = [UNKNOWN if _is_open(one) else shape.of.spell(one) for one in value]
    match shape:
        case shapes.Owned():
            return {OWNER + one: name.split(".")[1] for one in spelled if one != UNKNOWN}
        case shapes.Ticked():
            return {f"{name}.{one}": "1" for one in spelled if one != UNKNOWN}
        case shapes.Slots():
            return {f"{name}.{n}": one for n, one in enumerate(spelled, 1)}
    return {f"{name}.{one}": str(n) for one, n in Counter(spelled).items()}


def _fill_leaf(shape: Leaf, value: Any, name: str, names: list[str]) -> dict[str, str]:
    if _is_open(value):
        is_ticked = isinstance(shape, Number) and not isinstance(shape, Few)
        return {OPEN + name: "1"} if is_ticked else {name: UNKNOWN}
    if isinstance(shape, Player):
        return {name: str(names.index(value) + 1)}
    return {name: shape.spell(value)}


def _is_open(value: Any) -> bool:
    return value == UNKNOWN or isinstance(value, dict)
