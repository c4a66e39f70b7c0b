"""JSON schemas and examples for the OpenAPI document, made from the types themselves.

Laws: a view is described by the views of all games, and a request by their events, so that the
document cannot promise what the code does not do. An event has no seat here: it is in the path. An
example of a view is that of a real game, an example of a problem one that the pages send; all
others are the simplest value that their schema allows.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import Message, get_language
from companion.core.json_values import JsonObject
from companion.core.table_events import AMENDMENTS
from companion.games import find_game, game_names, make_rulebook
from companion.games.open_table import make_views
from companion.table.view import View, open_view, seat_view
from web.api.operation import EXAMPLE_GAME
from web.api.seats import no_view_refusal
from web.body_validation import FIELD_SENTENCES
from web.responses import PERMISSION_ERRORS, Problem
from web.security import DEFAULT_SENTENCE, SENTENCES

REF = "#/components/schemas/{name}"
Schema = JsonObject


class Schemas(NamedTuple):
    """The schema of each type by its name, and the reference to each type that was asked for."""

    by_name: dict[str, Schema]
    refs: dict[type, Schema]

    def one_of(self, kinds: Iterable[type]) -> Schema:
        """Return a schema that allows each of these types."""
        return {"oneOf": [self.refs[kind] for kind in kinds]}


def build_schemas(kinds: Iterable[type]) -> Schemas:
    """Return the schemas of these types, and of the views and requests of every game in them."""
    views = [make_views(find_game(game).rulebook) for game in game_names()]
    publics, mines = [view.table for view in views], [view.own for view in views]
    events = requestable_events()
    found = _build_components({*kinds, *publics, *mines, *events})
    for event in events:
        _remove_seat(found.by_name[_ref_name(found.refs[event])])
    if "Verdict" in found.by_name:
        found.by_name["Verdict"] = _any_verdict(found.by_name)
    for schema in found.by_name.values():
        fields = schema.get("properties", {})
        if fields.get("public") == {}:
            fields["public"] = found.one_of(publics)
        if fields.get("mine") == {"default": None}:
            fields["mine"] = {"anyOf": [found.one_of(mines), {"type": "null"}], "default": None}
        if fields.get("event") == {"type": "object"}:
            fields["event"] = found.one_of(events)
    return found


def requestable_events() -> list[type]:
    """Return the events that a seat can request in any game."""
    rows = (row.event for game in game_names() for row in make_rulebook(game).rows)
    return list(dict.fromkeys((*rows, *AMENDMENTS)))


def _build_components(kinds: set[type]) -> Schemas:
    ordered = sorted(kinds, key=lambda kind: (kind.__name__, kind.__module__))
    refs, found = msgspec.json.schema_components(ordered, ref_template=REF)
    written = msgspec.json.encode((found, refs)).decode()
    for long in sorted((name for name in found if "." in name), key=len, reverse=True):
        written = written.replace(long, _qualified_name(long))
    by_name, refs = msgspec.json.decode(written)
    return Schemas(_with_constants(by_name), dict(zip(ordered, refs, strict=True)))


def _qualified_name(name: str) -> str:
    """Return a short name for one of several types of the same name, by its game or module."""
    *package, kind = name.split(".")
    return package[2 if package[1] == "games" else -1].title().replace("_", "") + kind


def _ref_name(ref: Schema) -> str:
    return str(ref["$ref"]).rpartition("/")[2]


def _with_constants(found: Any) -> Any:
    """Replace each choice of one value by a constant."""
    match found:
        case {"enum": [only], **more}:
            return {**more, "const": only}
        case Mapping():
            return {name: _with_constants(value) for name, value in found.items()}
        case list():
            return [_with_constants(value) for value in found]
    return found


def _any_verdict(by_name: dict[str, Schema]) -> Schema:
    """Return the schema of a verdict of any game: its field `verdict` tells which."""
    kinds = [
        n for n, one in by_name.items() if "const" in one.get("properties", {}).get("verdict", {})
    ]
    return {
        "description": by_name["Verdict"]["description"],
        "oneOf": [{"$ref": REF.format(name=name)} for name in kinds if name != "Verdict"],
    }


def _remove_seat(event: Schema) -> None:
    event["properties"].pop("seat", None)
    event["required"] = [field for field in event["required"] if field != "seat"]


SAMPLE_PLAYERS = ("Ana", "Ben", "Cleo")
SAMPLE_VALUES: dict[str, object] = {
    "string": "…",
    "integer": 1,
    "number": 1.0,
    "boolean": True,
    "null": None,
}


def sample_view(seat: int) -> object:
    """Return the view of a seat, or of everyone for 0, of a game of three that has just begun."""
    rules = make_rulebook(EXAMPLE_GAME)
    state = rules.initial_state(rules.start_event(id="g1", players=3))
    return msgspec.to_builtins(
        seat_view(rules, state, 1, seat) if seat else open_view(rules, state, 1)
    )


def sample_result(kind: type, ref: Schema, schemas: dict[str, Schema], seat: int) -> object:
    """Return an example of the result of an operation."""
    return sample_view(seat) if kind is View else sample_value(ref, schemas)


def sample_value(schema: Schema, schemas: dict[str, Schema]) -> object:
    """Return the simplest value that this schema allows."""
    for settled in ("const", "default"):
        if settled in schema:
            return schema[settled]
    if "$ref" in schema:
        return sample_value(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    choices = schema.get("enum") or schema.get("oneOf") or schema.get("anyOf")
    if choices:
        return sample_value(choices[0], schemas) if isinstance(choices[0], dict) else choices[0]
    if schema.get("type") == "array":
        items = schema.get("prefixItems") or [schema["items"] or {}] if "items" in schema else []
        return [sample_value(one, schemas) for one in items]
    if schema.get("type", "object") == "object":
        fields = schema.get("properties", {}).items()
        return {name: sample_value(one, schemas) for name, one in fields}
    return SAMPLE_VALUES[schema["type"]]


def sample_problems(status: int, codes: tuple[str, ...]) -> Schema:
    """Return an example of a problem for each of these codes."""
    return {code: {"value": msgspec.to_builtins(sample_problem(status, code))} for code in codes}


def sample_problem(status: int, code: str) -> Problem:
    """Return the problem of this code, in English."""
    spoken = get_language("en")
    if code == "malformed":
        return Problem(
            status, spoken(Malformed("key", FIELD_SENTENCES["key"]).say), code, field="key"
        )
    if code in PERMISSION_ERRORS:
        return Problem(status, spoken(Message(PERMISSION_ERRORS[code][1])), code)
    if code == no_view_refusal().code:
        return Problem(status, spoken(no_view_refusal().say), code, no_view_refusal().rule)
    return Problem(status, spoken(Message(SENTENCES.get(status, DEFAULT_SENTENCE))), code)
