"""Event streams in the OpenAPI document: no operation declares them.

Law: these are the only paths served besides the operations; they send the same view as the
operation of the same name returns.
"""

from collections.abc import Callable

from companion.table.view import View
from web.api.schemas import Schema, Schemas

STREAM_TAG = {
    "name": "stream",
    "description": "Streams: the newest view whenever something happens, as Server-Sent Events.",
}
STREAM_PATHS = {
    "/api/stream/table": ("everyone", "What everyone at the table may know, whenever it changes."),
    "/api/stream/seats/<int:seat>": ("seat", "What a seat may know, whenever it changes."),
}
STATUSES = {
    "400": "The address that was asked is not the table's.",
    "429": "Too much at once; `Retry-After` says when to come again.",
    "503": "As many listen as the table serves; `Retry-After` says when to come again.",
}
SEAT_STATUSES = {"403": "This browser does not hold that seat."}
EVENTS_DESCRIPTION = """\
The event `state` carries a whole view as JSON, first of all and then whenever it changes; a
slow client gets only the newest. `heartbeat` comes every ten seconds: a client that hears nothing
for longer begins anew. `replaced` says that a newer stream of this seat has taken over, `stop` that
the table closes; both end the stream.
"""
LAST_EVENT_ID = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The id of the last `state` that was heard: it is then not sent again.",
    "schema": {"type": "string"},
}
EXAMPLE = (
    'id: 5f3a-17\nevent: state\ndata: {"viewer":"table","at":17,…}\n\nevent: heartbeat\ndata:\n\n'
)


def describe_streams(
    problem: Callable[..., Schema], parameters: Callable[[str], list[Schema]], known: Schemas
) -> Schema:
    """Return the paths of the streams."""
    found: Schema = {}
    for path, (name, summary) in STREAM_PATHS.items():
        statuses = STATUSES | (SEAT_STATUSES if "<" in path else {})
        bad = {status: problem(status, text, known) for status, text in sorted(statuses.items())}
        found[path.replace("<int:", "{").replace(">", "}")] = {
            "get": {
                "operationId": f"stream_{name}",
                "tags": [STREAM_TAG["name"]],
                "summary": summary,
                "description": EVENTS_DESCRIPTION,
                "security": [{"companion": []}] if "<" in path else [],
                "parameters": [*parameters(path), LAST_EVENT_ID],
                "responses": {"200": _describe_stream(known), **bad},
            }
        }
    return found


def _describe_stream(known: Schemas) -> Schema:
    media = {
        "schema": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": known.refs[View],
        },
        "example": EXAMPLE,
    }
    return {
        "description": "It goes on until one of us leaves.",
        "content": {"text/event-stream": media},
    }
