"""Sitters: who holds which seat.

Laws: a seat is held by one browser, and a browser may hold several, for players without a phone.
Whoever keeps these takes care that one changes them at a time.
"""

from collections.abc import Mapping

import msgspec


class Sitter(msgspec.Struct, frozen=True):
    """Who holds a seat; the name is that of the guest who came, until the table is reset.

    `hands` is the browser that moves the pieces of this seat at a simulated table, where that is
    another one: the screen with the cards, beside the phone.
    """

    browser: str
    name: str = ""
    hands: str = ""


class Sitters:
    """Those who sit, by their seats."""

    def __init__(self, sitting: Mapping[int, Sitter]) -> None:
        self._sitting = dict(sitting)

    def as_they_are(self) -> dict[int, Sitter]:
        """All of them, to be kept, and to tell a change by."""
        return dict(self._sitting)

    def sit(self, seat: int, sitter: Sitter, also: bool) -> None:
        """Sit down; without `also` the seats held before are free."""
        if not also:
            for held in self.of(sitter.browser):
                del self._sitting[held]
        self._sitting[seat] = sitter

    def rise(self, seat: int) -> None:
        """Stand up."""
        self._sitting.pop(seat, None)

    def swap(self, one: int, other: int) -> None:
        """Two seats change hands; a free one is as good as any."""
        first, second = self._sitting.pop(one, None), self._sitting.pop(other, None)
        moved = {one: second, other: first}
        self._sitting |= {seat: who for seat, who in moved.items() if who is not None}

    def clear(self) -> None:
        """Everyone stands up."""
        self._sitting = {}

    def of(self, browser: str | None) -> tuple[int, ...]:
        """The seats that a browser holds, in order."""
        return tuple(sorted(s for s, who in self._sitting.items() if who.browser == browser))

    def holder(self, seat: int) -> str | None:
        """The browser that holds a seat."""
        who = self._sitting.get(seat)
        return who.browser if who else None

    def hands(self, seat: int) -> str | None:
        """The browser that moves the pieces of a seat."""
        who = self._sitting.get(seat)
        return (who.hands or who.browser) if who else None

    def taken(self) -> frozenset[int]:
        """The seats that somebody holds."""
        return frozenset(self._sitting)

    def names(self, but: str = "") -> dict[int, str]:
        """The names under which people came to their seats, without those of one browser."""
        return {seat: who.name for seat, who in self._sitting.items() if who.browser != but}
