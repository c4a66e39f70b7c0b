"""Hosts: which browsers are signed in with the PIN of the table.

Laws: the cookie of a host carries which PIN it was, never the digits; a new PIN, or having everyone
sign out, makes every such cookie worthless. Who signed out stays out, even with a copy of the
cookie, until the companion is started anew. How long a wrong PIN has to wait is decided by the PIN
itself.
"""

import threading
import time

from flask import session

from companion.core.errors import Refusal
from companion.host.pin import Pin
from web.browser import my_browser

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
        refused = self._pin.refuse(typed, time.monotonic())
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
