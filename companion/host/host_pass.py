"""The pass of the host: a token that signs one browser in, without the PIN.

Laws: there is one pass at a time, and it counts once. One that is shown at the table counts for
thirty seconds; one that is printed on a terminal until it is used, as only users of this machine
can read it; one that a new table offers on its own screen until a host is signed in. A new pass, a
new PIN, signing everyone out and a restart end it. It is kept in memory alone: its hash, and the
token itself only while a screen shows it. Times are monotonic seconds.
"""

import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable

import msgspec

from companion.core.log_lines import log_line
from companion.host.pin import Pin

LOG = logging.getLogger("companion.host")
SHOWN_FOR = 30.0
"""Seconds for which a pass that a held button made is shown, and counts."""
TOKEN_BYTES = 16
NEW_TABLE = 0
"""Stands for the seat of a pass that no button made."""


class ShownPass(msgspec.Struct, frozen=True):
    """A pass on a screen: the seat whose button made it, 0 at a new table, and the token."""

    seat: int
    token: str


class IssuedPass(msgspec.Struct, frozen=True):
    """The one pass that counts; `ends` is never for one on a terminal or of a new table."""

    digest: bytes
    generation: str
    ends: float
    shown: ShownPass | None = None


class HostPass:
    """The pass of one table, which ends with the generation of its PIN. Thread-safe."""

    def __init__(self, pin: Pin, clock: Callable[[], float] = time.monotonic) -> None:
        self._pin, self._clock = pin, clock
        self._issued: IssuedPass | None = None
        self._lock, self._offering = threading.Lock(), threading.Lock()

    def print_pass(self) -> str:
        """Make the pass of a terminal, and return its token."""
        return self._issue(float("inf"))

    def show_pass(self, seat: int) -> None:
        """Make the pass of a seat whose button is held, for the screens to show."""
        self._issue(self._clock() + SHOWN_FOR, seat)
        LOG.info(log_line("host_pass_shown", seat=seat))

    def offer_pass(self) -> ShownPass | None:
        """Return the pass of a new table, made if there is none; None while another one counts."""
        with self._offering:
            if self._peek() is None:
                self._issue(float("inf"), NEW_TABLE)
        shown = self.shown_pass()
        return shown if shown is not None and shown.seat == NEW_TABLE else None

    def withdraw_offer(self) -> None:
        """End the pass of a new table, as a host is signed in."""
        with self._lock:
            issued = self._valid_pass()
            if issued is not None and issued.shown is not None and issued.shown.seat == NEW_TABLE:
                self._issued = None

    def _peek(self) -> IssuedPass | None:
        with self._lock:
            return self._valid_pass()

    def _issue(self, ends: float, seat: int | None = None) -> str:
        """Replace the pass; with a seat, screens show it. Return its token."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        shown = None if seat is None else ShownPass(seat, token)
        self._pin.ensure_pin()  # A first PIN that is made later would end the pass.
        issued = IssuedPass(_hash_token(token), self._pin.generation, ends, shown)
        with self._lock:
            self._issued = issued
        return token

    def shown_pass(self) -> ShownPass | None:
        """Return the pass that screens show now; None if there is none."""
        with self._lock:
            issued = self._valid_pass()
            return issued.shown if issued else None

    def use_token(self, token: str) -> bool:
        """Use the pass up if this is its token; return whether it was."""
        digest = _hash_token(token)
        with self._lock:
            issued = self._valid_pass()
            if issued is None or not hmac.compare_digest(issued.digest, digest):
                return False
            self._issued = None
            return True

    def use_held_button(self, seat: int) -> bool:
        """Use the pass up if the button of this seat made it; return whether it did."""
        with self._lock:
            issued = self._valid_pass()
            if issued is None or issued.shown is None or issued.shown.seat != seat or not seat:
                return False
            self._issued = None
            return True

    def expire_pass(self) -> bool:
        """Forget a pass whose time is over; return whether screens have to change."""
        with self._lock:
            before, self._issued = self._issued, self._valid_pass()
            return before is not None and before.shown is not None and self._issued is None

    def _valid_pass(self) -> IssuedPass | None:
        issued = self._issued
        if issued is None or self._clock() >= issued.ends:
            return None
        return issued if issued.generation == self._pin.generation else None


def pass_address(first: str, token: str) -> str:
    """Return the address that signs the host in, at a table with this first page.

    The token is in the fragment, which no browser sends: it reaches no log.
    """
    return f"{first}host/pass#{token}"


def _hash_token(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="replace")).digest()
