"""Changes of hands: which seats are offered, which have changed hands, and whose they were.

Laws: everyone is told that a seat has changed hands, by its number alone; the browser that lost a
seat is told why. None of it outlives the program, because it is about people and not about the
game.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Literal

import msgspec

NEWS_SECONDS = 10.0
"""Seconds for which everyone is told that a seat has changed hands."""
MAX_FORMER = 24
"""Most browsers that are remembered for the seat they had."""

Change = Literal["moved", "left", "taken"]
"""To another browser; to none; by a browser, after it was left."""
Reason = Literal["unheard", "given"]
"""Why a browser lost its seat: it was not heard, or its player has left."""


class FormerSeat(msgspec.Struct, frozen=True):
    """The seat that a browser had, and why it has it no more."""

    seat: int
    reason: Reason


class Handovers:
    """The offers, the news and the former seats; its owner lets one thread use it at a time."""

    def __init__(self) -> None:
        self.offered: frozenset[int] = frozenset()
        """Seats whose players go home: the next newcomer may take them."""
        self.news: dict[int, Change] = {}
        self._news_until: dict[int, float] = {}
        self._left = frozenset[int]()
        self._former: OrderedDict[str, FormerSeat] = OrderedDict()

    def note_changes(
        self, before: Mapping[int, str], after: Mapping[int, str], now: float
    ) -> frozenset[int]:
        """Note the news of every seat whose browser is another one now; return those that had one
        before."""
        changed = {seat for seat in {*before, *after} if before.get(seat) != after.get(seat)}
        told = frozenset(seat for seat in changed if seat in before or seat in self._left)
        for seat in told:
            self.news[seat] = (
                "left" if seat not in after else "moved" if seat in before else "taken"
            )
            self._news_until[seat] = now + NEWS_SECONDS
        self._left = (self._left | told) - frozenset(after)
        self.offered -= changed
        for browser in after.values():
            self._former.pop(browser, None)
        return told

    def note_former(self, browser: str, seat: int, reason: Reason) -> None:
        """Remember the reason a browser loses its seat, for when it comes back."""
        self._former[browser] = FormerSeat(seat, reason)
        if len(self._former) > MAX_FORMER:
            self._former.popitem(last=False)

    def former_seat(self, browser: str) -> FormerSeat | None:
        """Return the seat that this browser lost, until it has another one."""
        return self._former.get(browser)

    def expire_news(self, now: float) -> None:
        """Forget news that everyone has been told for long enough."""
        self._news_until = {seat: until for seat, until in self._news_until.items() if now < until}
        self.news = {seat: what for seat, what in self.news.items() if seat in self._news_until}

    def clear(self) -> None:
        """Forget everything, for the next group."""
        self.offered, self._left = frozenset(), frozenset()
        self.news, self._news_until = {}, {}
        self._former.clear()
