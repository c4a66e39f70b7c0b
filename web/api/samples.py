"""Samples: an example of everything that the API gives, for its document.

Law: what can be asked of the table itself is asked: a view is that of a real game, a problem one
that the pages do say. All else is the plainest thing that its schema allows.
"""

from typing import Any

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import Say, language
from companion.games import rulebook
from companion.table.view import View, open_view, seat_view
from web.api.schemas import Schema
from web.api.seats import none_yet
from web.responses import STRANGERS, Problem
from web.security import OTHERWISE, SENTENCES
from web.unreadable import SAID

PLAYERS = ("Ana", "Ben", "Cleo")
PLAIN: dict[Any, Any] = {"string": "…", "integer": 1, "number": 1.0, "boolean": True, "null": None}


def view(seat: int) -> Any:
    """What a seat, or with 0 everyone, sees of a game of three that has just begun."""
    rules = rulebook("bankueberfall")
    state = rules.start(rules.started(id="g1", players=PLAYERS))
    return msgspec.to_builtins(
        seat_view(rules, state, 1, seat) if seat else open_view(rules, state, 1)
    )


def given(kind: type, ref: Schema, schemas: dict[str, Schema], seat: int) -> Any:
    """An example of what an operation gives."""
    return view(seat) if kind is View else plainest(ref, schemas)


def plainest(schema: Schema, schemas: dict[str, Schema]) -> Any:
    """The plainest thing that this schema allows."""
    for settled in ("const", "default"):
        if settled in schema:
            return schema[settled]
    if "$ref" in schema:
        return plainest(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    choices = schema.get("enum") or schema.get("oneOf") or schema.get("anyOf")
    if choices:
        return plainest(choices[0], schemas) if isinstance(choices[0], dict) else choices[0]
    if schema.get("type") == "array":
        items = schema.get("prefixItems") or [schema["items"] or {}] if "items" in schema else []
        return [plainest(one, schemas) for one in items]
    if schema.get("type", "object") == "object":
        fields = schema.get("properties", {}).items()
        return {name: plainest(one, schemas) for name, one in fields}
    return PLAIN[schema["type"]]


def problems(status: int, codes: tuple[str, ...]) -> dict[str, Any]:
    """An example of a problem for each of these codes."""
    return {code: {"value": msgspec.to_builtins(problem(status, code))} for code in codes}


def problem(status: int, code: str) -> Problem:
    """The problem of this code, in English."""
    spoken = language("en")
    if code == "malformed":
        return Problem(status, spoken(Malformed("key", SAID["key"]).say), code, field="key")
    if code in STRANGERS:
        return Problem(status, spoken(Say(STRANGERS[code][1])), code)
    if code == none_yet().code:
        return Problem(status, spoken(none_yet().say), code, none_yet().rule)
    return Problem(status, spoken(Say(SENTENCES.get(status, OTHERWISE))), code)
