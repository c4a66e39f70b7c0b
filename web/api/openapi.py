"""The OpenAPI document: every operation with its types, made from the declarations themselves.

Law: nothing here is written by hand that the code knows: routes, schemas, permissions and every
status that can come back. It is built once, when it is first requested.
"""

import re
from collections.abc import Sequence
from functools import cache

from flask import Blueprint, Response

from companion import __version__
from companion.table.view import View
from web.api.operation import JSON, Api, Operation
from web.api.schemas import Schema, Schemas, build_schemas
from web.response_headers import PROBLEM
from web.responses import Problem, json_response

_PARAMETER = re.compile(r"<(?:(int):)?([a-z]+)>")

DESCRIPTION = """\
The pages of the table use this API and no other. docs/api.md tells how to begin.

A browser is known by the cookie `companion`, which any answer sets. Every write is signed by the
key of its browser, in the header `Companion-Signature`; docs/api.md says how, and only the
calculations of the judge need none. It carries the `Origin` of the address that it is sent to, and
a `key` of its own: sent twice, it counts once. What is asked of the game names the `version` of the
view that it answers (`at`).

Whatever is refused is a problem (RFC 9457). Its `code` is stable, its `title` is a sentence in the
language of the browser, `rule` is the rule behind it, and `field` the place that cannot be read.
"""
ALL_STATUSES = {
    "429": "Too much at once; `Retry-After` says when to come again.",
    "503": "The table is too busy; `Retry-After` says when to send the same again. It counts once.",
}
READ_STATUSES = {"400": "The address that was asked is not the table's."}
WRITE_STATUSES = {
    "400": "It cannot be read; `field` names the place.",
    "403": "It was not sent from one of the table's own pages, or its browser has not signed it.",
    "413": "It is longer than the table takes.",
    "415": "It is not JSON.",
}
REFUSAL_STATUSES = {"409": "It is understood, and the answer is no; `code` and `rule` say why."}
PATH_STATUSES = {"404": "There is no such thing at this table."}
PERMISSION_STATUSES = {
    "seat": ("403", "This browser does not hold that seat."),
    "hands": ("403", "This browser does not move the pieces of that seat."),
    "host": ("401", "This browser is no host's."),
}
RETRY = {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
PARAMETER_DETAILS: dict[str, Schema] = {
    "seat": {"description": "A seat, counted clockwise from 1.", "example": 1},
}
PARAMETER_SCHEMAS: dict[str, Schema] = {
    "int": {"type": "integer", "minimum": 0},
    "": {"type": "string"},
}
FILE: Schema = {"schema": {"type": "string", "format": "binary"}}
EVENTS = "text/event-stream"
EVENTS_DESCRIPTION = """\
The event `state` carries a whole view as JSON, first of all and then whenever it changes; a
slow client gets only the newest. `heartbeat` comes every few seconds: a client that hears nothing
for longer begins anew. `replaced` says that a newer stream of this seat has taken over, `stop` that
the table closes; both end the stream.
"""
LAST_EVENT_ID: Schema = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The id of the last `state` that was heard: it is then not sent again.",
    "schema": {"type": "string"},
}
STREAM_TAG = {
    "name": "stream",
    "description": "Streams: the newest view whenever something happens, as Server-Sent Events.",
}
STREAMS = (
    Operation(
        "GET", "/api/stream/table", "anyone", gives=EVENTS, name="stream_everyone",
        summary="What everyone at the table may know, whenever it changes.",
    ),
    Operation(
        "GET", "/api/stream/seats/<int:seat>", "seat", gives=EVENTS, name="stream_seat",
        summary="What a seat may know, whenever it changes.",
    ),
)  # fmt: skip
"""Streams besides the operations (web/streams.py): the views that the operations of the same
name return."""
COOKIE = {
    "companion": {
        "type": "apiKey",
        "in": "cookie",
        "name": "companion",
        "description": "The browser that holds a seat, or is signed in as the host. At another "
        "port than 8000 the port is added: companion-8001.",
    },
}


