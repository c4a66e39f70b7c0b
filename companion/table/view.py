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
from companion.table.activity_log import Affairs, affairs
from companion.table.history import History
from companion.tracking import Gap, todo
from companion.tracking.picture import Picture

_encode = msgspec.json.Encoder().encode

TABLE = "table"
SPECTATOR = "spectator"
CALM = Affairs()
"""Nothing goes on besides the game."""


class View(msgspec.Struct, frozen=True):
    """What one viewer may know of a game. `at` counts the events it rests on."""

    viewer: str
    at: int
    public: Any
    seat: int = 0
    mine: Any = None
    may: Sequence[May] = ()
    table: Affairs = CALM


def seat_view(
    rules: Rulebook, state: Any, at: int, seat: int, public: Any = None, table: Affairs = CALM
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
    viewer: str = TABLE,
    table: Affairs = CALM,
    public: Any = None,
) -> View:
    """What the table screen shows, and what any spectator may know."""
    return View(viewer, at, public or rules.public_view(state), table=table)


def all_views(rules: Rulebook, state: Any, at: int) -> list[bytes]:
    """As JSON, the table's view, then every seat's; what they share is written only once."""
    public = msgspec.Raw(_encode(rules.public_view(state)))
    seats = range(1, len(state.players) + 1)
    views = [
        View(TABLE, at, public),
        *(seat_view(rules, state, at, seat, public) for seat in seats),
    ]
    return [_encode(view) for view in views]


class Shown:
    """What everyone was shown last, and of what it was made."""

    def __init__(self) -> None:
        self._of: tuple[Any, ...] = ()
        self._troubles: tuple[Message, ...] = ()
        self._found: tuple[Any, Affairs] | None = None

    def to_all(
        self, history: History, gaps: Sequence[Gap], picture: Picture, troubles: tuple[Message, ...]
    ) -> tuple[Any, Affairs]:
        """The public part and the affairs of the table as it is."""
        of = (history, gaps, picture)
        same = len(self._of) == len(of) and all(a is b for a, b in zip(of, self._of, strict=True))
        if self._found is None or not same or troubles != self._troubles:
            self._of, self._troubles = of, troubles
            self._found = _made(history, gaps, picture, troubles)
        return self._found


def _made(
    history: History, gaps: Sequence[Gap], picture: Picture, troubles: tuple[Message, ...]
) -> tuple[Any, Affairs]:
    rules, state = history.rules, history.state
    todos = tuple(todo(rules, gap) for gap in gaps)
    by_hand = tuple(place for place in rules.expected_cards(state) if not picture.hears(place))
    return rules.public_view(state), affairs(history, todos, troubles, by_hand)
