"""Wishes: each seat's order of preference where things are taken one by one, in turn; and the input
device, beside readers and phones, that takes by it.

Laws: a wish is kept for one game and one seat, and shown to this seat alone. It counts while the
browser that said it holds the seat; after a restart there are none. One event at a time is asked
for, as the seat's phone would, and the rules decide; PAUSE seconds are waited before each, so that
everyone sees what is taken. While a verdict is told or the game stands still, nothing is asked. If
anything was undone or corrected nothing is taken for a seat, until it asks for it again.
"""

import logging
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from companion.core.events import Event
from companion.core.log_lines import log_line
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRow, AnyRulebook, Choice
from companion.table.permissions import Author
from companion.table.table import Table

PAUSE = 0.7
"""Seconds before each thing is taken."""
LOG = logging.getLogger(__name__)
Order = tuple[str, ...]


def find_taking_rows(rules: AnyRulebook) -> tuple[AnyRow, ...]:
    """Return the rows for taking in turn until nothing is left: one thing at a time, unseen by
    readers."""
    return tuple(
        row
        for row in rules.rows
        if row.who == "active"
        and row.phase in row.next_phases
        and not row.event.with_pieces
        and row.event.__struct_fields__[:-1] == ("seat",)
    )


def offered_things(rules: AnyRulebook, state: GameState, seat: int) -> dict[str, Choice]:
    """Return the things a seat may take at its turn, each with its choice; nothing in a phase
    without taking."""
    rows = (row for row in find_taking_rows(rules) if row.phase == state.phase)
    if (row := next(rows, None)) is None:
        return {}
    field = row.event.__struct_fields__[-1]
    choices = row.offered_choices(msgspec.structs.replace(state, active=seat), seat)
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
        """Return the orders of the seats for which the table takes."""
        wishes = {seat: self.read(game, seat) for seat in [*self._wishes]}
        return {seat: wish.order for seat, wish in wishes.items() if wish and wish.is_active}


class Turn(NamedTuple):
    """The wish of a seat at turn, and the version of the game it belongs to."""

    at: int
    seat: int
    event: Event


class WishTaker:
    """Takes for each seat of one table by its order of preference."""

    def __init__(self, table: Table, wishes: SeatWishes, clock: Callable[[], float]) -> None:
        self._table, self._wishes, self._clock = table, wishes, clock
        self._turn: Turn | None = None
        self._since = clock()
        self._amended = self._count_amendments()

    def take_when_due(self) -> None:
        """Take the first wish of the seat at turn, once it has been possible for PAUSE seconds."""
        state = self._table.state
        if state is None or not self._wishes.active_seats(state.id):
            self._turn, self._amended = None, self._count_amendments()
            return
        self._stop_after_amendment(state.id)
        turn = self._find_turn(state)
        if turn != self._turn:
            self._turn, self._since = turn, self._clock()
        elif turn is not None and self._clock() - self._since >= PAUSE:
            self._take(turn, state.id)

    def _stop_after_amendment(self, game: str) -> None:
        amended = self._count_amendments()
        if amended != self._amended:
            self._amended = amended
            for seat in self._wishes.active_seats(game):
                self._wishes.stop(game, seat)
            self._table.notify_watchers()

    def _count_amendments(self) -> tuple[int, int]:
        history = self._table.history
        return len(history.struck), len(history.replacements)

    def _find_turn(self, state: GameState) -> Turn | None:
        view, seat = self._table.view(), state.active
        order = self._wishes.active_seats(state.id).get(seat)
        if view is None or view.table.is_stopped or order is None:
            return None
        offered = offered_things(self._table.rules, state, seat)
        dearest = next((thing for thing in (*order, *offered) if thing in offered), None)
        if dearest is None or self._table.telling.unfinished() is not None:
            return None
        (row,) = (row for row in find_taking_rows(self._table.rules) if row.phase == state.phase)
        event = self._table.rules.make_event(seat, row.event_name, offered[dearest])
        return Turn(view.at, seat, event)

    def _take(self, turn: Turn, game: str) -> None:
        refused = self._table.request(turn.event, Author(turn.seat, f"phone {turn.seat}"), turn.at)
        if refused is not None:
            LOG.info(log_line("wish_refused", code=refused.code))
            self._wishes.stop(game, turn.seat)
            self._table.notify_watchers()
