"""The OpenAPI document: every operation with its types, made from the declarations themselves.

Law: nothing here is written by hand that the code knows: routes, schemas, who may ask, and every
status that can come back. It is made once, when it is first asked for.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response

from companion import __version__
from companion.amendments import AMENDMENTS
from companion.games import RULEBOOKS, rulebook
from companion.texts import language
from web.answers import PROBLEM, Problem, found
from web.api.operations import Api, Operation

REF = "#/components/schemas/{name}"
_PARAMETER = re.compile(r"<(?:(int):)?([a-z]+)>")

ALWAYS = {
    "400": "It cannot be read; `field` names the place.",
    "429": "Too much at once; `Retry-After` says when to come again.",
}
WRITES = {
    "403": "It was not sent from one of the table's own pages.",
    "409": "It is understood, and the answer is no; `code` and `rule` say why.",
    "413": "It is longer than the table takes.",
    "415": "It is neither JSON nor a form.",
}
STRANGER = {"seat": ("403", "This browser does not hold that seat."), "anyone": None}


def document(subjects: Iterable[Api]) -> Blueprint:
    """The page of the document."""
    blueprint = Blueprint("openapi", __name__)
    operations = tuple(each for subject in subjects for each in subject.operations)
    once = cache(lambda: made(operations))

    @blueprint.get("/api/openapi.json")
    def openapi() -> Response:
        return found(once())

    return blueprint


def made(operations: tuple[Operation, ...]) -> dict[str, Any]:
    """The whole document."""
    paths: dict[str, Any] = {}
    for operation in operations:
        path = _PARAMETER.sub(r"{\2}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Table companion", "version": __version__},
        "paths": paths,
        "components": {"schemas": schemas(operations)},
    }


def described(operation: Operation) -> dict[str, Any]:
    """One operation."""
    said: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.name.partition("_")[0]],
        "summary": language("en").render(operation.does, {}),
        "responses": responses(operation),
    }
    if parameters := _parameters(operation.path):
        said["parameters"] = parameters
    if operation.takes is not None:
        content = {"schema": _ref(operation.takes), "example": operation.example}
        said["requestBody"] = {"required": True, "content": {"application/json": content}}
    return said


def _parameters(path: str) -> list[dict[str, Any]]:
    kinds = {"int": {"type": "integer", "minimum": 0}, "": {"type": "string"}}
    return [
        {"name": name, "in": "path", "required": True, "schema": kinds[kind]}
        for kind, name in _PARAMETER.findall(path)
    ]


def responses(operation: Operation) -> dict[str, Any]:
    """Every status that can come back."""
    if operation.gives is None:
        good: dict[str, Any] = {"204": {"description": "It is done, and on disk."}}
    else:
        content = {"application/json": {"schema": _ref(operation.gives)}}
        good = {"200": {"description": "Here it is.", "content": content}}
    bad = ALWAYS | ({"409": WRITES["409"]} if operation.takes is None else WRITES)
    if operation.path.count("<"):
        bad |= {"404": "There is no such thing at this table."}
    stranger = STRANGER[operation.who]
    if stranger is not None:
        bad[stranger[0]] = f"{stranger[1]} {bad.get(stranger[0], '')}".strip()
    return good | {status: _problem(text) for status, text in sorted(bad.items())}


def _problem(text: str) -> dict[str, Any]:
    return {"description": text, "content": {PROBLEM: {"schema": _ref(Problem)}}}


def _ref(kind: Any) -> dict[str, str]:
    return {"$ref": REF.format(name=kind.__name__)}


def schemas(operations: Iterable[Operation]) -> dict[str, Any]:
    """The schema of every type that is taken or given, and of every event that can be asked for."""
    kinds = {Problem.__name__: Problem}
    for operation in operations:
        for kind in filter(None, (operation.takes, operation.gives)):
            kinds[kind.__name__] = kind
    (_, found) = msgspec.json.schema_components(list(kinds.values()), ref_template=REF)
    events, names = _events()
    if "Asked" in found:
        found["Asked"]["properties"]["event"] = {
            "oneOf": [{"$ref": REF.format(name=n)} for n in names]
        }
    return found | events


def _events() -> tuple[dict[str, Any], list[str]]:
    """Every event of every game, as a request spells it: the seat is that of the address."""
    kinds = {row.event.__name__: row.event for game in RULEBOOKS for row in rulebook(game).rows} | {
        kind.__name__: kind for kind in AMENDMENTS
    }
    (_, found) = msgspec.json.schema_components(list(kinds.values()), ref_template=REF)
    for name in kinds:
        found[name]["properties"].pop("seat", None)
        found[name]["required"] = [f for f in found[name].get("required", ()) if f != "seat"]
    return found, list(kinds)
