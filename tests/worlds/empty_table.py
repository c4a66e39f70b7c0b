"""A table without a game, its seats, and a clock that only the test moves."""

from collections.abc import Sequence
from pathlib import Path

from companion.core.deck import Deck
from companion.games import make_rulebook
from companion.host.settings import TableSettings
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table
from tests.worlds.left_open import closed_later
from tests.worlds.visitor import UNHURRIED, PlacedMachine, Visitor
from web.app import create_app
from web.context import AppContext

NAMES = ("Ana", "Ben", "Cleo")
RULES = make_rulebook("bankueberfall")


class Hall:
    """Where people come in; a game begins when the test says so."""

    def __init__(
        self,
        path: Path,
        open_house: bool = False,
        language: str = "en",
        addresses: Sequence[str] = (),
    ) -> None:
        self.now = 0.0
        self.journal = closed_later(Journal(path))
        self.table = Table(RULES, self.journal, Deck({}), lambda: self.now)
        self.seats = Seats(open_house=open_house, clock=lambda: self.now)
        self.app = create_app(
            AppContext(
                self.table,
                self.seats,
                settings=TableSettings(language=language),
                machine=PlacedMachine(*addresses),
            ),
            limits=UNHURRIED,
        )

    def begin(self, players: Sequence[str] = NAMES) -> None:
        """A game begins."""
        named = ((seat, name, "") for seat, name in enumerate(players, 1))
        self.seats.names.keep_names("hall", named)
        started = RULES.make_start_event("hall", len(players))
        assert self.table.start(started, HOST_AUTHOR) is None

    def guest(self, name: str = "") -> Visitor:
        """Somebody comes in with a browser; with a name they wait for a seat."""
        visitor = Visitor(self.app)
        visitor.get("/")
        if name:
            assert visitor.post("/api/join/guests", name=name).status_code < 400
        return visitor
