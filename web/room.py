"""The room: what every page needs of the house, and what a simulated table offers besides.

Law: pages know the table through its view and its door, and the pieces of a simulated table
through one Protocol. They import no hardware and no command line; whoever builds the room hands
both in.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec
from flask import abort, current_app

from companion.demo import Scene
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

    def gather(self, game: str) -> Refusal | None:
        """Begin a game of this box, with bots round those who sit here."""
        ...


class Demo(Protocol):
    """What the table screen shows while nobody is at the table; no other page shows it."""

    def scene(self) -> Scene | None:
        """The moment of a recorded evening that is shown now; None while the table itself is."""
        ...

    def touched(self) -> None:
        """Somebody is here: they came to a page, or asked for something."""
        ...


class Room(msgspec.Struct, eq=False):
    """One table and those who sit at it; `pieces` only where the table is simulated.

    Without a `house` there is no host: nothing is decided in the browser about the whole table.
    """

    table: Table
    seats: Seats = msgspec.field(default_factory=Seats)
    pieces: Pieces | None = None
    house: House | None = None
    language: str = "en"
    """The language of whoever chose none, the table screen above all; the host may change it."""
    addresses: Callable[[], Sequence[str]] = tuple
    """What to type to get here, by number first; it changes with the networks."""
    once: Once = msgspec.field(default_factory=Once)
    hosts: Hosts | None = None
    demo: Demo | None = None

    def __post_init__(self) -> None:
        """A house is known by its PIN."""
        self.hosts = Hosts(self.house.pin) if self.house else None

    @property
    def game(self) -> str:
        """The game that is played here, by name."""
        return self.table.rules.box.game

    def scene(self, page: str) -> Scene | None:
        """The moment of a recorded evening that this page shows, if it shows one now."""
        return self.demo.scene() if self.demo is not None and page == "table" else None

    def touched(self) -> None:
        """Somebody is here: where a demo plays, it gives way."""
        if self.demo is not None:
            self.demo.touched()

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
