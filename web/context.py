"""The context of a request: the table, its seats and the services that pages ask.

Law: pages know the table through its views and its permissions, and a simulated table through the
Protocols of web.simulation. They import no hardware and no command line; both are handed in here.
"""

from collections.abc import Callable, Sequence

import msgspec
from flask import abort, current_app

from companion.backup.service import BackupService
from companion.host.demo import DemoLoop
from companion.host.demo_scenes import DemoScene
from companion.host.fair_threads import Claimant
from companion.host.host import Host
from companion.host.pin_guesses import LOOPBACK
from companion.hotspot.wifi import Wifi
from companion.identity import IdentityStore
from companion.seating.seats import Seats
from companion.setup import SetupService
from companion.table.table import Table
from web.idempotency import IdempotencyCache
from web.sessions import HostSessions
from web.simulation import SimulationControls
from web.sources import source_of

CONTEXT_KEY = "companion"


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
    """The language where none was chosen, as on the table screen; the host may change it."""
    addresses: Callable[[], Sequence[str]] = tuple
    """Returns what to type to get here, by number first; it changes with the networks."""
    wifi: Wifi | None = None
    """The Wi-Fi of the table's own, while it is switched on; it changes too."""
    idempotency: IdempotencyCache = msgspec.field(default_factory=IdempotencyCache)
    identity: IdentityStore = msgspec.field(default_factory=IdentityStore)
    """Which browser is which; in memory where nothing is to outlive this process."""
    host_sessions: HostSessions | None = None
    demo: DemoLoop | None = None
    backups: BackupService | None = None
    setup: SetupService | None = None
    """The setup wizard of a physical table, or of a rehearsal."""
    on_language: Callable[[str], None] = lambda _language: None
    """Called when the host has chosen another language."""

    def __post_init__(self) -> None:
        """Make the sessions of the host, who is known by the PIN."""
        self.host_sessions = HostSessions(self.host.pin) if self.host else None

    @property
    def game(self) -> str:
        """The name of the game that is on the table."""
        return self.table.rules.box.game

    def set_language(self, language: str) -> None:
        """Change the language of the table, and tell all pages; NotWritten on a full disk."""
        self.on_language(language)
        self.language = language
        self.table.notify_watchers()

    def set_wifi(self, wifi: Wifi | None) -> None:
        """Show this Wi-Fi from now on, and tell all pages."""
        self.wifi = wifi
        self.table.notify_watchers()

    def demo_scene(self, page: str) -> DemoScene | None:
        """Return the moment of a recorded game that this page shows; None if it shows the table."""
        return self.demo.current_scene() if self.demo is not None and page == "table" else None

    def is_demo_due(self) -> bool:
        """Check whether the table is put away in a moment, for the demo to play."""
        return self.demo is not None and self.demo.is_due()

    def note_visitor(self) -> None:
        """Let a demo that plays give way to a person."""
        if self.demo is not None:
            self.demo.note_visitor()

    def find_claimant(self, browser: str, address: str) -> Claimant:
        """Return whom a request counts for: a known browser, else the source of its address."""
        source = source_of(address)
        if browser and self._is_known_browser(browser):
            return Claimant(f"browser {browser}", is_known=True)
        return Claimant(source, is_known=source == LOOPBACK)

    def _is_known_browser(self, browser: str) -> bool:
        """Check that a browser has a seat, moves the pieces of one, or is signed in as host.

        That the identity store has a row for it is not enough: every visitor can come to have one.
        """
        plays = self.seats.seats_of(browser) or self.seats.seats_moved_by(browser)
        sessions = self.host_sessions
        return bool(plays) or (sessions is not None and sessions.is_signed_in(browser))

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


def require_backups() -> BackupService:
    """Return the backup service; 404 where this app runs without one."""
    return current_context().backups or abort(404)
