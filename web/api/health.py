"""Looking after the table: how it is, whether its box is complete, what may be carried away.

Law: nothing that is carried away tells more than its reader may know: the record only of a game
that is over, the bundle nobody's name and nobody's secret.
"""

from flask import Response

from companion.core.errors import Refusal
from companion.core.i18n import N_
from companion.host.bundle import bundle
from companion.host.report import Report, played, report
from companion.records.record import to_bytes
from web import responses
from web.api.asking import TAPPED, Tapped
from web.api.operation import Api
from web.context import house, room

api = Api("care", "/api/host")

JSON_LINES, ZIP = "application/x-ndjson", "application/zip"


@api.post("/check", N_("Check the box, card by card."), takes=Tapped, example=TAPPED, who="host")
def check(body: Tapped) -> Refusal | None:
    """Everything of it is to come by a reader once."""
    return house().check()


@api.post("/check/end", N_("Check the box no longer."), takes=Tapped, example=TAPPED, who="host")
def stop_check(body: Tapped) -> None:
    """What is missing is missing."""
    house().stop_check()


@api.get("/health", N_("How readers, boxes, journal, clock and disk are."), Report, who="host")
def health() -> Report:
    """For the host's page, and for programs that look after a table."""
    return report(house().health())


@api.get("/record", N_("The record of the last game, once it is over."), JSON_LINES, who="host")
def record() -> Response | Refusal:
    """A file that anybody can read, replay and prove; its name names nobody."""
    found = room().table.record()
    if isinstance(found, Refusal):
        return found
    name = f"{found.header.game}-{found.header.id}.jsonl"
    return responses.file(name, to_bytes(found), JSON_LINES)


@api.get("/bundle", N_("What somebody has to know who is asked for help."), ZIP, who="host")
def support() -> Response:
    """Nothing in it is anybody's secret, or anybody's name."""
    packed = bundle(report(house().health()), played(room().table))
    return responses.file("companion-support.zip", packed, ZIP)
