"""Looking after the table: how it is, whether its box is complete, what may be carried away.

Law: nothing that is carried away tells more than its reader may know: the record only of a game
that is over, the bundle nobody's name and nobody's secret.

One glance: how the table is, for a program that looks after many, without a cookie or a PIN.

Law: a colour for each light and nothing else: no number, no name, nothing of a game or of whoever
plays. It is what was seen a moment ago, so that whoever asks keeps nobody from playing.
"""

from flask import Response
from msgspec import Struct

from companion.core.errors import Refusal
from companion.core.i18n import N_
from companion.host.health import Colour
from companion.host.host import Host
from companion.host.report import HealthReport, build_report, pack_bundle, summarize_game
from companion.host.status import light_colours, worst_colour
from companion.records.format import to_bytes
from web import responses
from web.api.operation import TAPPED, Api, Tapped
from web.context import current_context, require_host

api = Api(
    "care",
    "/api/host",
    "Looking after the table: how it is, whether its box is complete, what may be carried away.",
)

JSON_LINES, ZIP = "application/x-ndjson", "application/zip"


@api.post(
    "/check",
    N_("Check the box, card by card."),
    takes=Tapped,
    example=TAPPED,
    who="host",
    name="check",
)
def start_box_check(body: Tapped) -> Refusal | None:
    """Everything of it is to come by a reader once."""
    return require_host().start_box_check()


@api.post(
    "/check/end",
    N_("Check the box no longer."),
    takes=Tapped,
    example=TAPPED,
    who="host",
    name="stop_check",
)
def stop_box_check(body: Tapped) -> None:
    """What is missing is missing."""
    require_host().stop_box_check()


@api.get(
    "/health",
    N_("How readers, boxes, journal, clock and disk are."),
    HealthReport,
    who="host",
    name="health",
)
def get_health() -> HealthReport:
    """For the host's page, and for programs that look after a table."""
    return build_report(require_host().read_health())


@api.get(
    "/record",
    N_("The record of the last game, once it is over."),
    JSON_LINES,
    who="host",
    name="record",
)
def download_record() -> Response | Refusal:
    """A file that anybody can read, replay and prove; its name names nobody."""
    found = current_context().table.last_record()
    if isinstance(found, Refusal):
        return found
    name = f"{found.header.game}-{found.header.id}.jsonl"
    return responses.file_response(name, to_bytes(found), JSON_LINES)


@api.get(
    "/bundle",
    N_("What somebody has to know who is asked for help."),
    ZIP,
    who="host",
    name="support",
)
def download_support_bundle() -> Response:
    """Nothing in it is anybody's secret, or anybody's name."""
    packed = pack_bundle(
        build_report(require_host().read_health()), summarize_game(current_context().table)
    )
    return responses.file_response("companion-support.zip", packed, ZIP)


status_api = Api(
    "glance",
    "",
    "One glance: how the table is, for a program that looks after many, without a cookie or a PIN.",
)


class Glance(Struct, frozen=True):
    """The worst colour, and that of every light about which something is known."""

    light: Colour
    lights: dict[str, Colour]


@status_api.get(
    responses.HEALTHZ,
    N_("How the table is, in colours; the status is 503 as long as one of them is red."),
    Glance,
    unavailable="Something has to be put right now; `lights` says what.",
    name="healthz",
)
def get_healthz() -> Response:
    """Green and amber are 200: amber goes on."""
    return responses.json_response(*take_glance(require_host()))


def take_glance(at_home: Host) -> tuple[Glance, int]:
    """What is answered now, and with which status."""
    lights = at_home.health_lights()
    colour = worst_colour(lights)
    return Glance(colour, light_colours(lights)), 503 if colour == "red" else 200
