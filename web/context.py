"""The context of a request: the table, its seats and the services that pages ask.

Law: pages know the table through its views and its permissions, and a simulated table through the
Protocols of web.simulation. They import no hardware and no command line; both are handed in here.
"""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Literal

import msgspec
from flask import abort, current_app

from companion.backup.service import Backups
from companion.floor.table_on_floor import FloorPlace, TableOnFloor
from companion.host.demo import DemoLoop
from companion.host.demo_scenes import DemoScene
from companion.host.host import Host
from companion.host.name_keeping import NameKeeping
from companion.hotspot.machine import Machine
from companion.hotspot.wifi import Wifi
from companion.identity import IdentityStore
from companion.identity.browser_keys import Attempts, BrowserKeys
from companion.seating.seats import Seats
from companion.setup.steps import SetupService
from companion.table.table import Table
from companion.table.telling import TellingClock
from companion.table.wishes import SeatWishes
from web.idempotency import IdempotencyCache
from web.simulation import SimulationControls
from web.sources import LOOPBACK, Client, source_of

CONTEXT_KEY = "companion"
Who = Literal["anyone", "seat", "hands", "host"]
"""Whom an operation is for: one that holds the seat, one that moves its pieces, the host."""
MAX_SOURCES = 4
"""Sources of one browser that are remembered: its networks, and both kinds of addresses."""
MAX_SIGNERS = 64
"""Browsers whose sources are remembered before those are dropped that are not known any more."""


class Denial(msgspec.Struct, frozen=True):
    """That a browser may not do something, by the code of the reason."""

    code: str


