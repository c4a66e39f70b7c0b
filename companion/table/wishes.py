"""Wishes: in which order each seat would like to take what is taken one by one, in turn.

Laws: a wish is kept for one game and one seat, and shown to this seat alone. It makes no event by
itself: the running program asks for what is wished as the seat's phone would, and the rules decide.
It counts while the browser that said it holds the seat. After a restart there are none.
"""

from collections.abc import Callable

import msgspec

from companion.games.game_state import GameState, replace_fields
from companion.games.rulebook import AnyRow, AnyRulebook, Choice

Order = tuple[str, ...]


def find_taking_rows(rules: AnyRulebook) -> tuple[AnyRow, ...]:
    """Return the rows by which the seats take in turn until nothing is left: one thing at a time,
    that no reader sees."""
    return tuple(
        row
        for row in rules.rows
        if row.who == "active"
        and row.phase in row.next_phases
        and not row.event.with_pieces
        and len(row.event.__struct_fields__) == len(("seat", "thing"))
    )


def offered_things(rules: AnyRulebook, state: GameState, seat: int) -> dict[str, Choice]:
    """Return the things a seat may take at its turn, each with its choice; nothing in a phase in
    which nothing is taken."""
    rows = (row for row in find_taking_rows(rules) if row.phase == state.phase)
    if (row := next(rows, None)) is None:
        return {}
    field = row.event.__struct_fields__[1]
    choices = row.offered_choices(replace_fields(state, active=seat), seat)
    return {way[field]: way for way in choices if isinstance(way.get(field), str)}


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

    def order_things(self, rules: AnyRulebook, state: GameState, seat: int) -> Order:
        """Return the things a seat may take in its own order, or as they are offered; later ones
        last."""
        wish, offered = self.read(state.id, seat), offered_things(rules, state, seat)
        return tuple(dict.fromkeys((*(wish.order if wish else ()), *offered)))

    def stop(self, game: str, seat: int) -> None:
        """Take nothing more for this seat; its order is kept."""
        wish = self.read(game, seat)
        if wish is not None:
            self._wishes[seat] = msgspec.structs.replace(wish, is_active=False)

    def active_seats(self, game: str) -> dict[int, Order]:
        """Return the order of each seat for which the table takes."""
        wishes = {seat: self.read(game, seat) for seat in [*self._wishes]}
        return {seat: wish.order for seat, wish in wishes.items() if wish and wish.is_active}
