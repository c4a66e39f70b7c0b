"""One declaration of cases: it says what is missing or too much, and its schema says the same."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from companion.cli import main
from companion.core.errors import Malformed
from companion.judge.decide import decide, find_kinds, judged_games, write_contract
from companion.judge.it_depends import judge_case
from tests.judge.test_contract import CONTRACT
from tests.worlds.json_schema import is_valid

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


@pytest.mark.parametrize(("game", "kind"), EVERY)
def test_a_field_that_is_missing_or_too_much_is_named(game: str, kind: str) -> None:
    case, needed = example(game, kind), find_kinds(game)[kind].needed
    for name in needed:
        without = {other: value for other, value in case.items() if other != name}
        with pytest.raises(Malformed, match="is missing") as refused:
            decide(without)
        assert refused.value.field == name
    with pytest.raises(Malformed, match="is not a field here") as refused:
        decide({**case, "wind": 3})
    assert refused.value.field == "wind"


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
