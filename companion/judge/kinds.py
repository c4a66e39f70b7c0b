"""Kinds of dispute: each is declared once, by its fields and the resolution that decides it.

Law: the judge resolves nothing by itself. A case is read strictly and handed to the same
resolution that the live table uses; a table whose box differs is judged by the box it has.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from companion.core.cards import Box
from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import COUNTED_NOUNS, N_, Message
from companion.core.verdict import Verdict
from companion.judge.checks import check_fields
from companion.judge.shapes import ByKey, ByPlayer, HouseRules
from companion.judge.values import Case, Leaf, Number, Place, Shape, Values

Gains = dict[str, dict[str, int]]
"""Gains of each player by a verdict, by name: coins, or money."""

MOST_ALIKE = 99
"""Most of a thing that a form takes, where the box does not say."""
FORTUNES = N_("What does everyone own?")
WINS, SCORE_HEADING = N_("the win goes to {who}"), N_("The final score")


class Held(NamedTuple):
    """The stock of the box of the things in some fields of a case, or of a number in them
    by its name; a guess about the box refuses nothing, its resolutions warn."""

    fields: tuple[str, ...]
    most: Mapping[Any, int]
    is_guess: bool = False


class Decision(NamedTuple):
    """A field that each player decided: the question about it, and another answer in words."""

    field: str
    question: str
    instead: str


class Kind(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A kind of dispute at tables with this box.

    `resolve` decides a case that was read; then `house_rules` has every rule. `gains` and
    `outcomes` say what a verdict brings to everyone, and what else it decides, each in words and
    always in the same order. `optional` fields may be missing. The verdict of a plain kind is its
    steps, without a picture. `name_kinds` adds the `box`, and the house rules that are `asked` in a
    form.
    """

    resolve: Callable[[JsonObject], Verdict]
    question: str
    heading: str
    example: JsonObject
    fields: Mapping[str, Shape]
    outcomes: Callable[[Any], tuple[Message, ...]]
    gains: Callable[[Any], Gains] = lambda _verdict: {}
    optional: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    holds: tuple[Held, ...] = ()
    box: Any = None
    decision: Decision | None = None
    is_plain: bool = False

    @cached_property
    def shapes(self) -> Mapping[str, Shape]:
        """The fields, and the house rules, which every kind has."""
        return {**self.fields, "house_rules": HouseRules(self.box)}

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """The names of the fields that a case must have."""
        return ("game", "kind", *(name for name in self.fields if name not in self.optional))

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The names of all fields that a case may have."""
        return (*self.needed, *self.optional, "house_rules")

    @cached_property
    def _compared(self) -> list[tuple[str, str]]:
        """The fields with a number of each player, and those with no less of each."""
        return [
            (name, shape.of.below)
            for name, shape in self.fields.items()
            if isinstance(shape, ByPlayer) and isinstance(shape.of, Number) and shape.of.below
        ]

    def decide(self, case: Case) -> Verdict:
        """Return the verdict on a case; raise Malformed."""
        return self.settle(self.read(case))

    def read(self, case: Case) -> JsonObject:
        """Return the fields of a case as the rules take them, and the box; raise Malformed."""
        check_fields(case, self.needed, self.known)
        defaults = self.shapes["house_rules"].read({}, "house_rules", {})
        told: JsonObject = {"box": self.box, "house_rules": defaults}
        for name, shape in self.shapes.items():
            if name in case:
                told[name] = shape.read(case[name], name, told)
        return told

    def settle(self, told: JsonObject) -> Verdict:
        """Return the verdict on a case whose values are sound one by one; raise Malformed."""
        for name, below in self._compared:
            for who, n in told[name].items() if below in told else ():
                if n > told[below][who]:
                    text = N_("{field} is {bid}, but {name} owns only {owned}.")
                    facts = {"bid": n, "name": who, "owned": told[below][who]}
                    raise Malformed(f"{name}.{who}", text, **facts)
        for held in self.holds:
            if not held.is_guess:
                self._check_held(held, told)
        return self.resolve(told)

    def _check_held(self, held: Held, told: JsonObject) -> None:
        """Raise Malformed if there is more of anything than the box holds."""
        lying = Counter[Any]()
        for name in held.fields:
            if name in told:
                self.shapes[name].count(told[name], name, lying)
        for thing, n in lying.items():
            if n <= held.most.get(thing, n):
                continue
            field, most = ", ".join(held.fields), held.most[thing]
            if most > 1:
                use = Message("{n} × {name}", {"n": n, "name": thing})
                if thing in COUNTED_NOUNS:
                    use = Message(f"{{{thing}}}", {thing: n})
                raise Malformed(field, N_("{field}: {use}, but the box holds {most}."),
                                use=use, most=most)  # fmt: skip
            there = (place for place in self.places(told) if place.path[0] in held.fields)
            first, second, *_ = (one for one in there if one.leaf.spell(one.value) == str(thing))
            text = N_("{field}: the box holds this card once, and {other} has it already.")
            raise Malformed(second.spelled, text, other=first.spelled)

    def places(self, case: Case) -> Iterator[Place]:
        """Yield every single value of a case as it was written, in its order."""
        for name, value in case.items():
            if name in self.shapes:
                yield from self.shapes[name].places(value, (name,), {})

    def find_label(self, case: Case, field: str) -> Message | None:
        """Return the label of the value at a field of an error; None if it has none."""
        return next((p.label for p in self.places(case) if p.spelled == field and p.leaf.label),
                    None)  # fmt: skip

    def name_players(self, case: Case) -> list[str]:
        """Return the players of a case: as it lists them, or as its first map has them."""
        if "players" in case:
            return list(case["players"])
        first = next(n for n, s in self.shapes.items() if isinstance(s, ByPlayer) and not s.who)
        return list(case[first])

    def choices_of(self, leaf: Leaf) -> Values:
        """Return the choices of a form; where the case decides, all that the box has of it."""
        keys = next((s.keys for s in self.shapes.values() if isinstance(s, ByKey)), ())
        return leaf.values({}, ()) or [*keys]

    def most_of(self, thing: object) -> int:
        """Return a form's limit for a thing."""
        known = (held.most for held in self.holds if not held.is_guess)
        return next((most[thing] for most in known if thing in most), MOST_ALIKE)

    def schema(self) -> JsonObject:
        """Return the JSON Schema of the cases of this kind."""
        named = {name: {"const": self.example[name]} for name in ("game", "kind")}
        shapes = {name: shape.schema() for name, shape in self.shapes.items()}
        return {
            "type": "object",
            "properties": {**named, **shapes},
            "required": [*self.needed],
            "additionalProperties": False,
        }


Kinds = Mapping[str, Kind]
"""The kinds of dispute of a game, by name."""


def name_kinds(box: Box, deciding: Callable[[str], tuple[str, ...]], **declared: Kind) -> Kinds:
    """Return the kinds of a box by their names, each with its game and name in the example, and
    with the house rules that decide it."""
    return {
        name: msgspec.structs.replace(
            kind,
            box=box,
            example={"game": box.game, "kind": name, **kind.example},
            asked=deciding(name),
        )
        for name, kind in declared.items()
    }


def score_kind(unit: str, **declared: Any) -> Kind:
    """Return the kind of the score that ends a game, whose totals are in this unit."""
    return Kind(
        question=N_("The final score: who wins?"),
        heading=SCORE_HEADING,
        gains=lambda score: {name: {unit: total} for name, total in score.totals.items()},
        outcomes=lambda score: (Message(WINS, {"who": list(score.winners)}),),
        **declared,
    )
