"""Browsers: the sender of a request, its seat or host session, and its rate limit.

Laws: the cookie carries a random id without meaning, signed with the key of this table; which seat
that is, and whether it is the host, is stored at the table. A cookie counts for as long as what it
names is stored, whatever any clock says; it is sent with Max-Age, which the phone counts, and never
with Expires, which the Pi would have to compute. A refusal sets no cookie and clears none.

A browser is known if it has a seat, moves the pieces of one, or is a host's. That the identity
store has a row for it is not enough: every visitor can come to have one. An IPv4 address is a
source, and so is an IPv6 network of 64 bits, because one device can take any address in it.
127.0.0.1 and ::1, and no other address, are the machine itself.

Each client has one token bucket: a request takes the more tokens the more it costs the table. A
bucket refills at a steady pace, so that quick play and six phones behind one router are never
slowed, and a flood has to wait. The number of buckets is bounded, and a client that was dropped
begins again with a full one.
"""

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Literal, NamedTuple

import msgspec
from flask import Flask, Request, Response, make_response, redirect, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.http import dump_cookie

from companion.core.i18n import N_
from companion.host.host_pass import HostSessions
from companion.seating.identity import Attempts, IdentityStore
from companion.seating.seats import Seats

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
LOOPBACK = "loopback"
"""The source of every request from the machine itself."""
LOOPBACK_ADDRESSES = ("127.0.0.1", "::1")
IPV6_PREFIX = 64
Who = Literal["anyone", "seat", "hands", "host"]
"""Callers of an operation: one that holds the seat, one that moves its pieces, the host."""
MAX_SOURCES = 4
"""Sources of one browser that are remembered: its networks, and both kinds of addresses."""
MAX_SIGNERS = 64
"""Browsers whose sources are remembered before those are dropped that are not known any more."""


# The cookie.


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
    """Return whether a person opened this page; False after a redirect from a page left open."""
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
    """Return the signer of this app's cookies."""
    return _make_serializer(app.secret_key or "")


def _make_serializer(secret: str | bytes) -> URLSafeSerializer:
    signing = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(secret, salt=SALT, signer_kwargs=signing)


def _read_current(secret: str | bytes, value: str) -> dict[str, object] | None:
    """Return a cookie's content, which a session copies; None if we did not sign it."""
    try:
        found = _make_serializer(secret).loads(value)
    except BadSignature:
        return None
    return found if isinstance(found, dict) else None


_read_again = lru_cache(REMEMBERED)(_read_current)


# Whom a request counts for, and what it may do.


class Client(NamedTuple):
    """Account of requests and connections; seats, hosts and the machine itself come first."""

    key: str
    comes_first: bool = False


@lru_cache(1024)
def source_of(address: str) -> str:
    """Return the source of an address; an address that cannot be read is a source of its own."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found
    if str(found) in LOOPBACK_ADDRESSES:
        return LOOPBACK
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found, IPV6_PREFIX), strict=False))
    return str(found)


class Denial(msgspec.Struct, frozen=True):
    """Refusal of an operation to a browser, by the code of its reason."""

    code: str


class Browsers:
    """The browsers that ask at one table; without `hosts` none is a host's."""

    def __init__(self, identity: IdentityStore, seats: Seats, hosts: HostSessions | None) -> None:
        self.identity, self._seats, self._hosts = identity, seats, hosts
        self.attempts = Attempts()
        """The number of this start, and the signatures with it."""
        self._signed_from: dict[str, tuple[str, ...]] = {}
        """The sources of known browsers that have signed something, the newest first."""

    def is_host(self, browser: str) -> bool:
        """Return whether a browser is a host's."""
        return self._hosts is not None and self._hosts.is_host(browser)

    def is_known(self, browser: str) -> bool:
        """Return whether a browser has a seat, moves its pieces, or is signed in as host."""
        plays = self._seats.seats_of(browser) or self._seats.seats_moved_by(browser)
        return bool(plays) or self.is_host(browser)

    def find_denial(self, who: str, browser: str, seat: int) -> Denial | None:
        """Return the reason this browser may not do this; None if it may."""
        if who == "seat" and not self._seats.holds_seat(browser, seat):
            return Denial("not_your_seat")
        if who == "hands" and not self._seats.may_move(browser, seat):
            return Denial("not_your_seat")
        if who == "host" and not self.is_host(browser):
            return Denial("not_host")
        return None

    def find_client(self, browser: str, address: str) -> Client:
        """Return the client that a request counts for: a known browser, else its address.

        A known browser that has signed counts only where it did: a copy of its cookie that comes
        from elsewhere takes nothing of its share.
        """
        source = source_of(address)
        is_here = source in self._signed_from.get(browser, (source,))
        if browser and is_here and self.is_known(browser):
            return Client(f"browser {browser}", comes_first=True)
        return Client(source, comes_first=source == LOOPBACK)

    def note_signed(self, browser: str, address: str) -> None:
        """Remember that a browser signed something that came from this address."""
        source, before = source_of(address), self._signed_from.get(browser, ())
        if before[:1] == (source,) or not self.is_known(browser):
            return
        others = tuple(other for other in before if other != source)
        self._signed_from[browser] = (source, *others)[:MAX_SOURCES]
        if len(self._signed_from) > MAX_SIGNERS:
            kept = list(self._signed_from.items())  # Other threads add to it.
            self._signed_from = {each: s for each, s in kept if self.is_known(each)}


# How much they may ask.

RATE_LIMIT = "limits"
READ, WRITE, NEW_KEY, NEW_GAME = 1, 5, 30, 40
"""Tokens: a new key is written to disk, and a new game stays in the journal."""
MAX_BUCKETS = 4096
TOO_MANY_REQUESTS = N_("That was too quick for the table. Please wait a moment and try again.")


class Limits(msgspec.Struct, frozen=True):
    """Limits of one client, at once and in each second, and of the whole table."""

    tokens: int = 400
    per_second: float = 60.0
    viewers: int = 300
    connections: int = 800


DEFAULT_LIMITS = Limits()


class RateLimit:
    """The buckets of one table. Thread-safe."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits, self._clock = limits, clock
        self._tokens: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: str, tokens: int) -> float:
        """Take tokens of a client: return 0 if there were enough, else the seconds until there
        are."""
        most, pace, now = self.limits.tokens, self.limits.per_second, self._clock()
        with self._lock:
            left, since = self._tokens.pop(key, (most, now))
            left = min(most, left + (now - since) * pace)
            granted = left >= tokens
            self._tokens[key] = (left - tokens * granted, now)
            if len(self._tokens) > MAX_BUCKETS:
                self._tokens.popitem(last=False)
        return 0.0 if granted else (tokens - left) / pace

    def __len__(self) -> int:
        return len(self._tokens)
