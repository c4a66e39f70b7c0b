"""The shapes of a case: lists and objects of values, by player, by thing, by field.

Law: a shape is declared once, and all else follows: reading with a sentence that names the field,
the JSON Schema, the places that may be unknown, and the form (`forms`).
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from companion.core.cards import Box
from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_, Facts, Message
from companion.core.verdict import describe_house_rule
from companion.judge import checks
from companion.judge.values import Case, Choice, Leaf, Path, Place, Shape, open_schema


class Listed(Shape):
    """A list of alike things. In a form they are counted; `below` is a field that says how many of
    each there can be."""

    widget = "counted"

    def __init__(self, of: Leaf, *, alike: bool = True, below: str = "", asks: str = "") -> None:
        self.of, self.alike, self.below, self.asks = of, alike, below, asks

    def read(self, value: Any, at: str, case: Case) -> list[Any]:
        of = self.of
        return [
            one if of.fits(one, case) else of.read(one, f"{at}[{n}]", case)
            for n, one in enumerate(checks.check_list(value, at))
        ]

    def places(self, value: Any, path: Path, facts: Facts) -> Iterator[Place]:
        if isinstance(value, list):
            for n, one in enumerate(value):
                yield Place((*path, n), one, self.of, {**facts, "n": n + 1}, self.alike)

    def count(self, value: Any, key: str, counts: Counter[Any]) -> None:
        for one in value:
            self.of.count(one, key, counts)

    def schema(self) -> JsonObject:
        return {"type": "array", "items": self.of.schema()}


class Ticked(Listed):
    """A list of things, each there or not."""

    widget = "ticked"


class Owned(Listed):
    """A list of things of which the box has one each; in a form each thing has one owner."""

    widget = "owned"


class Slots(Listed):
    """A list of no more than `most` things, in their order."""

    widget = "slots"

    def __init__(self, of: Leaf, most: int) -> None:
        super().__init__(of, alike=False)
        self.most = most

    def read(self, value: Any, at: str, case: Case) -> list[Any]:
        found = super().read(value, at, case)
        if len(found) > self.most:
            text = N_("{field} holds {n} cards, but the police come at {most}.")
            raise Malformed(at, text, n=len(found), most=self.most)
        return found


class Players(Shape):
    """The names of the players, clockwise; `full` if fewer than the box seats are refused."""

    widget = "players"

    def __init__(self, *, full: bool = False) -> None:
        self.full = full

    def read(self, value: Any, at: str, case: Case) -> list[str]:
        names = checks.check_players(checks.check_list(value, at), at, case["box"])
        if self.full:
            checks.check_seats(len(names), at, case["box"])
        return names

    def places(self, value: Any, path: Path, facts: Facts) -> Iterator[Place]:
        return iter(())

    def schema(self) -> JsonObject:
        return {"type": "array", "items": {"type": "string"}, "minItems": 1}


class Mapped(Shape):
    """An object with a value of one kind under each of its names."""

    of: Shape

    def count(self, value: Any, key: str, counts: Counter[Any]) -> None:
        for one in value.values():
            self.of.count(one, key, counts)

    def schema(self) -> JsonObject:
        return {"type": "object", "additionalProperties": self.of.schema()}


class ByPlayer(Mapped):
    """A value for each player. Its keys name the players, or the field `who` does; `whole` if none
    of them may be missing."""

    widget = "by_player"

    def __init__(self, of: Shape, *, who: str = "", whole: bool = False, asks: str = "") -> None:
        self.of, self.who, self.whole, self.asks = of, who, whole, asks

    def read(self, value: Any, at: str, case: Case) -> JsonObject:
        found = checks.check_object(value, at)
        if not self.who:
            checks.check_players(found, at, case["box"])
        else:
            self._check_names(found, at, case[self.who])
        of = self.of
        return {
            name: one if of.fits(one, case) else of.read(one, f"{at}.{name}", case)
            for name, one in found.items()
        }

    def _check_names(self, found: JsonObject, at: str, names: Collection[str]) -> None:
        for name in found:
            if name not in names:
                text = N_("{field}: no one of that name plays here.")
                raise Malformed(f"{at}.{checks.shorten(name)}", text)
        for name in names if self.whole else ():
            if name not in found:
                raise Malformed(f"{at}.{name}", N_("{field} is missing."))

    def places(self, value: Any, path: Path, facts: Facts) -> Iterator[Place]:
        if isinstance(value, dict):
            for name, one in value.items():
                yield from self.of.places(one, (*path, name), {**facts, "who": [name]})


class ByKey(Mapped):
    """A value for some of the things that the box names; for any at all if these are a guess. A
    form has those that are ticked, that hold something, or that someone chose in the field
    `chosen_in`."""

    widget = "by_key"

    def __init__(
        self, keys: Collection[str], of: Slots, chosen_in: str, *, is_guess: bool, asks: str = ""
    ) -> None:
        self.keys, self.of, self.chosen_in = keys, of, chosen_in
        self.is_guess, self.asks = is_guess, asks

    def read(self, value: Any, at: str, case: Case) -> JsonObject:
        found = checks.check_object(value, at)
        if not found:
            raise Malformed(at, N_("{field} must name at least one."))
        for key in found:
            if not (self.is_guess and checks.is_plain_name(key)):
                checks.check_choice(key, at, self.keys)
        return {key: self.of.read(one, f"{at}.{key}", case) for key, one in found.items()}

    def places(self, value: Any, path: Path, facts: Facts) -> Iterator[Place]:
        if isinstance(value, dict):
            for key, one in value.items():
                yield from self.of.places(one, (*path, key), {**facts, "colour": key})


class Group(Shape):
    """An object with these fields; `sparse` if any may be missing, then a number counts as none.

    `word` is the fact that the name of a field is, as in a number of each colour.
    """

    widget = "group"

    def __init__(
        self,
        fields: Mapping[str, Shape],
        *,
        sparse: bool = False,
        word: str = "",
        by_taps: bool = False,
        asks: str = "",
    ) -> None:
        self.fields, self.sparse, self.word, self.by_taps = fields, sparse, word, by_taps
        self.asks = asks

    def read(self, value: Any, at: str, case: Case) -> JsonObject:
        found = checks.check_object(value, at)
        checks.check_fields(
            found, () if self.sparse else (*self.fields,), (*self.fields,), f"{at}."
        )
        return {name: self.fields[name].read(one, f"{at}.{name}", case)
                for name, one in found.items()}  # fmt: skip

    def places(self, value: Any, path: Path, facts: Facts) -> Iterator[Place]:
        if isinstance(value, dict):
            for name, one in value.items():
                if name in self.fields:
                    known = {**facts, self.word: name} if self.word else facts
                    yield from self.fields[name].places(one, (*path, name), known)

    def count(self, value: Any, key: str, counts: Counter[Any]) -> None:
        for name, one in value.items():
            self.fields[name].count(one, name, counts)

    def schema(self) -> JsonObject:
        if self.sparse or self.word:
            shape = next(iter(self.fields.values()))
            return {"type": "object", "additionalProperties": shape.schema()}
        return {
            "type": "object",
            "properties": {name: shape.schema() for name, shape in self.fields.items()},
            "required": [*self.fields],
            "additionalProperties": False,
        }


class HouseRules(Shape):
    """The house rules that a case names; every other one has its default."""

    widget = "house_rules"

    def __init__(self, box: Box) -> None:
        self.box, self.defaults = box, box.default_house_rules()
        self.fields = {name: _Rule(name, answers) for name, answers in box.house_rules.items()}

    def read(self, value: Any, at: str, case: Case) -> dict[str, str]:
        for name, answer in checks.check_object(value, at).items():
            field = f"{at}.{checks.shorten(name)}"
            if name not in self.box.house_rules:
                text = N_("{field}: there is no such house rule; these are: {options}.")
                raise Malformed(field, text, options=", ".join(self.box.house_rules) or "–")
            checks.check_choice(answer, field, self.box.house_rules[name])
        return {**self.defaults, **value}

    def places(self, value: Any, path: Path, facts: Facts) -> Iterator[Place]:
        if isinstance(value, dict):
            for name, answer in value.items():
                if name in self.fields:
                    yield Place((*path, name), answer, self.fields[name], facts)

    def schema(self) -> JsonObject:
        return {"type": "object", "additionalProperties": open_schema({"type": "string"})}


class _Rule(Choice):
    """The answer to one house rule."""

    def __init__(self, name: str, answers: Collection[str]) -> None:
        super().__init__(answers, label=N_("the house rule"))
        self.name = name

    def say(self, value: Any) -> Message:
        return describe_house_rule(self.name, value)
