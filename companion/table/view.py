"""Views: what one viewer may know; nothing else leaves the Pi.

Laws: a view is built from nothing for one viewer: a seat, the table screen, or a spectator. The
public part and the status are the same objects for everyone until something changes; a seat's own
part and what it may do come on top.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.events import Started
from companion.core.i18n import Message
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook, May
from companion.table.activity_log import TableStatus, table_status
from companion.table.history import History
from companion.tracking.laying import describe_laying, describe_listening
from companion.tracking.mismatches import Mismatch, make_todo
from companion.tracking.picture import Picture

replace = msgspec.structs.replace

TABLE_VIEWER = "table"
SPECTATOR = "spectator"
QUIET_STATUS = TableStatus()
"""The status of a table where nothing goes on besides the game."""


class View(msgspec.Struct, frozen=True):
    """What one viewer may know of a game. `at` counts the events it rests on; `names` are those of
    the seats, for programs: all else speaks of seats."""

    viewer: str
    at: int
    public: Any
    seat: int = 0
    mine: Any = None
    may: Sequence[May] = ()
    table: TableStatus = QUIET_STATUS
    names: tuple[str, ...] = ()

    @property
    def shows_end(self) -> bool:
        """Return whether the end of the game is shown: on every screen at once, or on none."""
        return self.table.evening is not None


def seat_view(
    rules: AnyRulebook,
    state: GameState | None,
    at: int,
    seat: int,
    public: object = None,
    table: TableStatus = QUIET_STATUS,
) -> View:
    """Return the view of a seat; `public` may be handed in when it is built already."""
    return View(
        f"seat {seat}",
        at,
        public or rules.public_view(state),
        seat,
        rules.private_view(state, seat),
        rules.list_options(state, seat),
        table,
    )


def open_view(
    rules: AnyRulebook,
    state: GameState | None,
    at: int,
    viewer: str = TABLE_VIEWER,
    table: TableStatus = QUIET_STATUS,
    public: object = None,
) -> View:
    """Return the view of the table screen, or of a spectator."""
    return View(viewer, at, public or rules.public_view(state), table=table)


def check_first_views(rules: AnyRulebook, event: Started) -> None:
    """Encode everyone's views of a game that is to begin, to know that it can be shown."""
    state = rules.apply(None, event)
    assert state is not None
    _check_public(rules.public_view(state), state)
    seats = range(1, len(state.players) + 1)
    for view in (open_view(rules, state, 1), *(seat_view(rules, state, 1, n) for n in seats)):
        msgspec.json.encode(view)


def _check_public(public: Any, state: GameState | None) -> None:
    """Raise if a game makes no public view of its state."""
    names = [player.name for player in state.players] if state is not None else []
    if [seat.name for seat in public.seats] != names:
        raise TypeError("seats")


class TableViews:
    """The views of a table, each shared part built once for all viewers until it changes.

    The public part, the log and the last change are built once per event; to-dos and faults when
    they change.
    """

    def __init__(self) -> None:
        self._history: History | None = None
        self._public: object = None
        self._logged = QUIET_STATUS
        self._inputs: tuple[object, ...] = ()
        self._status = QUIET_STATUS
        self._wake_calls: dict[int, int] = {}

    def wake(self, seat: int) -> None:
        """Count a press that only wakes the phone of a seat."""
        self._wake_calls[seat] = self._wake_calls.get(seat, 0) + 1

    def refresh(
        self,
        history: History,
        mismatches: Sequence[Mismatch],
        picture: Picture,
        faults: tuple[Message, ...],
    ) -> None:
        """Rebuild the outdated public part and status."""
        if history is not self._history:
            public, logged = history.rules.public_view(history.state), table_status(history)
            _check_public(public, history.state)
            self._public, self._logged = public, logged
            self._history, self._inputs = history, ()
        inputs = (mismatches, picture, faults)
        if inputs != self._inputs:
            rules, state = history.rules, history.state
            self._status = replace(
                self._logged,
                todos=tuple(make_todo(rules, gap) for gap in mismatches),
                trouble=faults,
                listening=describe_listening(rules, state, picture) if picture.one_reader else None,
                laying=describe_laying(rules, state, picture) if picture.taps else None,
                tapped=tuple(sorted(picture.taps)),
                by_turns=picture.one_reader,
                by_hand=tuple(
                    place for place in rules.expected_cards(state) if not picture.is_heard(place)
                ),
            )
            self._inputs = inputs

    def view(self, seat: int, viewer: str = TABLE_VIEWER) -> View:
        """Return the view of a seat, or with seat 0 that of the table screen or a spectator."""
        assert self._history is not None
        rules, state, at = self._history.rules, self._history.state, self._history.at
        if not seat:
            return open_view(rules, state, at, viewer, self._status, self._public)
        status = replace(self._status, woken=self._wake_calls.get(seat, 0))
        return seat_view(rules, state, at, seat, self._public, status)
