"""Hosts: which browsers are signed in with the PIN of the table.

Laws: the cookie of a host carries which PIN it was, never the digits; a new PIN, or having everyone
sign out, makes every such cookie worthless. Who signed out stays out, even with a copy of the
cookie, until the companion is started anew. How long a wrong PIN has to wait is decided by the PIN
itself.

The browser that asks, known again by a signed cookie.

Law: what the cookie carries is a random name without meaning; who it is, is decided by who sits
where.
"""

import secrets
import threading
import time

from flask import Response, make_response, redirect, request, session

from companion.core.errors import Refusal
from companion.host.pin import Pin

BROWSER_KEY = "browser"
REDIRECTED_KEY = "led"
"""Marks a browser that a page led to the seats by itself, because its seat is no longer there."""


def browser_id() -> str:
    """The name of the browser that asks; a new one is given a name first."""
    if BROWSER_KEY not in session:
        session.permanent = True
        session[BROWSER_KEY] = secrets.token_urlsafe(16)
    return str(session[BROWSER_KEY])


def redirect_away(target: str = "/") -> Response:
    """The way from a page that is no longer this browser's."""
    session[REDIRECTED_KEY] = True
    return make_response(redirect(target, 303))


def is_direct_visit() -> bool:
    """Whether it is a person who comes here, not a page that was left open and led away."""
    return not session.pop(REDIRECTED_KEY, False) and request.method == "GET"


HOST_KEY = "host"


class HostSessions:
    """The browsers from which the host may decide."""

    def __init__(self, pin: Pin) -> None:
        self._pin = pin
        self._signed_in: dict[str, str] = {}
        self._signed_out: set[str] = set()
        self._lock = threading.Lock()

    def sign_in(self, browser: str, typed: str) -> Refusal | None:
        """Sign in with these digits."""
        refused = self._pin.check_pin(typed, time.monotonic())
        if refused is None:
            self.admit(browser)
        return refused

    def admit(self, browser: str) -> str:
        """Have this browser be a host; what its cookie is to carry."""
        with self._lock:
            self._signed_out.discard(browser)
            self._signed_in[browser] = self._pin.generation
            return self._signed_in[browser]

    def sign_out(self, browser: str) -> None:
        """Sign this browser out."""
        with self._lock:
            self._signed_in.pop(browser, None)
            self._signed_out.add(browser)

    def restore_session(self, browser: str, generation: str) -> None:
        """Know a browser again by what its cookie carries, after a restart as well."""
        with self._lock:
            if browser not in self._signed_out and generation == self._pin.generation:
                self._signed_in[browser] = generation

    def is_signed_in(self, browser: str) -> bool:
        """Whether this browser is signed in now."""
        with self._lock:
            return self._signed_in.get(browser) == self._pin.generation


def sign_in(sessions: HostSessions, typed: str) -> Refusal | None:
    """Sign in whoever asks."""
    refused = sessions.sign_in(browser_id(), typed)
    if refused is None:
        renew_session(sessions)
    return refused


def renew_session(sessions: HostSessions) -> None:
    """Have whoever asks be a host, by the PIN that holds now."""
    session[HOST_KEY] = sessions.admit(browser_id())


def sign_out(sessions: HostSessions) -> None:
    """Sign out whoever asks."""
    sessions.sign_out(browser_id())
    session.pop(HOST_KEY, None)


def is_host(sessions: HostSessions | None) -> bool:
    """Whether whoever asks is signed in."""
    if sessions is None:
        return False
    sessions.restore_session(browser_id(), str(session.get(HOST_KEY, "")))
    return sessions.is_signed_in(browser_id())
