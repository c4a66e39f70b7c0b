"""Operations that look after the table: its lights, the box check and the record.

Laws: nothing that can be downloaded tells more than its reader may know: the record only of a game
that is over. /healthz needs no cookie and no signature, so it tells a colour for each light and
nothing else. It reports the last check, so that asking never slows a game.
"""

from flask import Response
from msgspec import Struct

from companion.core.errors import Refusal
from companion.host.health import Colour
from companion.host.status import light_colours, worst_colour
from companion.records.format import to_bytes
from companion.records.store import GameList, export_record, list_past_games, make_last_record
from web import responses
from web.api.operation import Api, Key, Tapped
from web.context import current_context, require_host

api = Api(
    "care",
    "/api/host",
    "Looking after the table: how it is, whether its box is complete, what may be carried away.",
)
status_api = Api(
    "glance",
    "",
    "One glance: how the table is, for a program that looks after many, without a cookie.",
)

JSON_LINES = "application/x-ndjson"


class Glance(Struct, frozen=True):
    """The worst colour, and that of every light about which something is known."""

    light: Colour
    lights: dict[str, Colour]


@api.post("/check", takes=Tapped, who="host", name="check")
def start_box_check(body: Tapped) -> Refusal | None:
    """Start the check of the box."""
    return require_host().start_box_check()


@api.post("/check/end", takes=Tapped, who="host", name="stop_check")
def stop_box_check(body: Tapped) -> None:
    """Stop the check of the box."""
    require_host().stop_box_check()


class NewSticker(Struct, frozen=True, forbid_unknown_fields=True):
    """The piece that has a new sticker, and whether it lies where the game has it."""

    key: Key
    piece: str
    at_place: bool = False


@api.post("/sticker", takes=NewSticker, who="host", name="replace_sticker")
def replace_sticker(body: NewSticker) -> Refusal | None:
    """Assign the new sticker on a reader to a piece whose own is ruined."""
    return require_host().replace_sticker(body.piece, at_place=body.at_place)


@api.get("/record", JSON_LINES, who="host", name="record")
def download_record() -> Response | Refusal:
    """Download the record of the last game, once it is over."""
    table = current_context().table
    found = table.read_journal(lambda journal: make_last_record(journal, table.history))
    if isinstance(found, Refusal):
        return found
    name = f"{found.header.game}-{found.header.id}.jsonl"
    return responses.file_response(name, to_bytes(found), JSON_LINES)


@api.get("/records", GameList, who="host", name="records")
def list_records() -> GameList:
    """List the games in the journal."""
    context = current_context()
    names = context.seats.names.by_game
    return context.table.read_journal(
        lambda journal: GameList(tuple(list_past_games(journal, names)))
    )


@api.get("/records/<id>", JSON_LINES, who="host", name="past_record")
def download_past_record(id: str) -> Response:
    """Download the record of a game in the journal, if it is over."""
    record = current_context().table.read_journal(lambda journal: export_record(journal, id))
    return responses.file_response("record.jsonl", record, JSON_LINES)


@status_api.get(
    responses.HEALTHZ,
    Glance,
    unavailable="Something has to be put right now; `lights` says what.",
    name="healthz",
)
def get_healthz() -> Response:
    """Return the table's health in colours; the status is 503 while one of them is red."""
    lights = require_host().health_lights()
    colour = worst_colour(lights)
    glance = Glance(colour, light_colours(lights))
    return responses.json_response(glance, 503 if colour == "red" else 200)
