"""The context of a request: the table, its seats and the services that pages ask.

Law: pages know the table through its views and its permissions. They import no hardware and no
command line; what is built of both is handed in here, and a physical table loads no simulator.
"""

from typing import TYPE_CHECKING

from flask import abort, current_app
from msgspec.structs import replace

from companion.backup.service import Backups
from companion.floor import TableOnFloor
from companion.host.demo import DemoLoop, DemoScene
from companion.host.host import Host
from companion.host.name_keeping import NameKeeping
from companion.host.settings import FloorPlace, TableSettings
from companion.hotspot.machine import Machine
from companion.seating.identity import IdentityStore
from companion.seating.seats import Seats
from companion.table.table import Table
from companion.table.telling import TellingClock
from companion.table.wishes import SeatWishes
from web.browsers import Browsers

if TYPE_CHECKING:
    from companion.app.setup.wizard import SetupWizard
    from companion.app.simulated.simulation import Simulation

CONTEXT_KEY = "companion"


class AppContext:
    """One table, its seats, and their services for pages.

    There is a `simulation` only where the pieces are simulated, and a `setup` only where they are
    not. Without a `host` nothing is decided in the browser about the whole table. Without `names`
    names are kept in memory alone.
    """

    def __init__(  # noqa: PLR0913
        self,
        table: Table,
        seats: Seats | None = None,
        simulation: "Simulation | None" = None,
        host: Host | None = None,
        *,
        settings: TableSettings | None = None,
        identity: IdentityStore | None = None,
        machine: Machine | None = None,
        demo: DemoLoop | None = None,
        floor: TableOnFloor | None = None,
        names: NameKeeping | None = None,
        backups: Backups | None = None,
        setup: "SetupWizard | None" = None,
    ) -> None:
        self.table, self.simulation, self.host = table, simulation, host
        self.seats = Seats() if seats is None else seats
        self.settings = settings or TableSettings()
        self.machine = machine or Machine()
        self.floor = floor or TableOnFloor(self.settings)
        self.demo, self.names, self.backups, self.setup = demo, names, backups, setup
        sessions = None if host is None else host.sessions
        self.browsers = Browsers(identity or IdentityStore(), self.seats, sessions)
        self.wishes = SeatWishes(self.seats.holder_of)
        """Things that the table takes for each seat by itself."""
        if host is not None:
            host.after_reset.append(self.floor.calls.answer)

    @property
    def game(self) -> str:
        """The name of the game that is on the table."""
        return self.table.rules.box.game

    @property
    def is_simulated(self) -> bool:
        """True if the pieces are simulated, and moved on a page."""
        return self.simulation is not None

    # What the host sets, told to all pages; NotWritten if it cannot be kept.

    def set_language(self, language: str) -> None:
        """Change the language of the table."""
        self.settings.set_language(language)
        self.table.notify_watchers()

    @property
    def is_calm(self) -> bool:
        """Whether nothing moves or sounds at this table, and verdicts are told at once."""
        return self.table.telling.is_calm

    def set_calm(self, is_calm: bool) -> None:
        """Make the table calm, or lively again."""

        def follow() -> None:
            for clock in self._telling_clocks():
                clock.set_calm(is_calm)

        self.settings.change(lambda saved: replace(saved, calm=is_calm), follow)
        self.table.notify_watchers()

    def set_shows_names(self, shown: bool) -> None:
        """Show names to everyone, or seats to strangers."""
        self.settings.change(lambda saved: replace(saved, shows_names=shown))
        self.table.notify_watchers()

    def set_place(self, place: FloorPlace) -> None:
        """Give the table its name on the floor."""
        named = {"name": place.name, "place": place.place}
        self.settings.change(lambda saved: replace(saved, **named))
        self.table.notify_watchers()

    # Names.

    def may_see_names(self, browser: str, is_here: bool = False) -> bool:
        """Return whether a viewer sees names: one of the table, the table's own screen (`is_here`),
        or anyone, where the table wants that or keeps none on its disk."""
        if is_here or self.settings.saved.shows_names or self.names is None:
            return True
        return bool(browser) and self.browsers.is_known(browser)

    def shown_names(self, sees_names: bool) -> tuple[str, ...]:
        """Return the names of the game on the table, by seat, as far as a viewer may know them."""
        state = self.table.state
        if state is None or not sees_names:
            return ()
        return self.seats.names.by_game.get(state.id, ())

    # The demo, and how far a verdict is told.

    def demo_scene(self, page: str) -> DemoScene | None:
        """Return the moment of a recorded game that this page shows; None if it shows the table."""
        return self.demo.scene if self.demo is not None and page == "table" else None

    def telling_clock(self, page: str) -> TellingClock:
        """Return the stage of the newest verdict of the game that this page shows."""
        if self.demo is not None and self.demo_scene(page) is not None:
            return self.demo.telling
        return self.table.telling

    def next_telling(self) -> float | None:
        """Return the seconds until more of a verdict is told; None if all is."""
        rests = [each.next_change() for each in self._telling_clocks()]
        return min((rest for rest in rests if rest is not None), default=None)

    def _telling_clocks(self) -> list[TellingClock]:
        return [self.table.telling, *([] if self.demo is None else [self.demo.telling])]

    def note_visitor(self) -> None:
        """Let a demo that plays give way to a person."""
        if self.demo is not None:
            self.demo.note_visitor()


def current_context() -> AppContext:
    """Return the context of the app that handles this request."""
    context: AppContext = current_app.extensions[CONTEXT_KEY]
    return context


def is_calm() -> bool:
    """Return whether the host has made the table calm; no page sounds or moves then."""
    return current_context().is_calm


def require_host() -> Host:
    """Return the host service; 404 where this app runs without one."""
    return current_context().host or abort(404)


def require_backups() -> Backups:
    """Return the backup service; 404 where this app runs without one."""
    return current_context().backups or abort(404)
