"""One evening of a game, played again on a served table from phase to phase.

Law: a browser of its own sits at every seat; the cookie that is handed out says which one looks.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.journal import Journal
from companion.seating.seats import Seats
from tests.worlds.host_browser import AtHome
from tests.worlds.left_open import closed_later
from tests.worlds.served import Served
from tests.worlds.served_tables import cookie
from tests.worlds.standing_tables import FROZEN, LAST, NEVER, play_on, played, states, table
from tests.worlds.visitor import UNHURRIED
from web.app import create_app
from web.context import AppContext

HOST = "host"


class Evening(Served):
    """A table at which nothing has happened, and its pages at an address."""

    def __init__(self, path: Path, game: str) -> None:
        self.game, self.at, self.is_frozen, self.language = game, 0, False, "en"
        self.table = table(path, game, NEVER)
        self.seats = Seats(open_house=True)
        house = AtHome(self.table, closed_later(Journal(path.with_suffix(".house"))))
        here = self._here = AppContext(
            self.table, self.seats, host=house, backups=house.safe(path.parent)
        )
        self._app = create_app(here, limits=UNHURRIED)
        house.sessions.admit_by_pass(HOST)
        super().__init__(self._app)

    def phases(self) -> Iterator[str]:
        """Play to every state of this game that is worth a look, in order, and call the judge in
        the end; its name."""
        found = {name: at for name, at in states(self.game).items() if name not in LAST}
        del found[NEVER]
        for name, after in sorted(found.items(), key=lambda one: one[1]):
            play_on(self.table, played(self.game).events[self.at : after])
            if not self.at:
                self._sit_down()
            self.at = after
            yield name
        self.is_frozen = self.table.request(*LAST[FROZEN]) is None
        yield FROZEN

    def _sit_down(self) -> None:
        for seat in range(1, len(self.view().public.seats) + 1):
            assert self.seats.take_seat(seat, f"browser {seat}") is None

    def speak(self, code: str) -> None:
        """This is the language of the table from now on."""
        self.language = code
        self._here.set_language(code)

    def view(self) -> Any:
        """What everyone sees."""
        return self.table.view()

    def cookie_of(self, seat: int) -> str:
        """The cookie of the browser at this seat, or of the host."""
        return cookie(self._app, f"browser {seat}" if seat else HOST)
