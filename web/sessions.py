"""Sessions: which browser asks, in a cookie signed with the key of this table, and without a time.

Laws: the cookie carries a random id without meaning; which seat that is, and whether it is the
host, is stored at the table. A cookie counts for as long as what it names is stored, whatever any
clock says; it is sent with Max-Age, which the phone counts, and never with Expires, which the Pi
would have to compute. A refusal sets no cookie and clears none.
"""

import hashlib
import secrets
from functools import lru_cache

from flask import Flask, Request, Response, make_response, redirect, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.http import dump_cookie

BROWSER_KEY = "browser"
REDIRECTED_KEY = "led"
"""Marks a browser that a page redirected to the seats, because it lost its seat."""
SALT = "companion browser"
MAX_AGE = 400 * 24 * 60 * 60
"""Seconds; browsers keep no cookie for longer than 400 days."""
FIRST_REFUSAL = 400
"""The lowest status of a response that refuses something."""
REMEMBERED, REMEMBERED_SIZE = 256, 2048
"""Cookies whose reading is remembered, as the same few come again and again; their characters."""


def browser_id() -> str:
    """Return the random id of the asking browser; set it in the cookie first if there is none."""
    if BROWSER_KEY not in session:
        session[BROWSER_KEY] = secrets.token_urlsafe(16)
    return str(session[BROWSER_KEY])


def set_browser_id(browser: str) -> None:
    """Make the asking browser this one from now on."""
    session[BROWSER_KEY] = browser


def redirect_away(target: str = "/") -> Response:
    """Redirect away from a page that this browser may no longer see, and mark the browser so."""
    session[REDIRECTED_KEY] = True
    return make_response(redirect(target, 303))


def is_direct_visit() -> bool:
    """Check that a person opened this page, rather than a left-open page redirecting here."""
    return not session.pop(REDIRECTED_KEY, False) and request.method == "GET"


class UntimedSessions(SecureCookieSessionInterface):
    """Reads and writes the session of a browser as an untimed cookie."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return the session in the cookie; an empty one if there is none that we signed."""
        value = request.cookies.get(self.get_cookie_name(app), "")
        secret = app.secret_key or ""
        read = _read_again if len(value) <= REMEMBERED_SIZE else _read_current
        return SecureCookieSession(read(secret, value))

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the cookie if the session has changed and the response refuses nothing."""
        if session.accessed:
            response.vary.add("Cookie")
        if session and session.modified and response.status_code < FIRST_REFUSAL:
            cookie = dump_cookie(
                self.get_cookie_name(app),
                str(make_serializer(app).dumps(dict(session))),
                max_age=MAX_AGE,
                path=self.get_cookie_path(app),
                httponly=self.get_cookie_httponly(app),
                samesite=self.get_cookie_samesite(app),
                sync_expires=False,
            )
            response.headers.add("Set-Cookie", cookie)


def make_serializer(app: Flask) -> URLSafeSerializer:
    """Return what signs the cookies of this app."""
    return _make_serializer(app.secret_key or "")


def _make_serializer(secret: str | bytes) -> URLSafeSerializer:
    signing = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(secret, salt=SALT, signer_kwargs=signing)


def _read_current(secret: str | bytes, value: str) -> dict[str, object] | None:
    """Return what a cookie says, which a session copies; None if we did not sign it."""
    try:
        found = _make_serializer(secret).loads(value)
    except BadSignature:
        return None
    return found if isinstance(found, dict) else None


_read_again = lru_cache(REMEMBERED)(_read_current)
