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

BROWSER = "browser"
LED = "led"
"""Marks a browser that a page led to the seats by itself, because its seat is no longer there."""


def my_browser() -> str:
    """The name of the browser that asks; a new one is given a name first."""
    if BROWSER not in session:
        session.permanent = True
        session[BROWSER] = secrets.token_urlsafe(16)
    return str(session[BROWSER])


def led_away(where: str = "/") -> Response:
    """The way from a page that is no longer this browser's."""
    session[LED] = True
    return make_response(redirect(where, 303))


def came() -> bool:
    """Whether it is a person who comes here, not a page that was left open and led away."""
    return not session.pop(LED, False) and request.method == "GET"


HOST = "host"


class Hosts:
    """The browsers from which the host may decide."""

    def __init__(self, pin: Pin) -> None:
        self._pin = pin
        self._in: dict[str, str] = {}
        self._left: set[str] = set()
        self._busy = threading.Lock()

    def enter(self, browser: str, typed: str) -> Refusal | None:
        """Sign in with these digits."""
        refused = self._pin.check_pin(typed, time.monotonic())
        if refused is None:
            self.admit(browser)
        return refused

    def admit(self, browser: str) -> str:
        """Have this browser be a host; what its cookie is to carry."""
        with self._busy:
            self._left.discard(browser)
            self._in[browser] = self._pin.generation
            return self._in[browser]

    def leave(self, browser: str) -> None:
        """Sign this browser out."""
        with self._busy:
            self._in.pop(browser, None)
            self._left.add(browser)

    def remember(self, browser: str, carried: str) -> None:
        """Know a browser again by what its cookie carries, after a restart as well."""
        with self._busy:
            if browser not in self._left and carried == self._pin.generation:
                self._in[browser] = carried

    def knows(self, browser: str) -> bool:
        """Whether this browser is signed in now."""
        with self._busy:
            return self._in.get(browser) == self._pin.generation


def sign_in(hosts: Hosts, typed: str) -> Refusal | None:
    """Sign in whoever asks."""
    refused = hosts.enter(my_browser(), typed)
    if refused is None:
        stay(hosts)
    return refused


def stay(hosts: Hosts) -> None:
    """Have whoever asks be a host, by the PIN that holds now."""
    session[HOST] = hosts.admit(my_browser())


def sign_out(hosts: Hosts) -> None:
    """Sign out whoever asks."""
    hosts.leave(my_browser())
    session.pop(HOST, None)


def is_host(hosts: Hosts | None) -> bool:
    """Whether whoever asks is signed in."""
    if hosts is None:
        return False
    hosts.remember(my_browser(), str(session.get(HOST, "")))
    return hosts.knows(my_browser())
