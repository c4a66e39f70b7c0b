"""The room: what every page needs of the house, and what a simulated table offers besides.

Law: pages know the table through its view and its door, and the pieces of a simulated table
through one Protocol. They import no hardware and no command line; whoever builds the room hands
both in.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol

import msgspec
from flask import abort, current_app

from companion.backup.service import Safe
from companion.core.errors import Refusal
from companion.host.demo_scenes import Scene
from companion.host.health import House
from companion.hotspot.wifi import Wifi
from companion.seating.seats import Seats
from companion.setup import FirstStart
from companion.table.table import Table
from web.idempotency import IdempotencyCache
from web.sessions import HostSessions

CONTEXT_KEY = "companion"
Pace = Literal["slow", "human", "fast", "still"]
"""How fast bots play; where they are still they wait."""
Fault = Literal["cable", "frames", "stack", "bounce", "plug"]
"""What can go wrong on purpose at a simulated table."""


class Piece(msgspec.Struct, frozen=True):
    """A card, a tile or the figure, as one seat sees it."""

    what: Literal["card", "tile", "figure"]
    face: str | None
    """None: face down, to these eyes."""
    astray: bool = False
    """Whether it lies where people do not mean it to lie."""


class Spot(msgspec.Struct, frozen=True):
    """A spot of the simulated table, as one seat sees it: "place-2", "hand", "front-1", "pile"."""

    name: str
    kind: str
    """The name without its number."""
    number: int
    """Of a place, or of the seat whose spot it is; else 0."""
    lies: tuple[Piece, ...]
    """What lies there, the lowest first."""
    lifts: tuple[int, ...] = ()
    """Which of it this seat may pick up, counted from 1."""
    welcome: bool = False
    """Whether what the fingers hold is expected here now."""
    wanted: tuple[int, ...] = ()
    """Which of it the game expects this seat to pick up now."""


class Faults(msgspec.Struct, frozen=True):
    """What is broken on purpose: readers' cables by place, frames lost in percent, places whose
    uppermost card bears a second sticker, seats whose button chatters."""

    cable: tuple[int, ...] = ()
    frames: int = 0
    stack: tuple[int, ...] = ()
    bounce: tuple[int, ...] = ()


class Pieces(Protocol):
    """The pieces of a simulated table, moved as free hands move them, right or wrong."""

    def visible_spots(self, seat: int) -> Sequence[Spot]:
        """What the eyes of a seat see of the pieces; the last spots are its fingers and aside."""
        ...

    def lift_piece(self, seat: int, spot: str, n: int) -> Refusal | None:
        """Pick up the nth piece there."""
        ...

    def put_down(self, seat: int, spot: str) -> Refusal | None:
        """Put down there what the fingers hold."""
        ...

    def turn_over(self, seat: int, spot: str, n: int) -> Refusal | None:
        """Lift the nth piece there, turn it over, and put it back."""
        ...

    def press_button(self, seat: int, held: bool) -> Refusal | None:
        """Press the button of a seat, or hold it down."""
        ...

    def deal_again(self) -> Refusal | None:
        """Clear the table and begin another game, once the last one is over."""
        ...

    def begin_with_bots(self, game: str) -> Refusal | None:
        """Begin a game of this box, with bots round those who sit here."""
        ...

    def change_game(self, game: str, seats: int) -> Refusal | None:
        """End the game that is under way, and begin this one with so many players."""
        ...

    # What goes wrong, and who else plays.

    @property
    def faults(self) -> Faults:
        """What is broken on purpose just now."""
        ...

    def switch_fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        """Break something on purpose, or mend it."""
        ...

    @property
    def pace(self) -> Pace:
        """How fast the bots play."""
        ...

    def set_pace(self, pace: Pace) -> None:
        """Have the bots play so fast."""
        ...

    def played_by_bots(self) -> Sequence[int]:
        """The seats that bots play."""
        ...

    def leave_seat(self, seat: int) -> None:
        """Nobody sits there any more: a bot plays on."""
        ...

    def game_sizes(self) -> Mapping[str, tuple[int, int]]:
        """Every game that can be laid out, with the least and the most players."""
        ...


class Demo(Protocol):
    """What the table screen shows while nobody is at the table; no other page shows it."""

    def scene(self) -> Scene | None:
        """The moment of a recorded evening that is shown now; None while the table itself is."""
        ...

    def is_due(self) -> bool:
        """Whether the table is put away in a moment, if nobody does anything."""
        ...

    def note_visitor(self) -> None:
        """Somebody is here: they came to a page, or asked for something."""
        ...


class AppContext(msgspec.Struct, eq=False):
    """One table and those who sit at it; `pieces` only where the table is simulated.

    Without a `house` there is no host: nothing is decided in the browser about the whole table.
    """

    table: Table
    seats: Seats = msgspec.field(default_factory=Seats)
    pieces: Pieces | None = None
    host: House | None = None
    language: str = "en"
    """The language of whoever chose none, the table screen above all; the host may change it."""
    addresses: Callable[[], Sequence[str]] = tuple
    """What to type to get here, by number first; it changes with the networks."""
    wifi: Wifi | None = None
    """The Wi-Fi of the table's own, while it is switched on; it changes too."""
    idempotency: IdempotencyCache = msgspec.field(default_factory=IdempotencyCache)
    host_sessions: HostSessions | None = None
    demo: Demo | None = None
    backups: Safe | None = None
    """Where backups come from; it has one where it has a house."""
    setup: FirstStart | None = None
    """The first start of a real table, or of a rehearsal."""
    on_language: Callable[[str], None] = lambda _language: None
    """Told when the host has chosen another language."""

    def __post_init__(self) -> None:
        """A house is known by its PIN."""
        self.host_sessions = HostSessions(self.host.pin) if self.host else None

    @property
    def game(self) -> str:
        """The game that is played here, by name."""
        return self.table.rules.box.game

    def set_language(self, language: str) -> None:
        """Have the table speak this language from now on."""
        self.language = language
        self.on_language(language)
        self.table.notify_watchers()

    def demo_scene(self, page: str) -> Scene | None:
        """The moment of a recorded evening that this page shows, if it shows one now."""
        return self.demo.scene() if self.demo is not None and page == "table" else None

    def is_demo_due(self) -> bool:
        """Whether the table is put away in a moment, and the demo plays."""
        return self.demo is not None and self.demo.is_due()

    def note_visitor(self) -> None:
        """Somebody is here: where a demo plays, it gives way."""
        if self.demo is not None:
            self.demo.note_visitor()

    @property
    def is_simulated(self) -> bool:
        """Whether the pieces are no real ones: then they have a page, on which they are moved."""
        return self.pieces is not None


def current_context() -> AppContext:
    """The room that this request came into."""
    found: AppContext = current_app.extensions[CONTEXT_KEY]
    return found


def require_host() -> House:
    """Who decides about the whole table; there is no such page where nobody is at home."""
    return current_context().host or abort(404)


def require_backups() -> Safe:
    """Where backups come from; there is no such page where there is none."""
    return current_context().backups or abort(404)
