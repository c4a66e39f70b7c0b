"""Seat map: which browser holds which seat, and when it was last heard.

Laws: a seat is held by one browser, and a browser may hold several, for players without a phone.
The owner of a `SeatMap` lets one thread change it at a time.
"""

from collections.abc import Callable, Iterable, Mapping

import msgspec


class SeatHolder(msgspec.Struct, frozen=True):
    """The browser that holds a seat, and the name of the guest who came, until a reset; the name is
    kept apart from the rest.

    `hands` is the browser that moves the pieces of this seat at a simulated table, where that is
    another one: the screen with the cards, beside the phone.
    """

    browser: str
    name: str = ""
    hands: str = ""


class SeatMap:
    """The holders by their seats."""

    def __init__(self, holders: Mapping[int, SeatHolder], clock: Callable[[], float]) -> None:
        self._holders, self._clock = dict(holders), clock
        self._heard_at: dict[str, float] = {}
        self._began_at = clock()

    def snapshot(self) -> dict[int, SeatHolder]:
        """Return all holders, to be saved and to detect a change."""
        return dict(self._holders)

    def go_back(self, to: Mapping[int, SeatHolder]) -> None:
        """Have these holders again."""
        self._holders = dict(to)

    def assign_seat(self, seat: int, holder: SeatHolder, keep_others: bool) -> None:
        """Give a seat to a browser; without `keep_others` free the seats it held."""
        if not keep_others:
            for held in self.seats_of(holder.browser):
                del self._holders[held]
        self._holders[seat] = holder

    def free_seat(self, seat: int) -> None:
        self._holders.pop(seat, None)

    def swap_seats(self, first: int, second: int) -> None:
        """Swap the holders of two seats; either may be free."""
        one, other = self._holders.pop(first, None), self._holders.pop(second, None)
        moved = {first: other, second: one}
        self._holders |= {seat: who for seat, who in moved.items() if who is not None}

    def forget_names(self, seats: Iterable[int]) -> None:
        """Forget the names of those who sit at these seats."""
        for seat in {*seats} & self._holders.keys():
            self._holders[seat] = msgspec.structs.replace(self._holders[seat], name="")

    def clear(self) -> None:
        """Free all seats."""
        self._holders = {}

    def seats_of(self, browser: str | None) -> tuple[int, ...]:
        """Return the seats that a browser holds, in order."""
        return tuple(sorted(s for s, who in self._holders.items() if who.browser == browser))

    def holder_of(self, seat: int) -> str | None:
        """Return the browser that holds a seat."""
        who = self._holders.get(seat)
        return who.browser if who else None

    def mover_of(self, seat: int) -> str | None:
        """Return the browser that moves the pieces of a seat."""
        who = self._holders.get(seat)
        return (who.hands or who.browser) if who else None

    def browsers(self) -> frozenset[str]:
        """Return the browsers that hold a seat or move its pieces."""
        held = (browser for who in self._holders.values() for browser in (who.browser, who.hands))
        return frozenset(filter(None, held))

    def note_heard(self, browser: str | None) -> None:
        """Note that a browser was just heard, if it has a seat."""
        if browser is not None and browser in self.browsers():
            self._heard_at[browser] = self._clock()

    def forget_unseated(self) -> None:
        """Forget the times of browsers that have no seat any more."""
        seated = self.browsers()
        self._heard_at = {b: at for b, at in self._heard_at.items() if b in seated}

    def seconds_unheard(self, browser: str) -> float:
        """Return the seconds since a browser was heard, at most since the start."""
        return self._clock() - self._heard_at.get(browser, self._began_at)

    def taken_seats(self) -> frozenset[int]:
        return frozenset(self._holders)

    def holder_names(self, leave_out: str = "") -> dict[int, str]:
        """Return the names given at each seat, without those of one browser."""
        return {seat: who.name for seat, who in self._holders.items() if who.browser != leave_out}
