"""Admission: whose connections and streams stay when there are too many of them.

Laws: a newcomer gets a place as long as another claimant is greedier, that is, has more places than
its share. The share of a known browser, of the machine itself, and of a source from which a known
browser is connected is KEPT_PLACES, that of any other source nothing. The greediest claimant gives
up the connection that has been idle longest, and without an idle one the newest. A connection is
idle until the whole head of a request has come, and again between requests; so the silent and the
half-open go first, and a new connection is safe until as many newer ones as there are places have
come. A connection that shows the cookie of a known browser counts for that browser from then on,
because phones behind one router share an address.
"""

from collections import Counter
from itertools import count
from typing import Generic, TypeVar

from companion.host.fair_threads import Claimant

T = TypeVar("T")

KEPT_PLACES = 16
"""Places of each known claimant that no stranger can take."""


class _Share(Generic[T]):
    """The places of one claimant, each with the number of the step at which it became idle or
    busy, in this order."""

    def __init__(self, is_known: bool) -> None:
        self.is_known = is_known
        self.idle: dict[T, int] = {}
        self.busy: dict[T, int] = {}

    def __len__(self) -> int:
        return len(self.idle) + len(self.busy)

    def discard(self, holder: T) -> None:
        self.idle.pop(holder, None)
        self.busy.pop(holder, None)

    def first_to_go(self) -> T:
        """Return the longest idle holder, else the newest busy one."""
        return next(iter(self.idle)) if self.idle else next(reversed(self.busy))

    def tie_break(self) -> tuple[bool, int]:
        """Return what decides between equally greedy claimants; the highest gives up a place.

        The longest idle goes first. Without idle ones the newest goes, which may be the newcomer,
        so that equals do not push each other out in turn.
        """
        holder = self.first_to_go()
        return (True, -self.idle[holder]) if self.idle else (False, self.busy[holder])


class Places(Generic[T]):
    """A bounded number of places for holders, such as connections, that claimants have."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._claimants: dict[T, Claimant] = {}
        self._shares: dict[str, _Share[T]] = {}
        self._steps = count()

    def __len__(self) -> int:
        return len(self._claimants)

    def __contains__(self, holder: T) -> bool:
        return holder in self._claimants

    def claimant_of(self, holder: T) -> Claimant | None:
        return self._claimants.get(holder)

    def add(self, holder: T, claimant: Claimant, homes: Counter[str], *, is_idle: bool) -> T | None:
        """Give a place to a holder; return the one that loses its place, which may be the same.

        `homes` counts the known connections by their source.
        """
        self._place(holder, claimant, is_idle)
        if len(self._claimants) <= self._limit:
            return None
        greediest = max(
            self._shares, key=lambda key: (self._greed(key, homes), self._shares[key].tie_break())
        )
        gone = self._shares[greediest].first_to_go()
        self.remove(gone)
        return gone

    def change(self, holder: T, claimant: Claimant, *, is_idle: bool) -> None:
        """Count a holder for this claimant from now on, as idle or busy since now."""
        if holder in self._claimants:
            self.remove(holder)
            self._place(holder, claimant, is_idle)

    def remove(self, holder: T) -> None:
        """Release a place, if the holder has one."""
        claimant = self._claimants.pop(holder, None)
        if claimant is not None:
            share = self._shares[claimant.key]
            share.discard(holder)
            if not share:
                del self._shares[claimant.key]

    def _place(self, holder: T, claimant: Claimant, is_idle: bool) -> None:
        share = self._shares.setdefault(claimant.key, _Share(claimant.is_known))
        (share.idle if is_idle else share.busy)[holder] = next(self._steps)
        self._claimants[holder] = claimant

    def _greed(self, key: str, homes: Counter[str]) -> int:
        """Return how many places a claimant has beyond its share."""
        share = self._shares[key]
        return len(share) - (KEPT_PLACES if share.is_known or key in homes else 0)
