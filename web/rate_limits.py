"""Rate limits: how often a browser and an address may ask, and how many connections are served.

Laws: token buckets that refill at a steady pace, so that quick play is never slowed and a flood has
to wait; limits per address leave room for six phones behind one router; the number of buckets is
bounded, and a key that was dropped begins again with a full bucket.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from companion.core.i18n import N_
from companion.host.fair_threads import Claimant

RATE_LIMITER = "limits"
MAX_BUCKETS = 4096
TOO_MANY_REQUESTS = N_("That was too quick for the table. Please wait a moment and try again.")


class Rate(msgspec.Struct, frozen=True):
    """A token bucket: how many requests in a burst, and how many per second in the long run."""

    burst: int
    per_second: float


class Limits(msgspec.Struct, frozen=True):
    """Limits of one table: in all, and per claimant, which is a known browser or a source."""

    reads: Rate = Rate(400, 60)
    writes: Rate = Rate(60, 20)
    writes_per_browser: Rate = Rate(20, 5)
    new_games: Rate = Rate(10, 0.1)
    """Each new game stays in the journal."""
    connects: Rate = Rate(12, 1)
    """New connections of a source."""
    further_connects: Rate = Rate(200, 50)
    """New connections of all sources beyond that."""
    new_keys: Rate = Rate(30, 0.2)
    """Each new key is written to disk."""
    viewers: int = 300
    connections: int = 800


DEFAULT_LIMITS = Limits()


class TokenBuckets:
    """One token bucket per key; a request takes a token. Thread-safe."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._tokens: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take_token(self, key: str) -> float:
        """Take a token of this key: return 0 if there was one, else the seconds until there is."""
        most, pace, now = self._rate.burst, self._rate.per_second, self._clock()
        with self._lock:
            left, since = self._tokens.pop(key, (most, now))
            left = min(most, left + (now - since) * pace)
            granted = left >= 1
            self._tokens[key] = (left - granted, now)
            if len(self._tokens) > MAX_BUCKETS:
                self._tokens.popitem(last=False)
        return 0.0 if granted else (1 - left) / pace

    def __len__(self) -> int:
        return len(self._tokens)


class RateLimiter:
    """The token buckets of one table; each method takes tokens and returns the seconds to wait."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._connects = TokenBuckets(limits.connects, clock)
        self._further_connects = TokenBuckets(limits.further_connects, clock)
        self._reads = TokenBuckets(limits.reads, clock)
        self._writes = TokenBuckets(limits.writes, clock)
        self._writes_per_browser = TokenBuckets(limits.writes_per_browser, clock)
        self._new_games = TokenBuckets(limits.new_games, clock)
        self._new_keys = TokenBuckets(limits.new_keys, clock)

    def wait_to_connect(self, source: str) -> float:
        """Return the seconds until this source may open another connection, 0 for now."""
        own = self._connects.take_token(source)
        return own and min(own, self._further_connects.take_token(""))

    def wait_to_read(self, claimant: Claimant) -> float:
        """Return the seconds until this claimant may read, 0 for now."""
        return self._reads.take_token(claimant.key)

    def wait_to_write(self, claimant: Claimant, browser: str = "") -> float:
        """Return the seconds until this claimant may write, and this browser if one signed it; 0
        for now."""
        wait = self._writes.take_token(claimant.key)
        return wait or (self._writes_per_browser.take_token(browser) if browser else 0.0)

    def wait_to_register(self, claimant: Claimant) -> float:
        """Return the seconds until this claimant may register another key, 0 for now."""
        return self._new_keys.take_token(claimant.key)

    def wait_to_begin_game(self, claimant: Claimant) -> float:
        """Return the seconds until this claimant may begin a game, 0 for now."""
        return self._new_games.take_token(claimant.key)
