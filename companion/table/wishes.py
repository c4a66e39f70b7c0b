"""Wishes: in which order each seat would like to take what lies open to all.

Laws: a wish is kept for one game and one seat, and shown to this seat alone. It makes no event by
itself: the running program asks for what is wished as the seat's phone would, and the rules decide.
After a restart there are none.
"""

import msgspec

Order = tuple[str, ...]


class Wish(msgspec.Struct, frozen=True):
    """The order of a seat, the dearest first, and whether the table takes by it just now."""

    order: Order
    is_active: bool


class SeatWishes:
    """The wishes of all seats in one game; the wishes of another one replace them."""

    def __init__(self) -> None:
        self._game = ""
        self._wishes: dict[int, Wish] = {}

    def keep(self, game: str, seat: int, wish: Wish) -> None:
        """Keep the wish of this seat in the game of this id."""
        if game != self._game:
            self._game, self._wishes = game, {}
        self._wishes[seat] = wish

    def read(self, game: str, seat: int) -> Wish | None:
        """Return the wish of this seat; None if it has none in this game."""
        return self._wishes.get(seat) if game == self._game else None

    def stop(self, game: str, seat: int) -> None:
        """Take nothing more for this seat; its order is kept."""
        wish = self.read(game, seat)
        if wish is not None:
            self._wishes[seat] = msgspec.structs.replace(wish, is_active=False)

    def active_seats(self, game: str) -> dict[int, Order]:
        """Return the order of each seat for which the table takes."""
        if game != self._game:
            return {}
        return {seat: wish.order for seat, wish in [*self._wishes.items()] if wish.is_active}
