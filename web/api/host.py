"""Host operations: signing in, the PIN, the table's language.

Laws: signing in is for anyone, all else for a signed-in browser. The digits of a PIN are returned
once, to the browser that had them made.
"""

from flask import Response, abort
from msgspec import Struct

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from web import responses, sessions
from web.api.operation import Api
from web.body_validation import (
    SPOKEN,
    TAPPED,
    Key,
    Spoken,
    Tapped,
)
from web.context import current_context, require_host
from web.host_sessions import HostSessions
from web.new_table import end_stale_offer
from web.rendering import languages
from web.sessions import browser_id

api = Api(
    "host",
    "/api/host",
    "The host: who is signed in with the PIN, the PIN itself, the language of the table.",
)


class Digits(Struct, frozen=True, forbid_unknown_fields=True):
    """The PIN as it was typed."""

    key: Key
    pin: str


class PassToken(Struct, frozen=True, forbid_unknown_fields=True):
    """The token of a pass, as the code of the table had it."""

    key: Key
    token: str


class Made(Struct, frozen=True):
    """A new PIN: told this once."""

    pin: str


class Quiet(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the table is calm."""

    key: Key
    calm: bool


@api.post(
    "/session",
    N_("Sign in with the PIN of the table."),
    takes=Digits,
    example={"key": "6f2c1a", "pin": "271828"},
)
def sign_in(body: Digits) -> Response | Refusal:
    """Sign the browser in; after several wrong PINs the next try has to wait."""
    refused = sessions.sign_in(_host_sessions(), body.pin)
    if refused is None:
        end_stale_offer(current_context())
        current_context().table.notify_watchers()
    return refused or responses.success_response()


@api.post(
    "/pass",
    N_("Sign in with the code that the table shows to its host; it counts once."),
    takes=PassToken,
    example={"key": "6f2c1a", "token": "Jk0mXbR2v8Qe1uT5wYz3Ag"},
    name="use_pass",
)
def use_pass(body: PassToken) -> Response | Refusal:
    """Sign the browser in; again if the answer was lost."""
    end_stale_offer(current_context())
    return _sign_in_by_pass(require_host().host_pass.use_token(body.token))


@api.post(
    "/pass/<int:seat>",
    N_("Sign in on the phone of the seat whose button is held on."),
    takes=Tapped,
    example=TAPPED,
    who="seat",
    name="use_held_button",
)
def use_held_button(seat: int, body: Tapped) -> Response | Refusal:
    """Sign the browser in that holds the seat; again if the answer was lost."""
    return _sign_in_by_pass(require_host().host_pass.use_held_button(seat))


def _sign_in_by_pass(used: bool) -> Response | Refusal:
    sessions_here = _host_sessions()
    if used:
        sessions.sign_in_by_pass(sessions_here)
        current_context().table.notify_watchers()
    elif not sessions.is_host(sessions_here):
        text = (
            "This code no longer counts: it was used, or its time is over. Hold a seat's button "
            "for six seconds, and the table shows a new one."
        )
        return refusal("pass_gone", "T.host", text)
    return responses.success_response()


@api.post("/session/end", N_("Sign this browser out."), takes=Tapped, example=TAPPED, who="host")
def sign_out(body: Tapped) -> Response:
    """Sign this browser out; other browsers of the host stay signed in."""
    sessions.sign_out(_host_sessions())
    current_context().table.notify_watchers()
    return responses.success_response()


@api.post(
    "/session/end-all",
    N_("Sign out every browser of the host, this one as well."),
    takes=Tapped,
    example=TAPPED,
    who="host",
)
def sign_all_out(body: Tapped) -> Response:
    """Sign out every browser of the host; the PIN stays the same."""
    require_host().pin.revoke_sessions()
    current_context().table.notify_watchers()
    return responses.success_response()


@api.post(
    "/pin",
    N_("Make a new PIN; every other browser of the host is signed out."),
    takes=Tapped,
    example=TAPPED,
    who="host",
    gives=Made,
)
def new_pin(body: Tapped) -> Response:
    """Return a new PIN, this once."""
    digits = require_host().pin.renew_pin(signed_in=browser_id())
    current_context().table.notify_watchers()
    return responses.json_response(Made(digits))


@api.post(
    "/language",
    N_("Choose the language of the table screen, and of browsers that ask for none of ours."),
    takes=Spoken,
    example=SPOKEN,
    who="host",
    name="speak",
)
def set_table_language(body: Spoken) -> None:
    """Set the language of the table; every table screen is loaded again."""
    current_context().set_language(languages.check_language(body.language))


@api.post(
    "/calm",
    N_("Choose whether the table is calm: no sound, no motion, every result told at once."),
    takes=Quiet,
    example={"key": "6f2c1a", "calm": True},
    who="host",
    name="calm",
)
def set_calm(body: Quiet) -> None:
    """Make the table calm or lively, and with it every page."""
    current_context().set_calm(body.calm)


def _host_sessions() -> HostSessions:
    return current_context().host_sessions or abort(404)
