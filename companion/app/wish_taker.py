"""Takes for each seat what it wishes, as an input device beside the readers and the phones.

Laws: it asks for one event at a time, as the seat's phone would, and the rules decide; it waits
PAUSE seconds before each, so that everyone sees what is taken. While a verdict is told or the game
stands still it waits. If anything was undone or corrected it takes for no seat, until one asks
for it again.
"""

import logging
from collections.abc import Callable
from typing import NamedTuple

from companion.core.events import Event
from companion.core.log_lines import log_line
from companion.games.game_state import GameState
from companion.table.permissions import Author
from companion.table.table import Table
from companion.table.wishes import SeatWishes, find_taking_rows, offered_things

PAUSE = 0.7
LOG = logging.getLogger(__name__)


class Turn(NamedTuple):
    """What a seat at turn would take, in the version of the game in which it would."""

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
