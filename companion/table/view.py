"""Views: what one viewer may know, and nothing else leaves the Pi.

Law: a view is built from nothing for one viewer — a seat, the table screen, or a spectator. The
public part is the same object for everyone; a seat's own part and what it may do come on top.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.games.rulebook import May, Rulebook
from companion.table.activity_log import Affairs

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
        public or rules.public(state),
        seat,
        rules.mine(state, seat),
        rules.may(state, seat),
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
    return View(viewer, at, public or rules.public(state), table=table)


def all_views(rules: Rulebook, state: Any, at: int) -> list[bytes]:
    """As JSON, the table's view, then every seat's; what they share is written only once."""
    public = msgspec.Raw(_encode(rules.public(state)))
    seats = range(1, len(state.players) + 1)
    views = [
        View(TABLE, at, public),
        *(seat_view(rules, state, at, seat, public) for seat in seats),
    ]
    return [_encode(view) for view in views]
