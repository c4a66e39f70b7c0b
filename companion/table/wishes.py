"""Wishes: in which order each seat would like to take what lies open to all.

Laws: a wish is kept for one game and one seat, and shown to this seat alone. It makes no event by
itself: the running program asks for what is wished as the seat's phone would, and the rules decide.
It counts while the browser that said it holds the seat. After a restart there are none.
"""

from collections.abc import Callable

import msgspec

Order = tuple[str, ...]


class Wish(msgspec.Struct, frozen=True):
    """The order of a seat, the dearest first, whether the table takes by it just now, and the
    browser that said so."""

    order: Order
    is_active: bool
    holder: str | None = None


class SeatWishes:
    """The wishes of all seats in one game; the wishes of another one replace them. `holder_of`
    returns the browser that holds a seat."""

    def __init__(self, holder_of: Callable[[int], str | None] = lambda _seat: None) -> None:
        self._holder_of = holder_of
        self._game = ""
        self._wishes: dict[int, Wish] = {}

    def keep(self, game: str, seat: int, wish: Wish) -> None:
        """Keep the wish of this seat in the game of this id."""
        if game != self._game:
            self._game, self._wishes = game, {}
        self._wishes[seat] = wish

    def read(self, game: str, seat: int) -> Wish | None:
        """Return the wish of this seat; None if it has none in this game."""
        wish = self._wishes.get(seat) if game == self._game else None
        return wish if wish is not None and wish.holder == self._holder_of(seat) else None

    def stop(self, game: str, seat: int) -> None:
        """Take nothing more for this seat; its order is kept."""
        wish = self.read(game, seat)
        if wish is not None:
            self._wishes[seat] = msgspec.structs.replace(wish, is_active=False)

    def active_seats(self, game: str) -> dict[int, Order]:
        """Return the order of each seat for which the table takes."""
        wishes = {seat: self.read(game, seat) for seat in [*self._wishes]}
        return {seat: wish.order for seat, wish in wishes.items() if wish and wish.is_active}
