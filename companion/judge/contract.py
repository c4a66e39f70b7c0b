"""The contract of cases: what a case of each kind is made of, as types, and all of it as a schema.

Laws: there is one contract. From the type of a kind follow the fields that its cases must have and
may have, the JSON Schema that `companion judge --schema` prints, and the fields of the web's
operations. A case that does not fit its type is refused; one that fits is judged, or refused for a
reason that no type can say, such as a card that the box holds only twice.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from companion.core.json_values import JsonArray, JsonObject

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class AnyCase(Struct, frozen=True, forbid_unknown_fields=True):
    """A case; its game and its kind decide what else it has."""


class CasePart(Struct, frozen=True, forbid_unknown_fields=True):
    """An object within a case."""


class Possible(CasePart, frozen=True):
    """What an unknown value may be: one of these, or a number between two."""

    one_of: JsonArray | UnsetType = UNSET
    from_: int | UnsetType = msgspec.field(default=UNSET, name="from")
    to: int | UnsetType = UNSET


Whole = Annotated[int, Meta(ge=0)]
Unknown = Literal["?"]
OpenNumber = Whole | Unknown | Possible
"""A whole number that may be unknown."""
OpenWord = str | Possible
"""A name that may be unknown, then “?”."""
Names = Annotated[list[str], Meta(min_length=1)]
"""Players, in clockwise order."""
HouseRules = dict[str, OpenWord] | UnsetType
"""The house rules that are named; every other one is played as the box has it."""

SHAPES: dict[type, object] = {bool: bool, int: OpenNumber, str: OpenWord, list: JsonArray}


def type_from_example(
    example: Mapping[str, object], optional: Mapping[str, object]
) -> type[Struct]:
    """Return the type of the cases of a kind that has declared none: what its example has, or may
    have besides. Which of it a case needs, only the judge of that game knows."""
    known = {"house_rules": {}, **optional, **example}
    fields: list[Any] = [
        (name, Literal[example[name]]) for name in ("game", "kind") if name in example
    ]
    fields += [
        (name, SHAPES.get(type(value), JsonObject) | UnsetType, UNSET)
        for name, value in known.items()
        if name not in ("game", "kind")
    ]
    title = "_".join(str(example.get(name, "")) for name in ("game", "kind"))
    name = "".join(word.capitalize() for word in title.split("_")) + "Case"
    return defstruct(name, fields, bases=(AnyCase,), module=title, frozen=True)


def write_schema(shapes: Iterable[type[Struct]]) -> JsonObject:
    """Return the JSON Schema of a case that has one of these types."""
    refs, parts = msgspec.json.schema_components(shapes, ref_template="#/$defs/{name}")
    return {"$schema": DIALECT, "title": "A case for the judge", "oneOf": [*refs], "$defs": parts}
