"""JSON Schema as our documents use it: what is wrong with a thing by its schema.

Law: a keyword that is not known here is an error, so that none is passed over.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list, tuple), "string": (str,), "integer": (int,),
    "number": (int, float), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip
SAID = {
    "title", "description", "default", "discriminator", "$schema", "$defs", "components",
    "additionalProperties",
}  # fmt: skip
"""What allows nothing by itself."""


def is_valid(schema: Schema, thing: Any, whole: Schema | None = None) -> bool:
    return next(faults(schema, thing, whole or schema), None) is None


def faults(schema: Schema, thing: Any, whole: Schema) -> Iterator[str]:
    """Yield the faults of a value; references lead into the whole schema."""
    for keyword, value in schema.items():
        if keyword in ("anyOf", "oneOf"):
            if not any(is_valid(one, thing, whole) for one in value):
                yield f"{thing!r} is none of these"
        elif keyword == "$ref":
            yield from faults(find_part(whole, value), thing, whole)
        elif keyword not in SAID and not RIGHT[keyword](value, thing):
            yield f"{thing!r} is not {keyword} {value!r}"
    for part, item in _parts(schema, thing):
        yield from faults(part, item, whole)
    if schema.get("additionalProperties") is False and isinstance(thing, dict):
        yield from (f"{name} is too much" for name in thing.keys() - schema["properties"].keys())


def find_part(whole: Schema, reference: str) -> Schema:
    """Return the part of the schema that a reference leads to."""
    part: Any = whole
    for step in reference.removeprefix("#/").split("/"):
        part = part[step]
    return part  # type: ignore[no-any-return]


def _parts(schema: Schema, thing: Any) -> Iterator[tuple[Schema, Any]]:
    """Yield the parts of a thing, each with its schema."""
    if isinstance(thing, dict):
        named, others = schema.get("properties", {}), schema.get("additionalProperties")
        for name, item in thing.items():
            if name in named:
                yield named[name], item
            elif isinstance(others, dict):
                yield others, item
    elif isinstance(thing, list | tuple):
        first = schema.get("prefixItems", ())
        yield from zip(first, thing, strict=False)
        if isinstance(schema.get("items"), dict):
            yield from ((schema["items"], item) for item in thing[len(first) :])


def _has_type(names: str | list[str], thing: Any) -> bool:
    if isinstance(thing, bool):
        return "boolean" in names
    listed = [names] if isinstance(names, str) else names
    return any(isinstance(thing, TYPES[name]) for name in listed)


Check = Callable[[Any, Any], bool]


def _if(kind: type | tuple[type, ...], holds: Check) -> Check:
    """Return a check of things of some type only."""
    return lambda value, thing: (
        isinstance(thing, bool) or not isinstance(thing, kind) or holds(value, thing)
    )


RIGHT: dict[str, Check] = {
    "type": _has_type,
    "const": lambda value, thing: thing == value and type(thing) is type(value),
    "enum": lambda values, thing: any(thing == one and type(thing) is type(one) for one in values),
    "pattern": _if(str, lambda value, thing: re.search(value, thing) is not None),
    "minimum": _if((int, float), lambda value, thing: thing >= value),
    "maximum": _if((int, float), lambda value, thing: thing <= value),
    "minItems": _if((list, tuple), lambda value, thing: len(thing) >= value),
    "maxItems": _if((list, tuple), lambda value, thing: len(thing) <= value),
    "uniqueItems": _if((list, tuple), lambda _, thing: len({*map(repr, thing)}) == len(thing)),
    "required": _if(dict, lambda names, thing: {*names} <= thing.keys()),
    "properties": lambda _, thing: True,
    "items": lambda _, thing: True,
    "prefixItems": lambda _, thing: True,
}
