"""The seats of a table: who sits, who waits, and how one comes to the other.

Laws: a browser gets a seat by the press of its button, by the host, by the phone that holds it; by
a mere tap only where the house is open. One thread at a time changes anything, and whatever changed
is kept before anybody is told.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from companion.core.errors import Refusal, refusal
from companion.games.start import fold_name
from companion.seating.seat_map import Sitter, Sitters
from companion.seating.waiting import Guest, Guests


class Seats:
    """The seats of one table, by the browser that holds them.

    `keep` is told who sits where after every change, so that it outlives a restart. In an open
    house a free seat is taken by tapping it.
    """

    def __init__(
        self,
        taken: Mapping[int, Sitter] | None = None,
        keep: Callable[[Mapping[int, Sitter]], None] = lambda _taken: None,
        *,
        open_house: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.open_house = open_house
        self._sitters = Sitters(taken or {})
        self._keep = keep
        self._guests = Guests(clock)
        self._busy = threading.RLock()
        self._watchers: list[Callable[[], None]] = []

    def watch(self, told: Callable[[], None]) -> None:
        """Have this called after every change, by whichever thread made it."""
        self._watchers.append(told)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Nobody else looks meanwhile; then what changed is kept, and everybody is told."""
        with self._busy:
            sitting, waiting = self._sitters.as_they_are(), self._guests.as_they_are()
            self._guests.lapse()
            yield
            seated = self._sitters.as_they_are() != sitting
            if seated:
                self._keep(self._sitters.as_they_are())
            changed = seated or self._guests.as_they_are() != waiting
        if changed:
            for told in self._watchers:
                told()

    def pass_time(self) -> None:
        """Forget guests who went away, and presses that nobody owned up to."""
        with self._changing():
            pass

    # Somebody comes.

    def knock(self, browser: str, name: str, also: bool = False) -> Refusal | None:
        """Wait, under a name that nobody else has, for the press of a button or for the host."""
        with self._changing():
            sitting = self._sitters.names(but="" if also else browser)
            others = [*sitting.values(), *self._guests.names(but=browser)]
            if fold_name(name) in map(fold_name, others):
                text = "Somebody here is called {name} already. Take a name that differs."
                return refusal("name_taken", "", text, name=name)
            return self._guests.come(browser, name, 0, also)

    def want(self, browser: str, seat: int, name: str, also: bool = False) -> Refusal | None:
        """Wait for just this seat, under the name that is played there."""
        with self._changing():
            return self._guests.come(browser, name, seat, also)

    def leave(self, browser: str) -> None:
        """Wait no longer."""
        with self._changing():
            self._guests.go(browser)

    def attend(self, browser: str, more: int) -> None:
        """A page of this browser is opened (1) or closed (-1)."""
        with self._busy:
            self._guests.attend(browser, more)

    # Somebody sits down.

    def take(self, seat: int, browser: str, also: bool = False, name: str = "") -> Refusal | None:
        """Sit down by a tap; the seats held before are free, unless this comes in addition."""
        with self._changing():
            holder = self.holder(seat)
            if holder is not None and not self.moves(browser, seat):
                text = "Seat {seat} is taken: another browser plays from it."
                return refusal("seat_taken", "", text, seat=seat)
            if holder is None and not self.open_house:
                text = "Press the button at seat {seat}, or ask the host to let you sit there."
                return refusal("press_button", "", text, seat=seat)
            guest = self._guests.of(browser)
            self._pair(seat, browser, also or bool(guest and guest.also), name)
            return None

    def pressed(self, seat: int) -> bool:
        """The button of a seat was pressed; whether that was for us, and not for the game.

        While the phone that holds a seat is looked at, it is asked itself: whoever wants the seat
        must not get it by a press that was meant for the game.
        """
        with self._changing():
            if self._guests.attends(self.holder(seat)):
                return False
            browsers = self._guests.meant(seat, seat in self._sitters.taken())
            if len(browsers) == 1:
                self._seat(browsers[0], seat)
            elif browsers:
                self._guests.ask(seat, browsers)
            return bool(browsers)

    def answer(self, browser: str, seat: int, yes: bool) -> Refusal | None:
        """Whether it was this browser's player who pressed the button of a seat."""
        with self._changing():
            if seat not in self._guests.asked(browser):
                text = "The table no longer asks about seat {seat}. Press its button again."
                return refusal("not_asked", "", text, seat=seat)
            if yes:
                self._seat(browser, seat)
            else:
                self._guests.deny(browser, seat)
            return None

    def give(self, seat: int, guest: int) -> Refusal | None:
        """Have a guest sit there: the host says so."""
        with self._changing():
            browser = self._guests.browser(guest)
            if browser is None:
                return _gone()
            self._seat(browser, seat)
            return None

    def consent(self, seat: int, guest: int, yes: bool, beside: bool = False) -> Refusal | None:
        """Whether the phone that holds the seat gives it to the guest who asks for it.

        The new phone may come `beside` the screen with the cards, which then keeps moving them.
        """
        with self._changing():
            browser = self._guests.browser(guest)
            if browser is None or self.guest(browser) not in self.wanting(seat):
                return _gone()
            if yes:
                self._seat(browser, seat, (self._sitters.hands(seat) or "") if beside else "")
            else:
                self._guests.keep(browser, seat)
            return None

    def _seat(self, browser: str, seat: int, hands: str = "") -> None:
        guest = self._guests.of(browser)
        assert guest is not None
        self._pair(seat, browser, guest.also, guest.name, hands)

    def _pair(self, seat: int, browser: str, also: bool, name: str, hands: str = "") -> None:
        self._sitters.sit(seat, Sitter(browser, name, hands), also)
        self._guests.go(browser)
        self._guests.answered(seat)

    # Somebody stands up.

    def free(self, seat: int) -> None:
        """Have whoever holds a seat stand up."""
        with self._changing():
            self._sitters.rise(seat)

    def dismiss(self, guest: int) -> None:
        """Send a guest away."""
        with self._changing():
            self._guests.go(self._guests.browser(guest) or "")

    def claim(self, seat: int, browser: str, name: str = "") -> None:
        """Have this browser play from a seat as well, whoever held it: the host says so."""
        with self._changing():
            self._pair(seat, browser, also=True, name=name)

    def swap(self, one: int, other: int) -> None:
        """Have two seats change hands; a free one is as good as any."""
        with self._changing():
            self._sitters.swap(one, other)

    def clear(self) -> None:
        """Have everyone stand up and go: other people may sit down for the next game."""
        with self._changing():
            self._sitters.clear()
            self._guests.clear()

    # Who is where.

    def of(self, browser: str | None) -> tuple[int, ...]:
        """The seats that a browser holds, in order."""
        with self._busy:
            return self._sitters.of(browser)

    def holds(self, browser: str | None, seat: int) -> bool:
        """Whether this browser plays from this seat."""
        return seat in self.of(browser)

    def holder(self, seat: int) -> str | None:
        """The browser that holds a seat."""
        with self._busy:
            return self._sitters.holder(seat)

    def hands(self, seat: int) -> str | None:
        """The browser that moves the pieces of a seat: who holds it, or the screen beside."""
        with self._busy:
            return self._sitters.hands(seat)

    def moved_by(self, browser: str | None) -> tuple[int, ...]:
        """The seats whose pieces a browser moves, in order."""
        return tuple(sorted(seat for seat in self.taken() if self.hands(seat) == browser))

    def moves(self, browser: str | None, seat: int) -> bool:
        """Whether this browser may move the pieces of this seat."""
        return browser is not None and browser in (self.holder(seat), self.hands(seat))

    def taken(self) -> frozenset[int]:
        """The seats that somebody holds."""
        with self._busy:
            return self._sitters.taken()

    def names(self) -> dict[int, str]:
        """The names under which people came to their seats."""
        with self._busy:
            return self._sitters.names()

    def guests(self) -> tuple[Guest, ...]:
        """Everyone who waits for a seat."""
        with self._busy:
            return self._guests.all()

    def guest(self, browser: str | None) -> Guest | None:
        """Who waits at this browser."""
        with self._busy:
            return self._guests.of(browser)

    def asked(self, browser: str) -> tuple[int, ...]:
        """The seats whose press this browser is asked about."""
        with self._busy:
            return self._guests.asked(browser)

    def wanting(self, seat: int) -> tuple[Guest, ...]:
        """The guests who ask the phone of this seat to give it to them."""
        return tuple(guest for guest in self.guests() if guest.seat == seat)


def _gone() -> Refusal:
    return refusal("guest_gone", "", "That phone no longer waits for a seat.")
