"""The rate limit: one token bucket for each client, a known browser or a source.

Laws: a request takes the more tokens the more it costs the table. A bucket refills at a steady
pace, so that quick play and six phones behind one router are never slowed, and a flood has to wait.
The number of buckets is bounded, and a client that was dropped begins again with a full one.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from companion.core.i18n import N_

RATE_LIMIT = "limits"
READ, WRITE, NEW_KEY, NEW_GAME = 1, 5, 30, 40
"""Tokens: a new key is written to disk, and a new game stays in the journal."""
MAX_BUCKETS = 4096
TOO_MANY_REQUESTS = N_("That was too quick for the table. Please wait a moment and try again.")


class Limits(msgspec.Struct, frozen=True):
    """What one client may take at once and in each second, and how much the table serves in all."""

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
