"""Guests: who has come with a phone and waits for a seat.

Laws: a guest is addressed by a number, never by its browser; so many wait and no more, and whoever
went away is forgotten. A press that may be of several is asked about, for half a minute, and the
first who says yes was it.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import count

import msgspec

from companion.core.errors import Refusal, refusal

MAX_GUESTS = 12
MAX_WAIT, MAX_AWAY = 30 * 60.0, 5 * 60.0
"""Seconds that a guest may wait; that it may be away, with its page closed."""
ASK_SECONDS = 30.0
"""Seconds that a press is asked about."""

replace = msgspec.structs.replace


class Guest(msgspec.Struct, frozen=True):
    """Somebody who waits: for the press of any button, or for the seat that was asked for."""

    number: int
    name: str
    seat: int = 0
    also: bool = False
    kept: int = 0
    """The seat that its phone did not give away."""


class PendingPress(msgspec.Struct, frozen=True):
    """A press that may be of any of these, asked about until then."""

    browsers: frozenset[str]
    until: float


class WaitingRoom:
    """Those who wait, by their browsers; whoever holds these takes care that one asks at a time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._guests: dict[str, Guest] = {}
        self._came_at: dict[str, float] = {}
        self._seen_at: dict[str, float] = {}
        self._open_pages: Counter[str] = Counter()
        self._presses: dict[int, PendingPress] = {}
        self._numbers = count(1)

    # They come and go.

    def add_guest(self, browser: str, name: str, seat: int, keep_others: bool) -> Refusal | None:
        """Wait from now on; whoever waits already waits for this."""
        old = self._guests.get(browser)
        if old is None and len(self._guests) >= MAX_GUESTS:
            text = "{n} phones wait for a seat already; more wait outside until one has found it."
            return refusal("too_many_guests", "", text, n=MAX_GUESTS)
        number = next(self._numbers) if old is None else old.number
        self._guests[browser] = Guest(number, name, seat, keep_others)
        self._came_at[browser] = self._seen_at[browser] = self._clock()
        return None

    def remove_guest(self, browser: str) -> None:
        """Wait no longer."""
        if self._guests.pop(browser, None) is not None:
            del self._came_at[browser], self._seen_at[browser]

    def clear(self) -> None:
        """Send everyone away."""
        for browser in list(self._guests):
            self.remove_guest(browser)
        self._presses = {}

    def count_open_page(self, browser: str, more: int) -> None:
        """So many more pages of this browser are open now; or fewer."""
        self._open_pages[browser] += more
        if browser in self._guests:
            self._seen_at[browser] = self._clock()
        if self._open_pages[browser] <= 0:
            del self._open_pages[browser]

    def has_open_page(self, browser: str | None) -> bool:
        """Whether a page of this browser is open now."""
        return browser in self._open_pages

    def expire_guests(self) -> None:
        """Forget what is over."""
        now = self._clock()
        for browser in [b for b in self._guests if self._has_expired(b, now)]:
            self.remove_guest(browser)
        self._presses = {s: press for s, press in self._presses.items() if now < press.until}

    def _has_expired(self, browser: str, now: float) -> bool:
        away = browser not in self._open_pages and now - self._seen_at[browser] >= MAX_AWAY
        return away or now - self._came_at[browser] >= MAX_WAIT

    # Who they are.

    def all_guests(self) -> tuple[Guest, ...]:
        """Everyone, in the order in which they came."""
        return tuple(sorted(self._guests.values(), key=lambda guest: guest.number))

    def guest_of(self, browser: str | None) -> Guest | None:
        """The guest at this browser."""
        return self._guests.get(browser or "")

    def browser_of(self, number: int) -> str | None:
        """The browser of a guest."""
        return next((b for b, guest in self._guests.items() if guest.number == number), None)

    def guest_names(self, leave_out: str) -> list[str]:
        """The names of all but the one at this browser."""
        return [guest.name for browser, guest in self._guests.items() if browser != leave_out]

    def snapshot(self) -> object:
        """All that anyone may be shown of them, to tell a change by."""
        return dict(self._guests), dict(self._presses)

    def decline_seat(self, browser: str, seat: int) -> None:
        """Tell a guest that the phone of this seat keeps it."""
        self._guests[browser] = replace(self._guests[browser], seat=0, kept=seat)

    # Whose press it was.

    def browsers_for_press(self, seat: int, taken: bool) -> tuple[str, ...]:
        """The browsers that a press of this seat's button may speak for."""
        asking = tuple(b for b, guest in self._guests.items() if guest.seat == seat)
        if asking or taken:
            return asking
        return tuple(b for b, guest in self._guests.items() if not guest.seat)

    def ask_about_press(self, seat: int, browsers: Iterable[str]) -> None:
        """Ask all of these whether it was them."""
        self._presses[seat] = PendingPress(frozenset(browsers), self._clock() + ASK_SECONDS)

    def asked_seats(self, browser: str) -> tuple[int, ...]:
        """The seats whose press this browser is asked about."""
        if browser not in self._guests:
            return ()
        return tuple(sorted(s for s, press in self._presses.items() if browser in press.browsers))

    def deny_press(self, browser: str, seat: int) -> None:
        """It was not this one."""
        press = self._presses[seat]
        self._presses[seat] = replace(press, browsers=press.browsers - {browser})

    def forget_press(self, seat: int) -> None:
        """It is known who sits there: nobody is asked any more."""
        self._presses.pop(seat, None)
