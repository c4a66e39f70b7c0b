"""JSON schemas for the OpenAPI document, made from the types themselves.

Law: a view is described by the views of all games, and a request by their events, so that the
document cannot promise what the code does not do. An event has no seat here: it is in the path.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import JsonObject
from companion.core.table_events import AMENDMENTS
from companion.games import find_game, game_names, make_rulebook
from companion.games.open_table import make_views

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
