"""Session cookies: which browser asks, and whether it is signed in as the host.

Laws: the cookie carries a random id without meaning; which seat that is, the seats decide. The
cookie of a host also carries the generation of the PIN, never its digits: a new PIN, or signing
everyone out, makes every such cookie worthless. A browser that signed out stays out, even with a
copy of its cookie, until the companion restarts. The PIN itself limits how fast it can be tried.
"""

import logging
import secrets
import threading
import time

from flask import Response, make_response, redirect, request, session

from companion.core.errors import Refusal
from companion.core.log_lines import log_line
from companion.host.pin import Pin

LOG = logging.getLogger("web")
BROWSER_KEY = "browser"
REDIRECTED_KEY = "led"
"""Marks a browser that a page redirected to the seats, because it lost its seat."""
HOST_KEY = "host"


def browser_id() -> str:
    """Return the random id of the asking browser; set it in the cookie first if there is none."""
    if BROWSER_KEY not in session:
        session.permanent = True
        session[BROWSER_KEY] = secrets.token_urlsafe(16)
    return str(session[BROWSER_KEY])


def redirect_away(target: str = "/") -> Response:
    """Redirect away from a page that this browser may no longer see, and mark the browser so."""
    session[REDIRECTED_KEY] = True
    return make_response(redirect(target, 303))


def is_direct_visit() -> bool:
    """Check that a person opened this page, rather than a left-open page redirecting here."""
    return not session.pop(REDIRECTED_KEY, False) and request.method == "GET"


class HostSessions:
    """The browsers that are signed in with the PIN of the table. Thread-safe."""

    def __init__(self, pin: Pin) -> None:
        self._pin = pin
        self._signed_in: dict[str, str] = {}
        self._signed_out: set[str] = set()
        self._lock = threading.Lock()

    def sign_in(self, browser: str, typed: str) -> Refusal | None:
        """Sign this browser in if the PIN is right, else return the refusal."""
        refused = self._pin.check_pin(typed, time.monotonic())
        if refused is None:
            self.admit(browser)
            LOG.info(log_line("host_signed_in"))
        else:
            LOG.warning(log_line("host_sign_in_failed", code=refused.code))
        return refused

    def admit(self, browser: str) -> str:
        """Sign this browser in without a PIN; return the generation for its cookie."""
        with self._lock:
            self._signed_out.discard(browser)
            self._signed_in[browser] = self._pin.generation
            return self._signed_in[browser]

    def sign_out(self, browser: str) -> None:
        """Sign this browser out, and ignore its cookie from now on."""
        with self._lock:
            self._signed_in.pop(browser, None)
            self._signed_out.add(browser)
        LOG.info(log_line("host_signed_out"))

    def restore_session(self, browser: str, generation: str) -> None:
        """Sign this browser in again if its cookie carries the current generation of the PIN."""
        with self._lock:
            if browser not in self._signed_out and generation == self._pin.generation:
                self._signed_in[browser] = generation

    def is_signed_in(self, browser: str) -> bool:
        """Check that this browser signed in with the current generation of the PIN."""
        with self._lock:
            return self._signed_in.get(browser) == self._pin.generation


def sign_in(sessions: HostSessions, typed: str) -> Refusal | None:
    """Sign the asking browser in if the PIN is right, else return the refusal."""
    refused = sessions.sign_in(browser_id(), typed)
    if refused is None:
        renew_session(sessions)
    return refused


def renew_session(sessions: HostSessions) -> None:
    """Sign the asking browser in by the current PIN, without its digits."""
    session[HOST_KEY] = sessions.admit(browser_id())


def sign_out(sessions: HostSessions) -> None:
    """Sign the asking browser out and clear its cookie."""
    sessions.sign_out(browser_id())
    session.pop(HOST_KEY, None)


def is_host(sessions: HostSessions | None) -> bool:
    """Check that the asking browser is signed in; restores the session from its cookie."""
    if sessions is None:
        return False
    sessions.restore_session(browser_id(), str(session.get(HOST_KEY, "")))
    return sessions.is_signed_in(browser_id())
