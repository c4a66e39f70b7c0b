"""The browsers of a floor: which of them are signed in, and what each has signed.

Laws: they are known as at a table, with the same keys and counters. A write counts only if it is
signed by the key of the browser that its cookie names, on the machine of the floor as well; the
cookie alone reads. Key, sign-in and the ceiling of the counter are on disk before they count, so
that a floor that starts anew knows its browsers, and nothing that was heard counts again. A refusal
costs the true browser neither a counter nor a share of any rate.
"""

import asyncio
import math
from collections.abc import Callable
from typing import TypeVar

from companion.core.errors import NotWritten
from companion.core.i18n import message
from companion.host.fair_threads import Claimant
from companion.host.pin import Pin
from companion.identity.browser_keys import (
    BrowserKeys,
    SignedRequest,
    Unproven,
    parse_signature,
)
from web.floor.refusals import SENTENCES, UNPROVEN, SaidError
from web.host_sessions import HostSessions
from web.rate_limits import Limits, RateLimiter

T = TypeVar("T")


class FloorBrowsers:
    """The browsers of one floor, and what strangers among them may ask how often."""

    def __init__(self, pin: Pin, limits: Limits) -> None:
        self._identity, self._keys = pin.identity, BrowserKeys(pin.identity)
        self._limiter = RateLimiter(limits)
        self.sessions = HostSessions(pin)

    def public_key(self, browser: str) -> str:
        """Return the key of this browser, in hexadecimal; empty if it has none."""
        return (self._identity.public_key(browser) or b"").hex()

    async def prove_write(
        self, browser: str, asked: SignedRequest, written: str, source: str, is_known: bool
    ) -> None:
        """Check that this browser signed this request, and use up its counter; raise SaidError if
        it did not, or 429 if its source asks too much. A browser that is known is limited only by
        what it did not sign."""
        if not is_known:
            self._slow_down(self._limiter.wait_to_write(Claimant(source)))
        signature = parse_signature(written)
        if signature is None:
            unproven: Unproven | None = Unproven("unsigned")
        elif not browser:
            unproven = Unproven("no_cookie")
        else:
            unproven = await _on_disk(lambda: self._keys.check_signature(browser, asked, signature))
        if unproven is not None:
            if is_known:
                self._slow_down(self._limiter.wait_to_write(Claimant(source)))
            raise _refuse(unproven)

    async def register_key(
        self, key: bytes, asked: SignedRequest, written: str, source: str
    ) -> tuple[str, int]:
        """Register a key that signed this very request; return the id of its browser, and the
        counter. Raise SaidError if it did not, or 429 if its source brings too many."""
        signature = parse_signature(written)
        if signature is None:
            raise _refuse(Unproven("unsigned"))
        if not self._keys.is_registered(key):
            self._slow_down(self._limiter.wait_to_register(Claimant(source)))
        found = await _on_disk(lambda: self._keys.register_key("", key, asked, signature))
        if isinstance(found, Unproven):
            raise _refuse(found)
        return found, signature.counter

    def _slow_down(self, wait: float) -> None:
        if wait:
            raise SaidError(429, message(SENTENCES[429]), wait=math.ceil(wait))


async def _on_disk(work: Callable[[], T]) -> T:
    """Do this beside the event loop, as it may wait for the disk; SaidError if that fails."""
    try:
        return await asyncio.to_thread(work)
    except NotWritten as failed:
        raise SaidError(503, failed.say) from None


def _refuse(unproven: Unproven) -> SaidError:
    say = message(UNPROVEN[unproven.code])
    return SaidError(403, say, unproven.code, unproven.next_counter)
