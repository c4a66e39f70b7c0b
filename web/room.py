"""The room: what every page needs of the house, and what a simulated table offers besides.

Law: pages know the table through its view and its door, and the pieces of a simulated table
through one Protocol. They import no hardware and no command line; whoever builds the app hands
both in.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec
from flask import abort, current_app

from companion.errors import Refusal
from companion.house import House
from companion.table import Table
from web.hosts import Hosts
from web.once import Once
from web.seats import Seats

ROOM = "companion"
PLAYED = "bankueberfall"
"""The game whose simulated pieces have a page."""


class Pieces(Protocol):
    """The cards, tiles and figure of a simulated table, moved as hands would move them."""

    def hand(self, seat: int) -> Sequence[str]:
        """The cards in the hand of a seat, for the eyes of that seat only."""
        ...

    def move(self, seat: int, do: str, **fields: int | str) -> bool:
        """Do with the pieces what a player does; whether the readers took notice."""
        ...

    def deal(self) -> Refusal | None:
        """Clear the table and begin another game, once the last one is over."""
        ...


class Tongue(msgspec.Struct):
    """The language of every page whose browser chose none, the table screen above all.

    The host may change it.
    """

    code: str


class Room(msgspec.Struct, frozen=True):
    """One table and those who sit at it; `pieces` only where the table is simulated.

    Without a `house` there is no host: nothing is decided in the browser about the whole table.
    """

    table: Table
    seats: Seats
    pieces: Pieces | None
    tongue: Tongue
    once: Once
    addresses: Callable[[], Sequence[str]]
    """What to type to get here, by number first; it changes with the networks."""
    house: House | None = None
    hosts: Hosts | None = None

    @property
    def language(self) -> str:
        """The language of whoever chose none."""
        return self.tongue.code

    @property
    def game(self) -> str:
        """The game that is played here, by name."""
        return self.table.rules.box.game

    @property
    def play_page(self) -> bool:
        """Whether the simulated table has a page of its own, with its pieces to be moved."""
        return self.pieces is not None and self.game == PLAYED


def room() -> Room:
    """The room that this request came into."""
    found: Room = current_app.extensions[ROOM]
    return found


def house() -> House:
    """Who decides about the whole table; there is no such page where nobody is at home."""
    return room().house or abort(404)
