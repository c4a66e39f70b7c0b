"""The host: who is signed in with the PIN, the PIN itself, the language of the table.

Laws: signing in is for anyone, all else for a browser that is signed in. The digits of a PIN are
told once, to whoever had them made.
"""

from flask import Response, abort
from msgspec import Struct

from companion.core.errors import Refusal
from companion.core.i18n import N_
from web import responses, sessions
from web.api.asking import SPOKEN, TAPPED, Key, Spoken, Tapped
from web.api.operation import Api
from web.context import house, room
from web.rendering import templates
from web.sessions import Hosts

api = Api("host", "/api/host")


class Digits(Struct, frozen=True, forbid_unknown_fields=True):
    """The PIN as somebody typed it."""

    key: Key
    pin: str


class Made(Struct, frozen=True):
    """A new PIN: told this once."""

    pin: str


@api.post(
    "/session",
    N_("Sign in with the PIN of the table."),
    takes=Digits,
    example={"key": "6f2c1a", "pin": "271828"},
)
def sign_in(body: Digits) -> Response | Refusal:
    """Wrong digits have to wait after a while."""
    refused = sessions.sign_in(_hosts(), body.pin)
    return refused or responses.done()


@api.post("/session/end", N_("Sign this browser out."), takes=Tapped, example=TAPPED, who="host")
def sign_out(body: Tapped) -> Response:
    """The other browsers of the host stay as they are."""
    sessions.sign_out(_hosts())
    room().table.tell()
    return responses.done()


@api.post(
    "/session/end-all",
    N_("Sign out every browser of the host, this one as well."),
    takes=Tapped,
    example=TAPPED,
    who="host",
)
def sign_all_out(body: Tapped) -> Response:
    """The PIN stays as it is."""
    house().pin.revoke()
    room().table.tell()
    return responses.done()


@api.post(
    "/pin",
    N_("Make a new PIN; every other browser of the host is signed out."),
    takes=Tapped,
    example=TAPPED,
    who="host",
    gives=Made,
)
def new_pin(body: Tapped) -> Response:
    """Told to whoever asked, this once."""
    digits = house().pin.renew()
    sessions.stay(_hosts())
    room().table.tell()
    if not responses.machine():
        return responses.shown("host/pin.html", pin=digits)
    return responses.found(Made(digits))


@api.post(
    "/language",
    N_("Choose the language of the table screen, and of whoever chose none."),
    takes=Spoken,
    example=SPOKEN,
    who="host",
)
def speak(body: Spoken) -> None:
    """Every table screen comes anew."""
    room().speak(templates.one_offered(body.language))


def _hosts() -> Hosts:
    return room().hosts or abort(404)
