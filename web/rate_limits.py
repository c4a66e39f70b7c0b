"""Limits: how much one browser and one address may ask, and how many may be here at once.

Laws: a bucket of tokens for each, filled again at a steady pace, so that whoever plays quickly is
never held up and whoever hammers waits; six phones may share one address, behind one router; what
is remembered of strangers is bounded, and whoever is forgotten begins with a full bucket.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from companion.core.i18n import N_

LIMITS = "limits"
REMEMBERED = 4096
TOO_QUICK = N_("That was too quick for the table. Please wait a moment and try again.")


class Rate(msgspec.Struct, frozen=True):
    """So many at once, and so many a second in the long run."""

    at_once: int
    a_second: float


class Limits(msgspec.Struct, frozen=True):
    """What one table bears, in all and (`each`) from one browser or one address."""

    reading: Rate = Rate(400, 60)
    writing: Rate = Rate(60, 20)
    writing_each: Rate = Rate(20, 5)
    signing_in: Rate = Rate(10, 0.1)
    beginning: Rate = Rate(10, 0.1)
    """Games, each of which stays in the journal."""
    viewers: int = 300
    viewers_each: int = 260
    connections: int = 800
    connections_each: int = 400


USUAL = Limits()


class Buckets:
    """A bucket of tokens for everyone who asks: a request takes one, and they grow again."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._busy = threading.Lock()

    def wait(self, who: str) -> float:
        """Take a token: 0 if there was one, else the seconds until there is."""
        most, pace, now = self._rate.at_once, self._rate.a_second, self._clock()
        with self._busy:
            left, since = self._left.pop(who, (most, now))
            left = min(most, left + (now - since) * pace)
            granted = left >= 1
            self._left[who] = (left - granted, now)
            if len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
        return 0.0 if granted else (1 - left) / pace

    def __len__(self) -> int:
        return len(self._left)


class Patience:
    """The buckets of one table."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._reading = Buckets(limits.reading, clock)
        self._writing = Buckets(limits.writing, clock)
        self._writing_each = Buckets(limits.writing_each, clock)
        self._signing_in = Buckets(limits.signing_in, clock)
        self._beginning = Buckets(limits.beginning, clock)

    def reading(self, address: str) -> float:
        """The seconds until this address may read."""
        return self._reading.wait(address)

    def writing(self, address: str, browser: str) -> float:
        """The seconds until this browser at this address may write."""
        return self._writing.wait(address) or (self._writing_each.wait(browser) if browser else 0)

    def signing_in(self, address: str) -> float:
        """The seconds until this address may try another PIN."""
        return self._signing_in.wait(address)

    def beginning(self, address: str) -> float:
        """The seconds until this address may begin another game."""
        return self._beginning.wait(address)
