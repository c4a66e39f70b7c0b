"""One contract of cases: its types say what is missing or too much, and its schema the same."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from copy import deepcopy
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from companion.cli import main
from companion.core.errors import Malformed
from companion.games import find_game
from companion.judge.contract import write_schema
from companion.judge.decide import decide, find_judge, judged_games, write_contract
from companion.judge.fields import split_fields
from companion.judge.it_depends import judge_case
from tests.judge.test_contract import CONTRACT
from tests.worlds.installed_games import installed

Json = dict[str, Any]
OURS = [(game, kind) for game in judged_games() for kind in find_judge(game).kinds]
GUESTS = ("goofspiel",)
EVERY = [*OURS, *((game, kind) for game in GUESTS for kind in ("verdict", "score"))]
ODD: tuple[Any, ...] = (
    None,
    True,
    3.5,
    -1,
    "",
    "?",
    "x",
    [],
    ["x"],
    [None],
    {},
    {"x": 1},
    {"x": []},
)


@pytest.fixture(autouse=True, scope="module")
def shelf() -> Iterator[None]:
    with ExitStack() as shelf:
        for name in GUESTS:
            shelf.enter_context(installed(name.replace("_", "-"), {name: f"{name}.game:GAME"}))
        yield


def example(game: str, kind: str) -> Json:
    return deepcopy(find_judge(game).examples[kind])


def fits(case: object, shape: type[msgspec.Struct]) -> bool:
    """Whether a decoded case has the form of this type."""
    try:
        msgspec.convert(case, shape)
    except (msgspec.ValidationError, RecursionError):
        return False
    return True


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
def test_every_kind_declares_its_type_and_its_example_has_it(game: str, kind: str) -> None:
    judge = find_judge(game)
    assert judge.cases.keys() == judge.kinds.keys() == judge.examples.keys()
    assert fits(example(game, kind), judge.case_type(kind))


@pytest.mark.parametrize(("game", "kind"), EVERY)
def test_what_does_not_fit_is_never_judged(game: str, kind: str) -> None:
    case, shape = example(game, kind), find_judge(game).case_type(kind)
    misfits = [one for one in mutants(case) if isinstance(one, dict) and not fits(one, shape)]
    assert len(misfits) > 20
    for one in misfits:
        assert not is_judged(one), one


@pytest.mark.parametrize(("game", "kind"), EVERY)
def test_the_type_says_which_fields_are_missing_or_too_many(game: str, kind: str) -> None:
    case = example(game, kind)
    needed, optional = split_fields(find_judge(game).case_type(kind))
    for name in case:
        without = {other: value for other, value in case.items() if other != name}
        if name in needed:
            with pytest.raises(Malformed, match="is missing") as refused:
                decide(without)
            assert refused.value.field == name
        else:
            assert name in optional
    with pytest.raises(Malformed, match="is not a field here") as refused:
        decide({**case, "wind": 3})
    assert refused.value.field == "wind"


@pytest.mark.parametrize(("game", "kind"), OURS)
def test_whatever_may_be_unknown_fits_as_unknown(game: str, kind: str) -> None:
    judge = find_judge(game)
    case, asked = example(game, kind), 0
    for pattern in judge.open_fields.get(kind, {}):
        for unknown in ("?", {"one_of": ["red"]}, {"from": 0, "to": 1}):
            one = deepcopy(case)
            with suppress(LookupError):
                put_at(one, pattern.split("."), unknown)
                assert fits(one, judge.case_type(kind)), (pattern, unknown)
                asked += 1
    assert asked > 0


def put_at(at: Any, path: list[str], value: object) -> None:
    """Put a value at a path of a case; “*” is the first there. LookupError if nothing is there."""
    head, *rest = path
    key = head if head != "*" else 0 if isinstance(at, list) else next(iter(at), "")
    at[key]
    if rest:
        put_at(at[key], rest, value)
    else:
        at[key] = value


# The schema.


def test_the_schema_is_one_that_any_validator_reads_and_it_agrees_with_the_types() -> None:
    schema = jsonschema_rs.Draft202012Validator(write_contract())
    for game, kind in EVERY:
        case, shape = example(game, kind), find_judge(game).case_type(kind)
        assert schema.is_valid(case), (game, kind)
        for one in mutants(case):
            if isinstance(one, dict) and not fits(one, shape):
                assert not schema.is_valid(one), one
    assert all(schema.is_valid(case) for case, _ in CONTRACT)


def test_the_command_line_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "--schema"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(write_contract()))
    named = [case["$ref"].rpartition("/")[2] for case in printed["oneOf"]]
    assert len(named) == len(set(named)) == len(EVERY)
    assert all(printed["$defs"][name]["additionalProperties"] is False for name in named)


def test_a_judge_that_declares_no_types_is_described_by_its_examples() -> None:
    judge = find_game("bankueberfall").judge._replace(cases={}, optional={"bank": 3})
    schema = jsonschema_rs.Draft202012Validator(write_schema(judge.list_case_types()))
    for case in judge.examples.values():
        assert schema.is_valid(case)
        assert not schema.is_valid({**case, "wind": 3})
    assert schema.is_valid({**judge.examples["robbery"], "bank": 2})
