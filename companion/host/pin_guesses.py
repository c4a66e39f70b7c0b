"""Limits of guessing the PIN: who may try it, and when.

Laws: a browser that has once signed in has a bucket of its own, so that the guesses of others never
keep it out; so has the machine itself (127.0.0.1 and ::1); everyone else shares the bucket of their
source. In each bucket four wrong PINs are free, then every further one has to wait, from one second
on twice as long each time, up to 1,024 seconds. The right PIN empties its bucket. A guess that has
to wait is not looked at, right or wrong. Tables are bounded; no limit reads the wall clock.

All sources of strangers together have a budget besides: 60 guesses at once, and one more every two
minutes. The last 20 are kept for sources that have tried fewer than two.

Six digits are 1,000,000 PINs. However many addresses strangers have, they can try 60 + 720 = 780 on
the first day, a chance of 1 in 1,282, and 720 on each further one: even odds after 694 days; in an
evening of six hours 240, a chance of 1 in 4,166. One bucket alone can try 14 in the first 18
minutes, 97 on the first day and then 84 a day. Eight sources together try 672 a day, less than the
budget regains: so few can never use up what is kept for others. A new PIN makes all earlier guesses
worthless.
"""

from collections import OrderedDict

import msgspec

FREE = 4
"""Wrong PINs before the first wait."""
DOUBLINGS = 10
BUDGET, BUDGET_SECONDS = 60.0, 120.0
"""Guesses that strangers may make at once, and seconds until one more."""
RESERVE, NEWCOMER_GUESSES = 20.0, 2
"""The part of the budget kept for sources that have made fewer guesses than this."""
MAX_BUCKETS = 1024
LOOPBACK = "loopback"
"""The source of every request from the machine itself."""


class Guesser(msgspec.Struct, frozen=True):
    """The source of a typed PIN, and its browser if that has signed in here before."""

    source: str
    browser: str = ""

    @property
    def is_stranger(self) -> bool:
        return not self.browser and self.source != LOOPBACK

    @property
    def bucket(self) -> str:
        """The name of the bucket that this guess is counted in."""
        return f"browser {self.browser}" if self.browser else f"source {self.source}"


class GuessBucket(msgspec.Struct, frozen=True):
    """The guesses of one bucket, each wrong until it is proven right."""

    wrong: int = 0
    wait_until: float = 0.0

    def add_guess(self, now: float) -> "GuessBucket":
        """Return this bucket with one more guess, and the wait that follows from it."""
        wrong = self.wrong + 1
        wait = 2.0 ** min(wrong - FREE, DOUBLINGS) if wrong >= FREE else 0.0
        return GuessBucket(wrong, now + wait)


class PinGuesses:
    """The buckets of one PIN and the budget of strangers. Times are seconds of a clock that only
    goes forward."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, GuessBucket] = OrderedDict()
        self._strangers: OrderedDict[str, GuessBucket] = OrderedDict()
        self._budget, self._budget_at = BUDGET, 0.0

    def take_guess(self, guesser: Guesser, now: float) -> float:
        """Count a guess and return 0; return the seconds to wait if it may not be made now."""
        bucket = self._find_bucket(guesser)
        wait = max(0.0, bucket.wait_until - now)
        if guesser.is_stranger:
            wait = max(wait, self._wait_for_budget(bucket, now))
        if not wait:
            self._store_bucket(guesser, bucket.add_guess(now))
            self._budget -= guesser.is_stranger
        return wait

    def return_guess(self, guesser: Guesser) -> None:
        """Give a guess back that was not compared with the PIN."""
        bucket = self._find_bucket(guesser)
        self._store_bucket(guesser, GuessBucket(max(0, bucket.wrong - 1)))
        self._budget += guesser.is_stranger

    def empty_bucket(self, guesser: Guesser) -> None:
        """Forget all guesses of this bucket, because the last one was right."""
        self._buckets_of(guesser).pop(guesser.bucket, None)
        self._budget += guesser.is_stranger

    def __len__(self) -> int:
        return len(self._known) + len(self._strangers)

    def _wait_for_budget(self, bucket: GuessBucket, now: float) -> float:
        regained = (now - self._budget_at) / BUDGET_SECONDS
        self._budget, self._budget_at = min(BUDGET, self._budget + regained), now
        kept = 0.0 if bucket.wrong < NEWCOMER_GUESSES else RESERVE
        return max(0.0, (kept + 1 - self._budget) * BUDGET_SECONDS)

    def _buckets_of(self, guesser: Guesser) -> OrderedDict[str, GuessBucket]:
        return self._strangers if guesser.is_stranger else self._known

    def _find_bucket(self, guesser: Guesser) -> GuessBucket:
        return self._buckets_of(guesser).get(guesser.bucket, GuessBucket())

    def _store_bucket(self, guesser: Guesser, bucket: GuessBucket) -> None:
        buckets = self._buckets_of(guesser)
        buckets[guesser.bucket] = bucket
        buckets.move_to_end(guesser.bucket)
        if len(buckets) > MAX_BUCKETS:
            buckets.popitem(last=False)
