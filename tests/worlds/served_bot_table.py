"""A simulated table with bots in all seats but one, and its pages at an address.

Law: a bot acts when the test lets it, and on the test's own thread; the pages are served for real.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from companion.app.default_players import NAMES
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup as Sitting
from companion.app.simulated.simulation import build_simulation
from companion.backup.service import Backups, TableFolder
from companion.games import make_rulebook
from companion.host.settings import TableSettings
from companion.journal import Journal
from companion.privacy.names import Names
from companion.seating.seats import Seats
from companion.table.view import View
from hardware.simulator.hands_on_table import StillClock
from tests.worlds.left_open import closed_later
from tests.worlds.presence_profile import presence_profile
from tests.worlds.served_app import Served
from tests.worlds.visitor import UNHURRIED
from web.app import create_app
from web.context import AppContext

PATIENCE = 1_500


class Company:
    """One simulated table, dealt, and its pages at an address.

    Bots play every seat but `persons_seat`, whoever looks at the phone of that seat.
    """

    def __init__(
        self,
        path: Path,
        game: str,
        persons_seat: int = 0,
        language: str = "en",
        players: Sequence[str] = NAMES[:4],
    ) -> None:
        self.journal = closed_later(Journal(path))
        room, sitting = (
            SimulatedRoom(presence_profile(), StillClock(), air="ideal"),
            Sitting(players, 7, persons_seat),
        )
        names = Names()  # Of both: the phones know who sits where, and bots play on.
        self.evening = build_simulation(
            make_rulebook(game), self.journal, room, sitting, Seats(names=names, open_house=True)
        )
        self.evening.bots.deal_again()
        seats = Seats(names=names, open_house=True)
        there, table = TableFolder(path.parent, None, {}, {}), self.evening.host.table
        self.safe = Backups(there, lambda: table.history.is_over, table.notify_watchers)
        self.room = AppContext(
            self.evening.host.table,
            seats,
            self.evening.controls,
            self.evening.host,
            settings=TableSettings(language=language),
            backups=self.safe,
        )
        self._served = Served(create_app(self.room, limits=UNHURRIED))
        self.address = self._served.address

    def view(self, seat: int = 0) -> View:
        view = self.evening.host.table.view(seat)
        assert view is not None
        return view

    def until(self, agreed: Callable[[View], bool]) -> View:
        """Bots act until it is so."""
        for _ in range(PATIENCE):
            self.evening.source.poll()
            if agreed(self.view()):
                return self.view()
            assert self.evening.bots.play_one(), self.view().public.now
        raise AssertionError("this never comes")

    def shut(self) -> None:
        """Everyone goes home."""
        self._served.shut()
        self.evening.source.close()
        self.evening.host.table.close()
