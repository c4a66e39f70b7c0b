"""The seats of a table: their browsers, the waiting guests, and how a guest gets a seat.

Laws: a seat is held by one browser, and a browser may hold several, for players without a phone. A
browser gets a seat by the press of its button, by the host, or by the phone that holds it; by a
mere tap only in an open house, or where its player offers it. In an open house, where no
button tells whose a seat is, a newcomer may also take one that was not heard for a minute. One
thread at a time changes anything, and every change is saved before watchers are notified. What
cannot be saved raises NotWritten, and all are where they were.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import msgspec
from msgspec.structs import replace

from companion.core.errors import Refusal, refusal
from companion.core.log_lines import log_line
from companion.games.start import fold_name
from companion.seating.names import SEATED, Names
from companion.seating.waiting import Guest, Handovers, WaitingRoom

UNHEARD_SECONDS = 60.0
LOG = logging.getLogger("companion.seating")


class SeatHolder(msgspec.Struct, frozen=True):
    """The browser that holds a seat, and its guest's name until a reset; the name is stored apart
    from the rest.

    `hands` is the browser that moves the pieces of this seat at a simulated table, where that is
    another one: the screen with the cards, beside the phone.
    """

    browser: str
    name: str = ""
    hands: str = ""

    @property
    def mover(self) -> str:
        """The browser that moves the pieces of this seat."""
        return self.hands or self.browser


Holders = Mapping[int, SeatHolder]


class Seats:
    """The seats of one table, by the browser that holds them.

    `save` is called with all holders before every change counts, and with what is written at the
    same time: their names, which are kept in `names` and nowhere else. In an open house a free seat
    is taken by tapping it.
    """

    def __init__(
        self,
        holders: Holders | None = None,
        save: Callable[..., None] = lambda _holders, *_changes: None,
        names: Names | None = None,
        *,
        open_house: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.open_house = open_house
        self._clock = clock
        self.names = names or Names()
        known = dict(enumerate(self.names.by_game.get(SEATED, ()), 1))
        self._holders: Holders = {
            seat: replace(who, name=known.get(seat, "")) for seat, who in (holders or {}).items()
        }
        """Holders of the seats; only ever replaced as a whole, so that reading needs no lock."""
        self._heard_at: dict[str, float] = {}
        """The times when browsers with a seat were last heard."""
        self._began_at = clock()
        self._save = save
        self._waiting_room = WaitingRoom(clock)
        self.handovers = Handovers()
        self._told: object = None
        """Offers, news and unheard seats, as watchers know them."""
        self._lock = threading.RLock()
        self._watchers: list[Callable[[], None]] = []

    def watch(self, callback: Callable[[], None]) -> None:
        """Call this after every change, in the thread that made it."""
        self._watchers.append(callback)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Hold the lock, note the changes, then notify watchers outside the lock."""
        with self._lock:
            sitting, waiting = self._holders, self._waiting_room.snapshot()
            self._waiting_room.expire_guests()
            yield
            seated = self._holders != sitting
            if seated:
                self._note_changes(sitting)
            changed = seated or self._waiting_room.snapshot() != waiting
            changed |= self._has_news()
        if changed:
            for callback in self._watchers:
                callback()

    def _change_holders(self, holders: Holders) -> None:
        """Have these hold the seats, once that is saved with their names; if that fails, all sit
        where they sat, and NotWritten is raised."""
        if holders == self._holders:
            return
        named = ((seat, who.name, who.browser) for seat, who in holders.items())
        self.names.keep_names(SEATED, named, partial(self._save, holders))
        self._holders = holders

    def _note_changes(self, before: Holders) -> None:
        """Note for everyone which seats have changed hands."""
        now, had, has = self._clock(), _browsers_by_seat(before), _browsers_by_seat(self._holders)
        for seat in self.handovers.note_changes(had, has, now):
            LOG.info(log_line("seat_changed_hands", seat=seat))
        for holder in set(self._holders.values()) - set(before.values()):
            self._heard_at[holder.browser] = now
        seated = self._seated_browsers()
        self._heard_at = {
            browser: at for browser, at in self._heard_at.items() if browser in seated
        }

    def _has_news(self) -> bool:
        """Return whether something that all pages show has changed since the last call."""
        self.handovers.expire_news(self._clock())
        shown = self.handovers.offered, dict(self.handovers.news), self.unheard_seats()
        told, self._told = self._told, shown
        return told is not None and told != shown

    def expire_guests(self) -> None:
        """Forget absent guests and unconfirmed presses; report silent seats."""
        with self._transaction():
            pass

    # Guests.

    def wait_for_press(self, browser: str, name: str, keep_others: bool = False) -> Refusal | None:
        """Wait for any button or the host, under a name that no other player has."""
        with self._transaction():
            others = [
                who.name for who in self._holders.values() if keep_others or who.browser != browser
            ]
            others += self._waiting_room.guest_names(leave_out=browser)
            if fold_name(name) in map(fold_name, others):
                text = "Someone here is called {name} already. Choose another name."
                return refusal("name_taken", "", text, name=name)
            return self._waiting_room.add_guest(browser, name, 0, keep_others)

    def ask_for_seat(
        self, browser: str, seat: int, name: str, keep_others: bool = False
    ) -> Refusal | None:
        """Wait for just this seat, under the name that is played there."""
        with self._transaction():
            return self._waiting_room.add_guest(browser, name, seat, keep_others)

    def stop_waiting(self, browser: str) -> None:
        with self._transaction():
            self._waiting_room.remove_guest(browser)

    def count_open_page(self, browser: str, change: int) -> None:
        """Count a page of this browser that was opened (1) or closed (-1)."""
        with self._lock:
            self._waiting_room.count_open_page(browser, change)
            self.note_heard(browser)

    def note_heard(self, browser: str | None) -> None:
        """Note that a browser was just heard, if it has a seat."""
        with self._lock:
            if browser is not None and browser in self._seated_browsers():
                self._heard_at[browser] = self._clock()

    # Taking a seat.

    def take_seat(
        self, seat: int, browser: str, keep_others: bool = False, name: str = ""
    ) -> Refusal | None:
        """Take a seat by a tap; without `keep_others` free the seats held before."""
        with self._transaction():
            holder, claims = self._holders.get(seat), self.can_claim(browser, seat)
            if holder is not None and not (claims or self.may_move(browser, seat)):
                text = "Seat {seat} is taken: another browser plays from it."
                return refusal("seat_taken", "", text, seat=seat)
            if holder is None and not (self.open_house or seat in self.handovers.offered):
                text = "Press the button at seat {seat}, or ask the host to let you sit there."
                return refusal("press_button", "", text, seat=seat)
            guest = self._waiting_room.guest_of(browser)
            self._assign_seat(seat, browser, keep_others or bool(guest and guest.also), name)
            if claims:
                self._note_former(seat, holder)
            return None

    def handle_press(self, seat: int) -> bool:
        """Handle the button of a seat; return whether the press was for a guest.

        While a page of the phone that holds a seat is open, that phone is asked itself: a guest
        must not get the seat by a press that was meant for the game.
        """
        with self._transaction():
            if self._waiting_room.has_open_page(self.holder_of(seat)):
                return False
            browsers = self._waiting_room.browsers_for_press(seat, seat in self._holders)
            if len(browsers) == 1:
                self._seat_guest(browsers[0], seat)
            elif browsers:
                self._waiting_room.ask_about_press(seat, browsers)
            return bool(browsers)

    def answer_press(self, browser: str, seat: int, yes: bool) -> Refusal | None:
        """Confirm or deny that this browser's player pressed the button of a seat."""
        with self._transaction():
            if seat not in self._waiting_room.asked_seats(browser):
                text = "The table no longer asks about seat {seat}. Press its button again."
                return refusal("not_asked", "", text, seat=seat)
            if yes:
                self._seat_guest(browser, seat)
            else:
                self._waiting_room.deny_press(browser, seat)
            return None

    def give_seat(self, seat: int, guest: int) -> Refusal | None:
        """Give a seat to a guest, as the host decided."""
        with self._transaction():
            browser = self._waiting_room.browser_of(guest)
            if browser is None:
                return _guest_gone()
            self._seat_guest(browser, seat)
            return None

    def answer_seat_request(
        self, seat: int, guest: int, yes: bool, beside: bool = False
    ) -> Refusal | None:
        """Give the seat to the guest asking for it, or decline.

        The new phone may come `beside` the screen with the cards, which then keeps moving them.
        """
        with self._transaction():
            browser = self._waiting_room.browser_of(guest)
            if browser is None or self.guest_of(browser) not in self.guests_asking_for(seat):
                return _guest_gone()
            if yes:
                self._seat_guest(browser, seat, (self.mover_of(seat) or "") if beside else "")
            else:
                self._waiting_room.decline_seat(browser, seat)
            return None

    def _seat_guest(self, browser: str, seat: int, hands: str = "") -> None:
        guest = self._waiting_room.guest_of(browser)
        assert guest is not None
        self._assign_seat(seat, browser, guest.also, guest.name, hands)

    def _assign_seat(
        self, seat: int, browser: str, keep_others: bool, name: str, hands: str = ""
    ) -> None:
        others = {
            n: who for n, who in self._holders.items() if keep_others or who.browser != browser
        }
        self._change_holders({**others, seat: SeatHolder(browser, name, hands)})
        self._waiting_room.remove_guest(browser)
        self._waiting_room.forget_press(seat)

    # Offering and freeing seats.

    def offer_seat(self, seat: int, on: bool = True) -> None:
        """Offer a seat to the next newcomer, or do so no more; until then its phone plays on."""
        with self._transaction():
            others = self.handovers.offered - {seat}
            self.handovers.offered = others | {seat} if on else others

    def free_seat(self, seat: int) -> None:
        with self._transaction():
            holder = self._holders.get(seat)
            self._change_holders({n: who for n, who in self._holders.items() if n != seat})
            self._note_former(seat, holder)

    def _note_former(self, seat: int, holder: SeatHolder | None) -> None:
        """Remember the reason the browser of this holder has just lost a seat."""
        if holder is not None:
            is_unheard = self._is_unheard(holder) and seat not in self.handovers.offered
            self.handovers.note_former(holder.browser, seat, "unheard" if is_unheard else "given")

    def forget_names(self, seats: Iterable[int]) -> None:
        """Forget the names of the people at these seats; they stay."""
        with self._transaction():
            sitting = self.taken_seats() & {*seats}
            nameless = {seat: replace(self._holders[seat], name="") for seat in sitting}
            self._change_holders({**self._holders, **nameless})

    def dismiss_guest(self, guest: int) -> None:
        with self._transaction():
            self._waiting_room.remove_guest(self._waiting_room.browser_of(guest) or "")

    def claim_seat(self, seat: int, browser: str, name: str = "") -> None:
        """Give a seat to this browser in addition, as the host decided."""
        with self._transaction():
            self._assign_seat(seat, browser, keep_others=True, name=name)

    def swap_seats(self, first: int, second: int) -> None:
        """Swap the holders of two seats; either may be free."""
        with self._transaction():
            swapped = {first: second, second: first}
            self._change_holders({swapped.get(n, n): who for n, who in self._holders.items()})
            for seat in swapped:
                self._waiting_room.forget_press(seat)

    def clear(self) -> None:
        """Free all seats and send all guests away, for the next group."""
        with self._transaction():
            self._change_holders({})
            self._waiting_room.clear()
            self.handovers = Handovers()

    # Queries.

    def unheard_seats(self) -> frozenset[int]:
        """Return the seats whose browsers have not been heard for UNHEARD_SECONDS."""
        return frozenset(seat for seat, who in self._holders.items() if self._is_unheard(who))

    def _is_unheard(self, holder: SeatHolder) -> bool:
        if not self.open_house:
            return False
        browsers, now = (holder.browser, holder.mover), self._clock()
        silent = min(now - self._heard_at.get(browser, self._began_at) for browser in browsers)
        return silent >= UNHEARD_SECONDS and not any(
            map(self._waiting_room.has_open_page, browsers)
        )

    def _seated_browsers(self) -> frozenset[str]:
        """Return the browsers that hold a seat or move its pieces."""
        return frozenset(b for who in self._holders.values() for b in (who.browser, who.mover))

    def can_claim(self, browser: str | None, seat: int) -> bool:
        """Return whether this browser, if it has no seat yet, may take one that is offered or
        unheard."""
        open_seats = self.handovers.offered | self.unheard_seats()
        return seat in open_seats and browser not in self._seated_browsers()

    def seats_of(self, browser: str | None) -> tuple[int, ...]:
        """Return the seats that a browser holds, in order."""
        return tuple(sorted(n for n, who in self._holders.items() if who.browser == browser))

    def holds_seat(self, browser: str | None, seat: int) -> bool:
        return seat in self.seats_of(browser)

    def holder_of(self, seat: int) -> str | None:
        """Return the browser that holds a seat."""
        holder = self._holders.get(seat)
        return None if holder is None else holder.browser

    def mover_of(self, seat: int) -> str | None:
        """Return the browser that moves the pieces of a seat: its holder, or a screen beside."""
        holder = self._holders.get(seat)
        return None if holder is None else holder.mover

    def seats_moved_by(self, browser: str | None) -> tuple[int, ...]:
        """Return the seats whose pieces a browser moves, in order."""
        return tuple(sorted(n for n, who in self._holders.items() if who.mover == browser))

    def may_move(self, browser: str | None, seat: int) -> bool:
        """Return whether this browser may move the pieces of this seat."""
        return browser is not None and browser in (self.holder_of(seat), self.mover_of(seat))

    def taken_seats(self) -> frozenset[int]:
        return frozenset(self._holders)

    def holder_names(self) -> dict[int, str]:
        """Return the name given at each seat."""
        return {seat: who.name for seat, who in self._holders.items()}

    def waiting_guests(self) -> tuple[Guest, ...]:
        return self._waiting_room.guests

    def guest_of(self, browser: str | None) -> Guest | None:
        """Return the guest at this browser."""
        return self._waiting_room.guest_of(browser)

    def asked_seats(self, browser: str) -> tuple[int, ...]:
        """Return the seats whose press this browser is asked about."""
        with self._lock:
            return self._waiting_room.asked_seats(browser)

    def guests_asking_for(self, seat: int) -> tuple[Guest, ...]:
        """Return the guests asking the phone of this seat for it."""
        return tuple(guest for guest in self.waiting_guests() if guest.seat == seat)


def _browsers_by_seat(holders: Holders) -> dict[int, str]:
    return {seat: who.browser for seat, who in holders.items()}


def _guest_gone() -> Refusal:
    return refusal("guest_gone", "", "That phone no longer waits for a seat.")
