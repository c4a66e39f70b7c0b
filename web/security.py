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
from web.rate_limits import RATE_LIMITER, TOO_MANY_REQUESTS, RateLimiter
from web.rendering import templates
from web.sessions import BROWSER_KEY

LOOPBACK = ("localhost", "127.0.0.1")
PORT, COOKIE = 8000, "companion"
"""Where one table is served, and its cookie. Another one of the same machine has a cookie of its
own: browsers send the cookies of all ports to each."""
MAX_FORM_SIZE = 16 * 1024
READ_METHODS = ("GET", "HEAD", "OPTIONS")
SIGN_IN_PATHS = ("/api/host/session", "/api/host/pin")
"""Where a PIN is tried."""
NEW_GAME_ENDPOINTS = ("api_play.seats", "api_play.deal", "api_demo.gather")
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
FRAMED_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""A phone beside the simulated table of the same seat; nothing else stands in a frame."""
FRAMING_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": HEADERS["Content-Security-Policy"] + "; frame-src 'self'",
}
"""The simulated table, which has that phone beside it."""
BESIDE = "beside"
ASSET_TYPES = ("text/javascript", "text/css")
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
    429: TOO_MANY_REQUESTS,
}
DEFAULT_SENTENCE = N_("Something went wrong at the table. The game is safe in the journal.")


def install(app: Flask, trusted_hosts: Sequence[str], port: int) -> None:
    """Set the guard before this app."""
    app.config.update(
        TRUSTED_HOSTS=[host.lower() for host in trusted_hosts],
        MAX_CONTENT_LENGTH=MAX_FORM_SIZE,
        MAX_FORM_MEMORY_SIZE=MAX_FORM_SIZE,
        SESSION_COOKIE_NAME=COOKIE if port == PORT else f"{COOKIE}-{port}",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
    )
    app.before_request(check_origin)
    app.before_request(check_rate_limit)
    app.after_request(add_headers)
    app.register_error_handler(HTTPException, handle_http_error)


def check_origin() -> None:
    """A write must come from the very address that it is sent to."""
    ours = request.host_url.rstrip("/")
    if request.method not in READ_METHODS and request.headers.get("Origin") != ours:
        raise Forbidden


def check_rate_limit() -> None:
    """Whoever asks too often waits a moment."""
    patience: RateLimiter = current_app.extensions[RATE_LIMITER]
    address = request.remote_addr or ""
    if request.method in READ_METHODS:
        wait = patience.wait_to_read(address)
    else:
        wait = patience.wait_to_sign_in(address) if request.path in SIGN_IN_PATHS else 0.0
        wait = wait or (
            patience.wait_to_begin_game(address) if request.endpoint in NEW_GAME_ENDPOINTS else 0.0
        )
        wait = wait or patience.wait_to_write(address, session.get(BROWSER_KEY, ""))
    if wait:
        raise TooManyRequests(retry_after=math.ceil(wait))


def add_headers(response: Response) -> Response:
    """What a browser may do with this; only files are kept, as they are the same for everyone."""
    file = request.endpoint == "static" and response.mimetype in ASSET_TYPES
    response.headers.update(FILE_HEADERS if file else _page_headers())
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def _page_headers() -> dict[str, str]:
    """The simulated table frames the phone, if it asks for it so; no other page frames any."""
    if request.endpoint == "play.show_play":
        return FRAMING_HEADERS
    if request.endpoint == "phone.show_phone" and BESIDE in request.args:
        return FRAMED_HEADERS
    return HEADERS


def handle_http_error(error: HTTPException) -> Response:
    """An error as one sentence; never more."""
    response = _error_response(error)
    if isinstance(error, TooManyRequests):
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _error_response(error: HTTPException) -> Response:
    status = error.code or 500
    saying = message(SENTENCES.get(status, DEFAULT_SENTENCE))
    if isinstance(error, SecurityError):  # Even the address is not ours: no page, no cookie.
        return captive_portal.captive_portal_response() or Response(
            saying.text, status, content_type="text/plain; charset=utf-8"
        )
    spoken = templates.template_words(responses.request_language())
    if responses.wants_json():
        code = f"http_{status}"
        return responses.problem_response(responses.Problem(status, spoken["say"](saying), code))
    return make_response(render_template("error.html", **spoken, saying=saying), status)
