"""Takes for each seat what it wishes, as an input device beside the readers and the phones.

Laws: it asks for one event at a time, as the seat's phone would, and the rules decide; it waits
PAUSE seconds before each, so that everyone sees what is taken. While a verdict is told or the game
stands still it waits. If anything was undone or corrected it takes for no seat, until one asks
for it again.
"""

import logging
from collections.abc import Callable
from typing import NamedTuple

from companion.core.log_lines import log_line
from companion.games import find_game
from companion.games.rulebook import Choice
from companion.games.screens import Wishes
from companion.table.permissions import Author
from companion.table.table import Table
from companion.table.view import View
from companion.table.wishes import Order, SeatWishes
from web.body_validation import parse_event

PAUSE = 0.7
LOG = logging.getLogger(__name__)


class Turn(NamedTuple):
    """What a seat at turn would take, in the version of the game in which it would."""

    at: int
    seat: int
    choice: Choice


class WishTaker:
    """Asks for what is wished at one table."""

    def __init__(self, table: Table, wishes: SeatWishes, clock: Callable[[], float]) -> None:
        self._table, self._wishes, self._clock = table, wishes, clock
        self._turn: Turn | None = None
        self._since = clock()
        self._amended = self._count_amendments()

    def take_when_due(self) -> None:
        """Ask for what the seat at turn wishes, if it could be asked for since PAUSE seconds."""
        state, wishes = self._table.state, find_game(self._table.rules.box.game).screens.wishes
        if state is None or wishes is None or not self._wishes.active_seats(state.id):
            self._turn, self._amended = None, self._count_amendments()
            return
        view = self._table.view()
        assert view is not None
        self._stop_after_amendment(view)
        turn = self._find_turn(view, wishes)
        if turn != self._turn:
            self._turn, self._since = turn, self._clock()
        elif turn is not None and self._clock() - self._since >= PAUSE:
            self._take(turn, wishes, view.public.id)

    def _stop_after_amendment(self, view: View) -> None:
        amended = self._count_amendments()
        if amended != self._amended:
            self._amended = amended
            for seat in self._wishes.active_seats(view.public.id):
                self._wishes.stop(view.public.id, seat)
            self._table.notify_watchers()

    def _count_amendments(self) -> tuple[int, int]:
        history = self._table.history
        return len(history.struck), len(history.replacements)

    def _find_turn(self, view: View, wishes: Wishes) -> Turn | None:
        if view.table.is_stopped or self._table.telling.unfinished() is not None:
            return None
        active = self._wishes.active_seats(view.public.id)
        for seat in view.public.waiting:
            own = self._table.view(seat) if seat in active else None
            choice = None if own is None else find_dearest(own, wishes, active[seat])
            if choice is not None:
                return Turn(view.at, seat, choice)
        return None

    def _take(self, turn: Turn, wishes: Wishes, game: str) -> None:
        event = parse_event({**turn.choice, "event": wishes.event}, turn.seat, self._table.rules)
        author = Author(turn.seat, f"phone {turn.seat}")
        refused = self._table.request(event, author, turn.at)
        if refused is not None:
            LOG.info(log_line("wish_refused", code=refused.code))
            self._wishes.stop(game, turn.seat)
            self._table.notify_watchers()


def find_dearest(view: View, wishes: Wishes, order: Order) -> Choice | None:
    """Return the choice of this seat that comes first in the order; None if it has none of them."""
    choices = [way for may in view.may if may.do == wishes.event for way in may.choices]
    offered = {way.get(wishes.field): way for way in choices}
    return next((offered[value] for value in order if value in offered), None)
