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
from typing import Generic, TypeVar

from companion.host.fair_threads import Claimant

T = TypeVar("T")

KEPT_PLACES = 16
"""Places of each known claimant that no stranger can take."""


class _Share(Generic[T]):
    """The places of one claimant, each kind in the order in which it became what it is."""

    def __init__(self, is_known: bool) -> None:
        self.is_known = is_known
        self.idle: dict[T, None] = {}
        self.busy: dict[T, None] = {}
        self.level = (0, False)

    def __len__(self) -> int:
        return len(self.idle) + len(self.busy)

    def discard(self, holder: T) -> None:
        self.idle.pop(holder, None)
        self.busy.pop(holder, None)

    def first_to_go(self) -> T:
        """Return the longest idle holder, else the newest busy one."""
        return next(iter(self.idle)) if self.idle else next(reversed(self.busy))


class Places(Generic[T]):
    """A bounded number of places for holders, such as connections, that claimants have."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._claimants: dict[T, Claimant] = {}
        self._shares: dict[str, _Share[T]] = {}
        self._homes: Counter[str] = Counter()
        self._levels: dict[tuple[int, bool], dict[str, None]] = {}
        """The claimants by their greed and whether they have an idle place, so that the greediest
        is found without looking at all of them."""

    def __len__(self) -> int:
        return len(self._claimants)

    def __contains__(self, holder: T) -> bool:
        return holder in self._claimants

    def claimant_of(self, holder: T) -> Claimant | None:
        return self._claimants.get(holder)

    def add(self, holder: T, claimant: Claimant, *, is_idle: bool) -> T | None:
        """Give a place to a holder; return the one that loses its place, which may be the same."""
        self._place(holder, claimant, is_idle)
        if len(self._claimants) <= self._limit:
            return None
        gone = self._shares[self._greediest()].first_to_go()
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
            self._shares[claimant.key].discard(holder)
            self._update_level(claimant.key)

    def count_home(self, key: str, change: int) -> None:
        """Count a known connection from this source that began (1) or ended (-1)."""
        self._homes[key] += change
        if not self._homes[key]:
            del self._homes[key]
        self._update_level(key)

    def is_home(self, key: str) -> bool:
        """Check that a known claimant is connected from this source."""
        return key in self._homes

    def _place(self, holder: T, claimant: Claimant, is_idle: bool) -> None:
        share = self._shares.setdefault(claimant.key, _Share(claimant.is_known))
        (share.idle if is_idle else share.busy)[holder] = None
        self._claimants[holder] = claimant
        self._update_level(claimant.key)

    def _update_level(self, key: str) -> None:
        """Note how many places a claimant has beyond its share; forget one that has none at all."""
        share = self._shares.get(key)
        if share is None:
            return
        kept = KEPT_PLACES if share.is_known or key in self._homes else 0
        level = (len(share) - kept, bool(share.idle))
        if level != share.level or not share:
            self._leave_level(key, share.level)
        if not share:
            del self._shares[key]
        elif level != share.level or key not in self._levels.get(level, ()):
            self._levels.setdefault(level, {})[key] = None
            share.level = level

    def _leave_level(self, key: str, level: tuple[int, bool]) -> None:
        if key in self._levels.get(level, ()):
            del self._levels[level][key]
            if not self._levels[level]:
                del self._levels[level]

    def _greediest(self) -> str:
        """Return the claimant that gives up a place.

        Among equally greedy ones it is the one with an idle place that has been so longest. Without
        any, it is the newest, which may be the newcomer, so that equals do not push each other out
        in turn.
        """
        level = max(self._levels)
        has_idle = level[1]
        return next(iter(self._levels[level]) if has_idle else reversed(self._levels[level]))
