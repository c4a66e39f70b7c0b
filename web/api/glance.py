"""One glance: how the table is, for a program that looks after many, without a cookie or a PIN.

Law: a colour for each light and nothing else: no number, no name, nothing of a game or of whoever
plays. It is what was seen a moment ago, so that whoever asks keeps nobody from playing.
"""

from flask import Response
from msgspec import Struct

from companion.core.i18n import N_
from companion.host.health import Colour, House
from companion.host.status import colours, worst
from web import responses
from web.api.operation import Api
from web.context import house

api = Api("glance", "")


class Glance(Struct, frozen=True):
    """The worst colour, and that of every light about which something is known."""

    light: Colour
    lights: dict[str, Colour]


@api.get(
    responses.HEALTHZ,
    N_("How the table is, in colours; the status is 503 as long as one of them is red."),
    Glance,
    ill="Something has to be put right now; `lights` says what.",
)
def healthz() -> Response:
    """Green and amber are 200: amber goes on."""
    return responses.found(*seen(house()))


def seen(at_home: House) -> tuple[Glance, int]:
    """What is answered now, and with which status."""
    lights = at_home.lights()
    colour = worst(lights)
    return Glance(colour, colours(lights)), 503 if colour == "red" else 200
