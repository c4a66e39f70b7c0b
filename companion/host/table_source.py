"""The port behind which readers, buttons, lamps and boxes are: a physical or a simulated table.

Laws: everything here runs on the one thread of the event loop, which alone may touch a table, and
nothing in it waits; other threads call by RunOnLoop. A call that raises LoopBusy was not made and
will not be, so it may be repeated. The host knows a table by the Protocol alone.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from companion.core.deck import Deck
from companion.core.errors import Refusal
from companion.core.events import Started
from companion.core.i18n import Message
from companion.core.sensor_events import Evidence, Lamp, ReaderCondition
from companion.games.rulebook import AnyRulebook
from companion.host.health import BoxHealth
from companion.table.table import Table

T = TypeVar("T")


class LoopBusy(Exception):
    """The event loop had no time for a call, or a copy of it is still running: try again."""


class RunOnLoop(Protocol):
    """Run a function on the thread of the event loop, and return its result.

    Raise LoopBusy if the loop does not begin with it in time.
    """

    def __call__(self, act: Callable[[], T], /) -> T: ...


def run_here(act: Callable[[], T], /) -> T:
    """Run the function on the calling thread, for tests and tables without an event loop."""
    return act()


MOST_SEATS = 6
"""Seats of the largest box."""


class Wires(Protocol):
    """What the health of a table asks its readers and buttons."""

    def conditions(self) -> Sequence[ReaderCondition]:
        """Return the condition of every reader."""

    def stuck_buttons(self) -> Sequence[int]:
        """Return the seats whose button stays down."""

    def steps(self) -> int:
        """Return the number of visits to the wires; it never falls."""


class TableSource(Protocol):
    """A table with its readers, buttons, lamps and boxes."""

    table: Table
    poller: "Poller"
    simulated: bool
    wiring: str
    """The name of the wiring profile."""
    unwired: Message | None
    """The reason the wires cannot be opened; None while they are open."""

    @property
    def wires(self) -> Wires:
        """The readers and buttons."""

    def poll(self) -> None:
        """Pass on the evidence since the last call, then set every lamp."""

    @property
    def deck(self) -> Deck | None:
        """The stickers of the box on the table; None if it is not enrolled."""

    def change_box(self, rules: AnyRulebook) -> Refusal | None:
        """Put the box of this game on the table."""

    def lay_out(self, started: Started) -> None:
        """Lay the cards as this game begins; people do that at a physical table."""

    def put_away(self) -> None:
        """Put all pieces into the box; people do that at a physical table."""

    def start_sweep(self) -> None:
        """Draw the pieces over a reader, one each poll; people do that at a physical table."""

    def replace_sticker(self, piece: str, at_place: bool) -> Refusal | None:
        """Give the new sticker on the readers to the piece whose own is ruined; the game goes on
        with it if that lies `at_place`, where the new one is."""

    def other_decks(self) -> Mapping[str, Deck]:
        """Return the decks of the other boxes, by their titles."""

    def read_boxes(self) -> tuple[BoxHealth, ...]:
        """Return the state of the stickers of every box."""


class Poller:
    """Feed a table with the evidence of its readers, and show its lamps."""

    def __init__(
        self,
        table: Table,
        sense: Callable[[], Sequence[Evidence]],
        light: Callable[[int, Lamp], None],
        seats: int,
    ) -> None:
        self._table, self._sense, self._light, self._seats = table, sense, light, seats
        self.filter: Callable[[Sequence[Evidence]], Sequence[Evidence]] = lambda sensed: sensed
        """Returns the part of the evidence that the game is to hear."""

    def poll(self) -> None:
        """Pass on the evidence since the last call, then set every lamp."""
        for evidence in self.filter(self._sense()):
            self._table.sense(evidence)
        self._table.run_maintenance()
        for seat in range(1, self._seats + 1):
            self._light(seat, self._table.lamp_state(seat))
