"""Requests for seats: waiting guests, offers of a seat, and the news of both.

Laws: a guest is addressed by a number, never by its browser; at most MAX_GUESTS wait, and guests
who went away are forgotten. A press that may be of several guests is asked about for half a minute;
the first who confirms gets the seat. Everyone is told that a seat has changed hands, by its number
alone; the browser that lost a seat is told why. None of it outlives the program, because it is
about people and not about the game.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_

MAX_GUESTS = 12
MAX_WAIT, MAX_AWAY = 30 * 60.0, 5 * 60.0
"""Seconds that a guest may wait, and that it may be away with its page closed."""
ASK_SECONDS = 30.0
"""Seconds that a press is asked about."""


class Guest(msgspec.Struct, frozen=True):
    """A waiting guest: for the press of any button, or for one seat."""

    number: int
    name: str
    seat: int = 0
    also: bool = False
    kept: int = 0
    """The seat that its phone did not give away."""


class PendingPress(msgspec.Struct, frozen=True):
    """A press that may be of any of these browsers, asked about until a time."""

    browsers: frozenset[str]
    until: float


class WaitingRoom:
    """The guests by their browsers; its owner lets one thread use it at a time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._guests: dict[str, Guest] = {}
        self.guests: tuple[Guest, ...] = ()
        """All guests, the first to come first; every page asks for them at every change."""
        self._came_at: dict[str, float] = {}
        self._seen_at: dict[str, float] = {}
        self._open_pages: Counter[str] = Counter()
        self._presses: dict[int, PendingPress] = {}
        self._numbers = count(1)

    # Coming and going.

    def add_guest(self, browser: str, name: str, seat: int, keep_others: bool) -> Refusal | None:
        """Add a guest, or change the seat it waits for; refuse if too many wait."""
        old = self._guests.get(browser)
        if old is None and len(self._guests) >= MAX_GUESTS:
            text = "{n} phones wait for a seat already; more wait outside until one has found it."
            return refusal("too_many_guests", "", text, n=MAX_GUESTS)
        number = next(self._numbers) if old is None else old.number
        self._guests[browser] = Guest(number, name, seat, keep_others)
        self.guests = tuple(self._guests.values())
        self._came_at[browser] = self._seen_at[browser] = self._clock()
        return None

    def remove_guest(self, browser: str) -> None:
        if self._guests.pop(browser, None) is not None:
            del self._came_at[browser], self._seen_at[browser]
            self.guests = tuple(self._guests.values())

    def clear(self) -> None:
        for browser in list(self._guests):
            self.remove_guest(browser)
        self._presses = {}

    def count_open_page(self, browser: str, change: int) -> None:
        """Add this to the number of open pages of a browser; it may be -1."""
        self._open_pages[browser] += change
        if browser in self._guests:
            self._seen_at[browser] = self._clock()
        if self._open_pages[browser] <= 0:
            del self._open_pages[browser]

    def has_open_page(self, browser: str | None) -> bool:
        return browser in self._open_pages

    def expire_guests(self) -> None:
        """Forget guests and presses whose time is over."""
        now = self._clock()
        for browser in [b for b in self._guests if self._has_expired(b, now)]:
            self.remove_guest(browser)
        self._presses = {s: press for s, press in self._presses.items() if now < press.until}

    def _has_expired(self, browser: str, now: float) -> bool:
        away = browser not in self._open_pages and now - self._seen_at[browser] >= MAX_AWAY
        return away or now - self._came_at[browser] >= MAX_WAIT

    # Queries.

    def guest_of(self, browser: str | None) -> Guest | None:
        """Return the guest at this browser."""
        return self._guests.get(browser or "")

    def browser_of(self, number: int) -> str | None:
        """Return the browser of a guest."""
        return next((b for b, guest in self._guests.items() if guest.number == number), None)

    def guest_names(self, leave_out: str) -> list[str]:
        """Return the names of all guests but the one at this browser."""
        return [guest.name for browser, guest in self._guests.items() if browser != leave_out]

    def snapshot(self) -> object:
        """Return the visible state of the guests, to detect a change."""
        return dict(self._guests), dict(self._presses)

    def decline_seat(self, browser: str, seat: int) -> None:
        """Note that the phone of this seat keeps it, and have the guest wait on."""
        self._guests[browser] = replace(self._guests[browser], seat=0, kept=seat)
        self.guests = tuple(self._guests.values())

    # Presses.

    def browsers_for_press(self, seat: int, taken: bool) -> tuple[str, ...]:
        """Return the browsers that a press of this seat's button may be of."""
        asking = tuple(b for b, guest in self._guests.items() if guest.seat == seat)
        if asking or taken:
            return asking
        return tuple(b for b, guest in self._guests.items() if not guest.seat)

    def ask_about_press(self, seat: int, browsers: Iterable[str]) -> None:
        """Ask all of these browsers whether it was theirs."""
        self._presses[seat] = PendingPress(frozenset(browsers), self._clock() + ASK_SECONDS)

    def asked_seats(self, browser: str) -> tuple[int, ...]:
        """Return the seats whose press this browser is asked about."""
        if browser not in self._guests:
            return ()
        return tuple(sorted(s for s, press in self._presses.items() if browser in press.browsers))

    def deny_press(self, browser: str, seat: int) -> None:
        """Stop asking this browser about a press."""
        press = self._presses[seat]
        self._presses[seat] = replace(press, browsers=press.browsers - {browser})

    def forget_press(self, seat: int) -> None:
        """Stop asking about a press of this seat's button."""
        self._presses.pop(seat, None)


NEWS_SECONDS = 10.0
"""Seconds that everyone is told a sentence of a seat."""
MAX_FORMER = 24
"""Most browsers that are remembered for the seat they had."""

LEFT = N_("{who} has left: seat {seat} is free.")
PASSED_ON = N_("Another phone plays on in seat {seat} ({who}).")

Reason = Literal["unheard", "given"]
"""The reason a browser lost its seat: it was silent, or its player has left."""


class FormerSeat(msgspec.Struct, frozen=True):
    """The seat that a browser had, and why it has it no more."""

    seat: int
    reason: Reason


class Handovers:
    """The offers, the news and the former seats; its owner lets one thread use it at a time."""

    def __init__(self) -> None:
        self.offered: frozenset[int] = frozenset()
        """Seats whose players go home: the next newcomer may take them."""
        self.news: dict[int, str] = {}
        """What everyone is told of a seat: a sentence, which may have {who} and {seat}."""
        self._news_until: dict[int, float] = {}
        self._left = frozenset[int]()
        self._former: OrderedDict[str, FormerSeat] = OrderedDict()

    def tell(self, seat: int, sentence: str, now: float) -> None:
        """Have everyone told this of a seat for NEWS_SECONDS."""
        self.news[seat], self._news_until[seat] = sentence, now + NEWS_SECONDS

    def note_changes(
        self, before: Mapping[int, str], after: Mapping[int, str], now: float
    ) -> frozenset[int]:
        """Note the news of every seat whose browser is another one now; return those that had one
        before."""
        changed = {seat for seat in {*before, *after} if before.get(seat) != after.get(seat)}
        told = frozenset(seat for seat in changed if seat in before or seat in self._left)
        for seat in told:
            self.tell(seat, PASSED_ON if seat in after else LEFT, now)
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