class AppContext(msgspec.Struct, eq=False):
    """One table, its seats, and what pages may ask of it.

    There is a `simulation` only where the pieces are simulated. Without a `host` nothing is decided
    in the browser about the whole table.
    """

    table: Table
    seats: Seats = msgspec.field(default_factory=Seats)
    simulation: SimulationControls | None = None
    host: Host | None = None
    language: str = "en"
    """The language of the table screen, and of a browser that neither chose nor asks for one."""
    asks_browser: bool = True
    """Whether a page is in the language that its browser asks for; the table screen never is."""
    addresses: Callable[[], Sequence[str]] = tuple
    """Returns what to type to get here, by number first; it changes with the networks."""
    wifi: Wifi | None = None
    """The Wi-Fi of the table's own, while it is switched on; it changes too."""
    idempotency: IdempotencyCache = msgspec.field(default_factory=IdempotencyCache)
    identity: IdentityStore = msgspec.field(default_factory=IdentityStore)
    """Which browser is which; in memory where nothing is to outlive this process."""
    browser_keys: BrowserKeys = msgspec.field(default_factory=lambda: BrowserKeys(IdentityStore()))
    """The keys in `identity`, with which browsers sign what they write."""
    attempts: Attempts = msgspec.field(default_factory=Attempts)
    """The number of this start, and what was signed with it."""
    signed_from: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The sources from which known browsers have signed something, the newest first."""
    wishes: SeatWishes = msgspec.field(default_factory=SeatWishes)
    """What the table takes for each seat by itself."""
    demo: DemoLoop | None = None
    shows_names: bool = False
    """Whether the table wants its names shown to everyone in the network."""
    on_names: Callable[[bool], None] = lambda _shown: None
    """Called when the host has chosen that; NotWritten if it cannot be kept."""
    names: NameKeeping | None = None
    """How long names are kept, and how they are erased; None where they are kept in memory only."""
    backups: Backups | None = None
    machine: Machine | None = None
    """Its power and Wi-Fi; None at a table that does not run as a service."""
    setup: SetupService | None = None
    """The setup wizard of a physical table."""
    on_language: Callable[[str], None] = lambda _language: None
    """Called when the host has chosen another language; NotWritten if it cannot be kept."""
    on_calm: Callable[[bool], None] = lambda _is_calm: None
    """Called when the host has made the table calm, or lively again; the same."""
    floor: TableOnFloor = msgspec.field(default_factory=TableOnFloor)
    """What this table is on the floor of many tables."""
    on_place: Callable[[FloorPlace], None] = lambda _place: None
    """Called when the host has named the table; the same."""
    settings_lock: Any = msgspec.field(default_factory=Lock)
    """Held while a setting is kept and taken into use, so that both are in the same order."""

    def __post_init__(self) -> None:
        """Make the keys of the browsers, and the wishes of those that hold seats."""
        self.browser_keys = BrowserKeys(self.identity)
        self.wishes = SeatWishes(self.seats.holder_of)
        if self.host is not None:
            self.host.call_after_reset(self.floor.calls.answer)

    @property
    def game(self) -> str:
        """The name of the game that is on the table."""
        return self.table.rules.box.game

    def set_language(self, language: str) -> None:
        """Change the language of the table, and tell all pages; NotWritten on a full disk."""
        with self.settings_lock:
            self.on_language(language)
            self.language = language
        self.table.notify_watchers()

    @property
    def is_calm(self) -> bool:
        """Whether nothing moves or sounds at this table, and verdicts are told at once."""
        return self.table.telling.is_calm

    def set_calm(self, is_calm: bool) -> None:
        """Make the table calm, or lively again, and tell all pages; NotWritten on a full disk."""
        clocks = [self.table.telling, *([] if self.demo is None else [self.demo.telling])]
        with self.settings_lock:
            self.on_calm(is_calm)
            for clock in clocks:
                clock.is_calm = is_calm
        for clock in clocks if is_calm else ():
            clock.skip()
        self.table.notify_watchers()

    def set_shows_names(self, shown: bool) -> None:
        """Show names to everyone, or seats to strangers; NotWritten on a full disk."""
        with self.settings_lock:
            self.on_names(shown)
            self.shows_names = shown
        self.table.notify_watchers()

    def may_see_names(self, browser: str, is_here: bool = False) -> bool:
        """Return whether a viewer sees names: one of the table, the table's own screen (`is_here`),
        or anyone, where the table wants that or keeps none on its disk."""
        if is_here or self.shows_names or self.names is None:
            return True
        return bool(browser) and self.is_known_browser(browser)

    def shown_names(self, sees_names: bool) -> tuple[str, ...]:
        """Return the names of the game on the table, by seat, as far as a viewer may know them."""
        state = self.table.state
        return self.seats.names.names_of(state.id) if sees_names and state is not None else ()

    def set_place(self, place: FloorPlace) -> None:
        """Give the table its name on the floor, and tell all pages; NotWritten on a full disk."""
        with self.settings_lock:
            self.on_place(place)
            self.floor.place = place
        self.table.notify_watchers()

    def set_wifi(self, wifi: Wifi | None) -> None:
        """Show this Wi-Fi from now on, and tell all pages."""
        self.wifi = wifi
        self.table.notify_watchers()

    def demo_scene(self, page: str) -> DemoScene | None:
        """Return the moment of a recorded game that this page shows; None if it shows the table."""
        return self.demo.current_scene() if self.demo is not None and page == "table" else None

    def telling_clock(self, page: str) -> TellingClock:
        """Return how far the newest verdict is told of the game that this page shows."""
        if self.demo is not None and self.demo_scene(page) is not None:
            return self.demo.telling
        return self.table.telling

    def next_telling(self) -> float | None:
        """Return the seconds until more of a verdict is told; None if all is."""
        clocks = [self.table.telling, *([] if self.demo is None else [self.demo.telling])]
        rests = [each.next_change() for each in clocks]
        return min((rest for rest in rests if rest is not None), default=None)

    def is_demo_due(self) -> bool:
        """Check whether the table is put away in a moment, for the demo to play."""
        return self.demo is not None and self.demo.is_due()

    def note_visitor(self) -> None:
        """Let a demo that plays give way to a person."""
        if self.demo is not None:
            self.demo.note_visitor()

    def find_client(self, browser: str, address: str) -> Client:
        """Return whom a request counts for: a known browser, else the source of its address.

        A known browser that has signed counts only where it did: a copy of its cookie that comes
        from elsewhere takes nothing of its share.
        """
        source = source_of(address)
        is_here = source in self.signed_from.get(browser, (source,))
        if browser and is_here and self.is_known_browser(browser):
            return Client(f"browser {browser}", comes_first=True)
        return Client(source, comes_first=source == LOOPBACK)

    def find_denial(self, who: Who, browser: str, seat: int) -> Denial | None:
        """Return why this browser may not do this; None if it may."""
        if seat:
            self.seats.note_heard(browser)
        if who == "seat" and not self.seats.holds_seat(browser, seat):
            return Denial("not_your_seat")
        if who == "hands" and not self.seats.may_move(browser, seat):
            return Denial("not_your_seat")
        if who == "host" and not self.is_host(browser):
            return Denial("not_host")
        return None

    def note_signed(self, browser: str, address: str) -> None:
        """Remember that a browser signed something that came from this address."""
        source, before = source_of(address), self.signed_from.get(browser, ())
        if before[:1] == (source,) or not self.is_known_browser(browser):
            return
        others = tuple(other for other in before if other != source)
        self.signed_from[browser] = (source, *others)[:MAX_SOURCES]
        if len(self.signed_from) > MAX_SIGNERS:
            kept = list(self.signed_from.items())  # Other threads add to it.
            self.signed_from = {each: s for each, s in kept if self.is_known_browser(each)}

    def is_known_browser(self, browser: str) -> bool:
        """Check that a browser has a seat, moves the pieces of one, or is signed in as host.

        That the identity store has a row for it is not enough: every visitor can come to have one.
        """
        plays = self.seats.seats_of(browser) or self.seats.seats_moved_by(browser)
        return bool(plays) or self.is_host(browser)

    def is_host(self, browser: str) -> bool:
        """Check that a browser is a host's."""
        return self.host is not None and self.host.sessions.is_host(browser)

    @property
    def is_simulated(self) -> bool:
        """True if the pieces are simulated, and moved on a page."""
        return self.simulation is not None


def current_context() -> AppContext:
    """Return the context of the app that handles this request."""
    context: AppContext = current_app.extensions[CONTEXT_KEY]
    return context


def require_host() -> Host:
    """Return the host service; 404 where this app runs without one."""
    return current_context().host or abort(404)


def require_backups() -> Backups:
    """Return the backup service; 404 where this app runs without one."""
    return current_context().backups or abort(404)
