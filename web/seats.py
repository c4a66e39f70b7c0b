"""Who sits where: the seats that each browser holds, and the signed cookie that knows it again.

Laws: a seat is held by one browser, and a browser may hold several, for players without a phone.
What a cookie carries is a random name without meaning; who it is, is decided here.
"""

import secrets
import threading
from collections.abc import Callable, Mapping

from flask import session

from companion.errors import Refusal, refusal

BROWSER = "browser"


class Seats:
    """The seats of one table, by the browser that holds them.

    `keep` is told who sits where after every change, so that it outlives a restart.
    """

    def __init__(
        self,
        taken: Mapping[int, str] | None = None,
        keep: Callable[[Mapping[int, str]], None] = lambda _taken: None,
    ) -> None:
        self._browser: dict[int, str] = dict(taken or {})
        self._keep = keep
        self._busy = threading.Lock()

    def take(self, seat: int, browser: str, also: bool = False) -> Refusal | None:
        """Sit down; the seats held before are free again, unless this one comes in addition."""
        with self._busy:
            if self._browser.get(seat, browser) != browser:
                text = "Seat {seat} is taken: another browser plays from it."
                return refusal("seat_taken", "", text, seat=seat)
            if not also:
                self._browser = {s: b for s, b in self._browser.items() if b != browser}
            self._browser[seat] = browser
            self._keep(self._browser)
            return None

    def free(self, seat: int) -> None:
        """Have whoever holds a seat stand up."""
        with self._busy:
            self._browser.pop(seat, None)
            self._keep(self._browser)

    def claim(self, seat: int, browser: str) -> None:
        """Have this browser play from a seat as well, whoever held it."""
        with self._busy:
            self._browser[seat] = browser
            self._keep(self._browser)

    def swap(self, one: int, other: int) -> None:
        """Have two seats change hands; a free one is as good as any."""
        with self._busy:
            holders = [self._browser.pop(seat, None) for seat in (other, one)]
            pairs = zip((one, other), holders, strict=True)
            self._browser |= {seat: browser for seat, browser in pairs if browser is not None}
            self._keep(self._browser)

    def clear(self) -> None:
        """Have everyone stand up: other people may sit down for the next game."""
        with self._busy:
            self._browser = {}
            self._keep(self._browser)

    def of(self, browser: str | None) -> tuple[int, ...]:
        """The seats that a browser holds, in order."""
        with self._busy:
            return tuple(sorted(s for s, b in self._browser.items() if b == browser))

    def holds(self, browser: str | None, seat: int) -> bool:
        """Whether this browser plays from this seat."""
        return seat in self.of(browser)

    def holder(self, seat: int) -> str | None:
        """The browser that holds a seat."""
        with self._busy:
            return self._browser.get(seat)

    def taken(self) -> frozenset[int]:
        """The seats that somebody holds."""
        with self._busy:
            return frozenset(self._browser)


def my_browser() -> str:
    """The name of the browser that asks; a new one is given a name first."""
    if BROWSER not in session:
        session.permanent = True
        session[BROWSER] = secrets.token_urlsafe(16)
    return str(session[BROWSER])
