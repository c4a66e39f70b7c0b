"""The guard at the door: who may ask from where and how often, and what a browser may do.

Laws: a write comes from one of our own pages (its Origin is the address that was asked, and that
address is one of ours: neither a foreign page nor a rebound name gets in); nothing is loaded from
elsewhere and nothing runs that does not come as a file from here; an error is one sentence.
"""

import math
from collections.abc import Sequence

from flask import Flask, Response, current_app, make_response, render_template, request, session
from werkzeug.exceptions import Forbidden, HTTPException, SecurityError, TooManyRequests

from companion.core.i18n import N_, message
from web import captive_portal, responses
from web.rate_limits import LIMITS, TOO_QUICK, Patience
from web.rendering import templates
from web.sessions import BROWSER

LOOPBACK = ("localhost", "127.0.0.1")
PORT, COOKIE = 8000, "companion"
"""Where one table is served, and its cookie. Another one of the same machine has a cookie of its
own: browsers send the cookies of all ports to each."""
LARGEST_FORM = 16 * 1024
READING = ("GET", "HEAD", "OPTIONS")
SIGNING_IN = ("/api/host/session", "/api/host/pin")
"""Where a PIN is tried."""
BEGINNING = ("api_play.seats", "api_play.deal", "api_demo.gather")
"""Where anybody at a simulated table begins a game."""

HEADERS = {
    "Server": "companion",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FRAMED = {
    **HEADERS,
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""A phone beside the simulated table of the same seat; nothing else stands in a frame."""
FRAMING = {
    **HEADERS,
    "Content-Security-Policy": HEADERS["Content-Security-Policy"] + "; frame-src 'self'",
}
"""The simulated table, which has that phone beside it."""
BESIDE = "beside"
NEVER_PAGES = ("text/javascript", "text/css")
FILE_HEADERS = {
    name: HEADERS[name]
    for name in ("Server", "X-Content-Type-Options", "Cross-Origin-Resource-Policy")
}
"""What matters for a file that is never a page: the rest would weigh as much as many a file."""

SENTENCES = {
    400: N_("The table did not understand that."),
    403: N_("This was not sent from one of the table's own pages."),
    404: N_("There is no such page at this table."),
    405: N_("There is no such page at this table."),
    413: N_("That is more than the table takes at once."),
    415: N_("The table reads JSON, or the fields of a form."),
    429: TOO_QUICK,
}
OTHERWISE = N_("Something went wrong at the table. The game is safe in the journal.")


def guard(app: Flask, hosts: Sequence[str], port: int) -> None:
    """Set the guard before this app."""
    app.config.update(
        TRUSTED_HOSTS=[host.lower() for host in hosts],
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        MAX_FORM_MEMORY_SIZE=LARGEST_FORM,
        SESSION_COOKIE_NAME=COOKIE if port == PORT else f"{COOKIE}-{port}",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
    )
    app.before_request(refuse_strangers)
    app.before_request(refuse_haste)
    app.after_request(add_headers)
    app.register_error_handler(HTTPException, explain)


def refuse_strangers() -> None:
    """A write must come from the very address that it is sent to."""
    ours = request.host_url.rstrip("/")
    if request.method not in READING and request.headers.get("Origin") != ours:
        raise Forbidden


def refuse_haste() -> None:
    """Whoever asks too often waits a moment."""
    patience: Patience = current_app.extensions[LIMITS]
    address = request.remote_addr or ""
    if request.method in READING:
        wait = patience.reading(address)
    else:
        wait = patience.signing_in(address) if request.path in SIGNING_IN else 0.0
        wait = wait or (patience.beginning(address) if request.endpoint in BEGINNING else 0.0)
        wait = wait or patience.writing(address, session.get(BROWSER, ""))
    if wait:
        raise TooManyRequests(retry_after=math.ceil(wait))


def add_headers(response: Response) -> Response:
    """What a browser may do with this; only files are kept, as they are the same for everyone."""
    file = request.endpoint == "static" and response.mimetype in NEVER_PAGES
    response.headers.update(FILE_HEADERS if file else _of_a_page())
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def _of_a_page() -> dict[str, str]:
    """The simulated table frames the phone, if it asks for it so; no other page frames any."""
    if request.endpoint == "play.page":
        return FRAMING
    if request.endpoint == "phone.page" and BESIDE in request.args:
        return FRAMED
    return HEADERS


def explain(error: HTTPException) -> Response:
    """An error as one sentence; never more."""
    response = _in_a_sentence(error)
    if isinstance(error, TooManyRequests):
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _in_a_sentence(error: HTTPException) -> Response:
    status = error.code or 500
    saying = message(SENTENCES.get(status, OTHERWISE))
    if isinstance(error, SecurityError):  # Even the address is not ours: no page, no cookie.
        return captive_portal.hoped() or Response(
            saying.text, status, content_type="text/plain; charset=utf-8"
        )
    spoken = templates.words(responses.my_language())
    if responses.machine():
        code = f"http_{status}"
        return responses.problem(responses.Problem(status, spoken["say"](saying), code))
    return make_response(render_template("error.html", **spoken, saying=saying), status)
