"""Views: what one viewer may know, and nothing else leaves the Pi.

Law: a view is built from nothing for one viewer — a seat, the table screen, or a spectator. The
public part is the same object for everyone; a seat's own part and what it may do come on top.

What everyone is shown: the public part of a game and its affairs, worked out once for all.

Law: until something changes it is one and the same for whoever looks; nothing that only one seat
may know is ever in here.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.i18n import Message
from companion.games.rulebook import May, Rulebook
from companion.table.activity_log import TableStatus, table_status
from companion.table.history import History
from companion.tracking import Mismatch, make_todo
from companion.tracking.picture import Picture

_encode = msgspec.json.Encoder().encode

TABLE_VIEWER = "table"
SPECTATOR = "spectator"
QUIET_STATUS = TableStatus()
"""Nothing goes on besides the game."""


class View(msgspec.Struct, frozen=True):
    """What one viewer may know of a game. `at` counts the events it rests on."""

    viewer: str
    at: int
    public: Any
    seat: int = 0
    mine: Any = None
    may: Sequence[May] = ()
    table: TableStatus = QUIET_STATUS


def seat_view(
    rules: Rulebook,
    state: Any,
    at: int,
    seat: int,
    public: Any = None,
    table: TableStatus = QUIET_STATUS,
) -> View:
    """What a seat may know; `public` may be handed in when it is built already."""
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
    rules: Rulebook,
    state: Any,
    at: int,
    viewer: str = TABLE_VIEWER,
    table: TableStatus = QUIET_STATUS,
    public: Any = None,
) -> View:
    """What the table screen shows, and what any spectator may know."""
    return View(viewer, at, public or rules.public_view(state), table=table)


def all_views(rules: Rulebook, state: Any, at: int) -> list[bytes]:
    """As JSON, the table's view, then every seat's; what they share is written only once."""
    public = msgspec.Raw(_encode(rules.public_view(state)))
    seats = range(1, len(state.players) + 1)
    views = [
        View(TABLE_VIEWER, at, public),
        *(seat_view(rules, state, at, seat, public) for seat in seats),
    ]
    return [_encode(view) for view in views]


class PublicViewCache:
    """What everyone was shown last, and of what it was made."""

    def __init__(self) -> None:
        self._inputs: tuple[Any, ...] = ()
        self._fault_messages: tuple[Message, ...] = ()
        self._public_view: tuple[Any, TableStatus] | None = None

    def public_view(
        self,
        history: History,
        mismatches: Sequence[Mismatch],
        picture: Picture,
        faults: tuple[Message, ...],
    ) -> tuple[Any, TableStatus]:
        """The public part and the affairs of the table as it is."""
        of = (history, mismatches, picture)
        same = len(self._inputs) == len(of) and all(
            a is b for a, b in zip(of, self._inputs, strict=True)
        )
        if self._public_view is None or not same or faults != self._fault_messages:
            self._inputs, self._fault_messages = of, faults
            self._public_view = _build_public_view(history, mismatches, picture, faults)
        return self._public_view


def _build_public_view(
    history: History, mismatches: Sequence[Mismatch], picture: Picture, faults: tuple[Message, ...]
) -> tuple[Any, TableStatus]:
    rules, state = history.rules, history.state
    todos = tuple(make_todo(rules, gap) for gap in mismatches)
    by_hand = tuple(place for place in rules.expected_cards(state) if not picture.is_heard(place))
    return rules.public_view(state), table_status(history, todos, faults, by_hand)
