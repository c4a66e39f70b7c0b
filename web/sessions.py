"""Sessions: which browser asks, and whether it is signed in as the host.

Laws: the cookie carries a random id without meaning; which seat that is, and whether it is the
host, is stored at the table. A new PIN, or signing everyone out, ends every session of the host. A
browser that signed out stays out, even with a copy of its cookie and after a restart.
"""

import logging
import secrets
import time
from contextlib import suppress

from flask import Response, make_response, redirect, request, session

from companion.core.errors import NotWritten, Refusal
from companion.core.log_lines import log_line
from companion.host.pin import Pin
from companion.host.pin_guesses import Guesser
from web.sources import source_of

LOG = logging.getLogger("web")
BROWSER_KEY = "browser"
REDIRECTED_KEY = "led"
"""Marks a browser that a page redirected to the seats, because it lost its seat."""
OLD_HOST_KEY = "host"
"""The generation of the PIN in a cookie of an earlier version."""


def browser_id() -> str:
    """Return the random id of the asking browser; set it in the cookie first if there is none."""
    if BROWSER_KEY not in session:
        session[BROWSER_KEY] = secrets.token_urlsafe(16)
    return str(session[BROWSER_KEY])


def set_browser_id(browser: str) -> None:
    """Make the asking browser this one from now on; what its cookie said of another one is gone."""
    session.pop(OLD_HOST_KEY, None)
    session[BROWSER_KEY] = browser


def redirect_away(target: str = "/") -> Response:
    """Redirect away from a page that this browser may no longer see, and mark the browser so."""
    session[REDIRECTED_KEY] = True
    return make_response(redirect(target, 303))


def is_direct_visit() -> bool:
    """Check that a person opened this page, rather than a left-open page redirecting here."""
    return not session.pop(REDIRECTED_KEY, False) and request.method == "GET"


class HostSessions:
    """The browsers that are signed in with the PIN of the table. Thread-safe.

    What changes them raises NotWritten where the disk does not take it.
    """

    def __init__(self, pin: Pin) -> None:
        self._pin, self._identity = pin, pin.identity

    def sign_in(self, browser: str, typed: str, source: str) -> Refusal | None:
        """Sign this browser in if the PIN is right, else return the refusal."""
        guesser = Guesser(source, browser if self.has_signed_in(browser) else "")
        checked = self._pin.check_pin(typed, time.monotonic(), guesser)
        if isinstance(checked, Refusal):
            LOG.warning(log_line("host_sign_in_failed", code=checked.code))
            return checked
        self._identity.save_host_session(browser, checked)
        LOG.info(log_line("host_signed_in"))
        return None

    def admit(self, browser: str) -> None:
        """Sign this browser in without a PIN."""
        self._pin.ensure_pin()
        self._identity.save_host_session(browser, self._pin.generation)

    def sign_out(self, browser: str) -> None:
        """Sign this browser out; a copy of its cookie is worth nothing from now on."""
        self._identity.save_host_session(browser, "")
        LOG.info(log_line("host_signed_out"))

    def is_signed_in(self, browser: str) -> bool:
        """Check that this browser signed in with the current generation of the PIN."""
        signed_in = self._identity.host_generation(browser)
        return bool(signed_in) and signed_in == self._pin.generation

    def adopt_old_session(self, browser: str, generation: str) -> bool:
        """Sign in a browser whose cookie of an earlier version says so; return whether it counts.

        It counts once: a browser that has signed in or out here since is known by that alone.
        """
        is_new = self._identity.host_generation(browser) is None
        if not is_new or not generation or generation != self._pin.generation:
            return False
        with suppress(NotWritten):  # Then its cookie says so the next time as well.
            self._identity.save_host_session(browser, generation)
        return True

    def has_host(self) -> bool:
        """Check that some browser is signed in with the current generation of the PIN."""
        generation = self._pin.generation
        return bool(generation) and generation in self._identity.state.host_sessions.values()

    def has_signed_in(self, browser: str) -> bool:
        """Check that this browser has signed in at some time, with whichever PIN."""
        return self._identity.host_generation(browser) is not None


def sign_in(sessions: HostSessions, typed: str) -> Refusal | None:
    """Sign the asking browser in if the PIN is right, else return the refusal."""
    return sessions.sign_in(browser_id(), typed, source_of(request.remote_addr or ""))


def sign_in_by_pass(sessions: HostSessions) -> None:
    """Sign the asking browser in, which has just used the pass of the host up."""
    sessions.admit(browser_id())
    LOG.info(log_line("host_signed_in", by="pass"))


def sign_out(sessions: HostSessions) -> None:
    """Sign the asking browser out."""
    sessions.sign_out(browser_id())


def is_host(sessions: HostSessions | None) -> bool:
    """Check that the asking browser is signed in."""
    if sessions is None:
        return False
    return sessions.is_signed_in(browser_id()) or sessions.adopt_old_session(
        browser_id(), str(session.get(OLD_HOST_KEY, ""))
    )
