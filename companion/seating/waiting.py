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

MOST = 12
LONGEST, AWAY = 30 * 60.0, 5 * 60.0
"""Seconds that a guest may wait; that it may be away, with its page closed."""
ASKED = 30.0
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


class Press(msgspec.Struct, frozen=True):
    """A press that may be of any of these, asked about until then."""

    browsers: frozenset[str]
    until: float


class Guests:
    """Those who wait, by their browsers; whoever holds these takes care that one asks at a time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._guests: dict[str, Guest] = {}
        self._came: dict[str, float] = {}
        self._seen: dict[str, float] = {}
        self._watching: Counter[str] = Counter()
        self._presses: dict[int, Press] = {}
        self._numbers = count(1)

    # They come and go.

    def come(self, browser: str, name: str, seat: int, also: bool) -> Refusal | None:
        """Wait from now on; whoever waits already waits for this."""
        old = self._guests.get(browser)
        if old is None and len(self._guests) >= MOST:
            text = "{n} phones wait for a seat already; more wait outside until one has found it."
            return refusal("too_many_guests", "", text, n=MOST)
        number = next(self._numbers) if old is None else old.number
        self._guests[browser] = Guest(number, name, seat, also)
        self._came[browser] = self._seen[browser] = self._clock()
        return None

    def go(self, browser: str) -> None:
        """Wait no longer."""
        if self._guests.pop(browser, None) is not None:
            del self._came[browser], self._seen[browser]

    def clear(self) -> None:
        """Send everyone away."""
        for browser in list(self._guests):
            self.go(browser)
        self._presses = {}

    def attend(self, browser: str, more: int) -> None:
        """So many more pages of this browser are open now; or fewer."""
        self._watching[browser] += more
        if browser in self._guests:
            self._seen[browser] = self._clock()
        if self._watching[browser] <= 0:
            del self._watching[browser]

    def attends(self, browser: str | None) -> bool:
        """Whether a page of this browser is open now."""
        return browser in self._watching

    def lapse(self) -> None:
        """Forget what is over."""
        now = self._clock()
        for browser in [b for b in self._guests if self._over(b, now)]:
            self.go(browser)
        self._presses = {s: press for s, press in self._presses.items() if now < press.until}

    def _over(self, browser: str, now: float) -> bool:
        away = browser not in self._watching and now - self._seen[browser] >= AWAY
        return away or now - self._came[browser] >= LONGEST

    # Who they are.

    def all(self) -> tuple[Guest, ...]:
        """Everyone, in the order in which they came."""
        return tuple(sorted(self._guests.values(), key=lambda guest: guest.number))

    def of(self, browser: str | None) -> Guest | None:
        """The guest at this browser."""
        return self._guests.get(browser or "")

    def browser(self, number: int) -> str | None:
        """The browser of a guest."""
        return next((b for b, guest in self._guests.items() if guest.number == number), None)

    def names(self, but: str) -> list[str]:
        """The names of all but the one at this browser."""
        return [guest.name for browser, guest in self._guests.items() if browser != but]

    def as_they_are(self) -> object:
        """All that anyone may be shown of them, to tell a change by."""
        return dict(self._guests), dict(self._presses)

    def keep(self, browser: str, seat: int) -> None:
        """Tell a guest that the phone of this seat keeps it."""
        self._guests[browser] = replace(self._guests[browser], seat=0, kept=seat)

    # Whose press it was.

    def meant(self, seat: int, taken: bool) -> tuple[str, ...]:
        """The browsers that a press of this seat's button may speak for."""
        asking = tuple(b for b, guest in self._guests.items() if guest.seat == seat)
        if asking or taken:
            return asking
        return tuple(b for b, guest in self._guests.items() if not guest.seat)

    def ask(self, seat: int, browsers: Iterable[str]) -> None:
        """Ask all of these whether it was them."""
        self._presses[seat] = Press(frozenset(browsers), self._clock() + ASKED)

    def asked(self, browser: str) -> tuple[int, ...]:
        """The seats whose press this browser is asked about."""
        if browser not in self._guests:
            return ()
        return tuple(sorted(s for s, press in self._presses.items() if browser in press.browsers))

    def deny(self, browser: str, seat: int) -> None:
        """It was not this one."""
        press = self._presses[seat]
        self._presses[seat] = replace(press, browsers=press.browsers - {browser})

    def answered(self, seat: int) -> None:
        """It is known who sits there: nobody is asked any more."""
        self._presses.pop(seat, None)
