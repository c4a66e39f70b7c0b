"""The document of the API: valid, complete, and true of what the table answers."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import msgspec
import pytest

from companion.table.view import make_view
from tests.worlds.json_schema import faults, find_part, is_valid
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import Evening
from tests.worlds.standing_tables import played, states
from web import api
from web.api import openapi
from web.api.operation import Operation

OPERATIONS = {one.name: one for subject in api.SUBJECTS for one in subject.operations}


@cache
def document() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(openapi.build_document(api.SUBJECTS))
    )
    return found


def operations() -> list[tuple[str, dict[str, Any]]]:
    return [
        (path, asked) for path, methods in document()["paths"].items() for asked in methods.values()
    ]


def fits(schema: dict[str, Any], thing: Any) -> None:
    assert list(faults(schema, thing, document())) == []


def references(part: Any) -> Iterator[str]:
    """Yield every reference within a part of the document."""
    if isinstance(part, dict):
        yield from (part["$ref"],) if isinstance(part.get("$ref"), str) else ()
        part = list(part.values())
    if isinstance(part, list):
        yield from chain.from_iterable(map(references, part))


def test_the_document_is_whole(visit):
    served = visit().get("/api/openapi.json").json
    assert served["openapi"] == "3.1.0"
    assert served == document()
    assert all(find_part(served, one) for one in references(served))
    ids = [asked["operationId"] for _, asked in operations()]
    assert len({*ids}) == len(ids)
    for path, asked in operations():
        inside = {one["name"] for one in asked.get("parameters", ()) if one["in"] == "path"}
        assert inside == set(re.findall(r"{(\w+)}", path))


def test_every_operation_is_in_it_and_belongs_to_a_subject_that_is_described(app):
    served = {
        rule.rule.replace("<int:", "{").replace("<", "{").replace(">", "}")
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(("/api/", "/healthz")) and rule.endpoint != "openapi.openapi"
    }
    assert {*document()["paths"]} == served
    tags = {tag["name"]: tag["description"] for tag in document()["tags"]}
    assert all(text.endswith(".") and "\n" not in text for text in tags.values())
    assert all(asked["tags"][0] in tags and asked["summary"] for _, asked in operations())


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_says_who_may_call_it(name: str):
    operation: Operation = OPERATIONS[name]
    asked = next(asked for _, asked in operations() if asked["operationId"] == name)
    assert bool(asked["security"]) == (operation.who != "anyone")
    assert ("409" in asked["responses"]) == operation.can_refuse
    assert ("403" in asked["responses"]) == (operation.who == "seat" or operation.method == "POST")
    assert ("415" in asked["responses"]) == (operation.method == "POST")


@pytest.mark.parametrize("game", own_games())
def test_every_view_of_every_game_is_described(game: str):
    evening: Evening = played(game)
    schema = {"$ref": "#/components/schemas/View"}
    described = {name for name in document()["components"]["schemas"] if name.endswith("Public")}
    assert len(described) == len(own_games())
    for after in states(game).values():
        if after:
            state = evening.states[after]
            fits(schema, msgspec.to_builtins(make_view(evening.rules, state, after)))
            for seat in range(1, len(state.players) + 1):
                view = msgspec.to_builtins(make_view(evening.rules, state, after, seat))
                fits(schema, view)
                assert not is_valid(schema, {**view, "mine": {"secret": 1}}, document())


def test_every_event_of_every_game_can_be_asked_for_without_its_seat():
    schema = document()["components"]["schemas"]["Asked"]["properties"]["event"]
    names = {each["$ref"].rpartition("/")[2] for each in schema["oneOf"]}
    for game in own_games():
        for event in played(game).events[1:]:
            assert type(event).__name__ in names
            spelled = {k: v for k, v in msgspec.to_builtins(event).items() if k != "seat"}
            fits(schema, spelled)