def create_blueprint(subjects: Sequence[Api]) -> Blueprint:
    """Return the blueprint that serves the document of these subjects."""
    blueprint = Blueprint("openapi", __name__)
    once = cache(lambda: build_document(subjects))

    @blueprint.get("/api/openapi.json")
    def openapi() -> Response:
        return json_response(once())

    return blueprint


def build_document(subjects: Sequence[Api]) -> Schema:
    """Return the whole document."""
    operations = [each for subject in subjects for each in subject.operations]
    types = {
        kind for one in operations for kind in (one.takes, one.gives) if isinstance(kind, type)
    }
    known = build_schemas({Problem, View, *types})
    paths: Schema = {}
    for operation in (*operations, *STREAMS):
        path = _PARAMETER.sub(r"{\2}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = describe_operation(operation, known)
    tags = [{"name": each.subject, "description": each.about} for each in subjects]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Table companion",
            "version": __version__,
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "tags": [*tags, STREAM_TAG],
        "paths": paths,
        "components": {"schemas": known.by_name, "securitySchemes": COOKIE},
    }


def describe_operation(operation: Operation, known: Schemas) -> Schema:
    said: Schema = {
        "operationId": operation.name,
        "tags": [operation.name.partition("_")[0]],
        "summary": operation.summary,
        "security": _describe_security(operation),
        "responses": describe_responses(operation, known),
    }
    if parameters := _describe_parameters(operation.path):
        said["parameters"] = parameters
    if operation.gives == EVENTS:
        said["description"] = EVENTS_DESCRIPTION
        said["parameters"] = [*parameters, LAST_EVENT_ID]
    if operation.takes is not None:
        content = {"schema": known.refs[operation.takes]}
        sent = {operation.file_type: FILE} if operation.file_type else {JSON: content}
        said["requestBody"] = {"required": True, "content": sent}
    return said


def _describe_security(operation: Operation) -> list[Schema]:
    """Return the security scheme: a cookie."""
    return [] if operation.who == "anyone" else [{"companion": []}]


def _describe_parameters(path: str) -> list[Schema]:
    return [
        {"name": name, "in": "path", "required": True, "schema": PARAMETER_SCHEMAS[kind]}
        | PARAMETER_DETAILS.get(name, {})
        for kind, name in _PARAMETER.findall(path)
    ]


def describe_responses(operation: Operation, known: Schemas) -> Schema:
    """Return every status that an operation can answer with."""
    said = ALL_STATUSES | (READ_STATUSES if operation.takes is None else WRITE_STATUSES)
    if operation.can_refuse:
        said |= REFUSAL_STATUSES
    if "<" in operation.path:
        said |= PATH_STATUSES
    if operation.who in PERMISSION_STATUSES:
        status, text = PERMISSION_STATUSES[operation.who]
        said[status] = f"{text} {said.get(status, '')}".strip()
    bad = {status: _describe_problem(status, said[status], known) for status in sorted(said)}
    good = _describe_success(operation, known)
    if operation.unavailable:
        bad["503"] = good["200"] | {"description": operation.unavailable}
    return good | bad


def _describe_success(operation: Operation, known: Schemas) -> Schema:
    """Return the successful responses: none, a type as JSON, or a file."""
    gives = operation.gives
    if gives is None:
        return {"204": {"description": "It is done, and on disk."}}
    if gives == EVENTS:
        view = {"contentMediaType": JSON, "contentSchema": known.refs[View]}
        content: Schema = {EVENTS: {"schema": {"type": "string", **view}}}
    elif isinstance(gives, str):
        content = {gives: {"schema": {"type": "string", "format": "binary"}}}
    else:
        content = {JSON: {"schema": known.refs[gives]}}
    return {"200": {"description": "Here it is.", "content": content}}


def _describe_problem(status: str, text: str, known: Schemas) -> Schema:
    said: Schema = {"description": text, "content": {PROBLEM: {"schema": known.refs[Problem]}}}
    return said | ({"headers": {"Retry-After": RETRY}} if status in ("429", "503") else {})
