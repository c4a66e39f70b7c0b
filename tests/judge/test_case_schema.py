"""One declaration of cases: it says what is missing or too much, and its schema says the same."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest

from companion.cli import main
from companion.core.errors import Malformed
from companion.judge.decide import decide, find_kinds, judged_games, write_contract
from companion.judge.it_depends import judge_case
from tests.judge.test_contract import CONTRACT

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


# The tests.

Json = dict[str, Any]
EVERY = [(game, kind) for game in judged_games() for kind in find_kinds(game)]
ODD: tuple[Any, ...] = (
    None, True, 3.5, -1, "", "?", "x", [], ["x"], [None], {}, {"x": 1}, {"x": []},
)  # fmt: skip


def example(game: str, kind: str) -> Json:
    return deepcopy(find_kinds(game)[kind].example)


def is_judged(case: Json) -> bool:
    try:
        judge_case(case)
    except Malformed:
        return False
    return True


def mutants(value: Any) -> Iterator[Any]:
    """Yield a value with one odd thing somewhere in it, or one thing missing."""
    yield from ODD
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {name: one for name, one in value.items() if name != key}
            yield from ({**value, key: odd} for odd in mutants(inner))
        yield {**value, "wind": 3}
    if isinstance(value, list):
        for n, inner in enumerate(value):
            yield from ([*value[:n], odd, *value[n + 1 :]] for odd in mutants(inner))


@pytest.mark.parametrize(("game", "kind"), EVERY)
def test_what_the_schema_does_not_know_is_never_judged(game: str, kind: str) -> None:
    schema = write_contract()
    case = example(game, kind)
    assert is_valid(schema, case)
    assert is_judged(case)
    misfits = [one for one in mutants(case) if isinstance(one, dict) and not is_valid(schema, one)]
    assert len(misfits) > 20
    for one in misfits:
        assert not is_judged(one), one


def test_a_bank_is_counted_from_1() -> None:
    case = example("bankueberfall", "robbery") | {"bank": 1}
    assert is_valid(write_contract(), case)
    assert not is_valid(write_contract(), case | {"bank": 0})
    assert not is_judged(case | {"bank": 0})


@pytest.mark.parametrize(("game", "kind"), EVERY)
def test_a_field_that_is_missing_is_named(game: str, kind: str) -> None:
    case, needed = example(game, kind), find_kinds(game)[kind].needed
    for name in needed:
        without = {other: value for other, value in case.items() if other != name}
        with pytest.raises(Malformed, match="is missing") as refused:
            decide(without)
        assert refused.value.field == name


@pytest.mark.parametrize(("game", "kind"), EVERY)
def test_whatever_may_be_unknown_fits_as_unknown(game: str, kind: str) -> None:
    schema = write_contract()
    case = example(game, kind)
    places = [place for place in find_kinds(game)[kind].places(case) if place.leaf.label]
    assert places
    for place in places:
        for unknown in ("?", {"one_of": ["red"]}, {"from": 0, "to": 1}):
            one = deepcopy(case)
            holder: Any = one
            for part in place.path[:-1]:
                holder = holder[part]
            holder[place.path[-1]] = unknown
            assert is_valid(schema, one), (place.path, unknown)


def test_the_schema_knows_every_case_of_the_contract() -> None:
    schema = write_contract()
    assert all(is_valid(schema, case) for case, _ in CONTRACT)


def test_the_command_line_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "--schema"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(write_contract()))
    named = [case["$ref"].rpartition("/")[2] for case in printed["oneOf"]]
    assert len(named) == len(set(named)) == len(EVERY)
    assert all(printed["$defs"][name]["additionalProperties"] is False for name in named)
