"""A table without readers, whose game begins when the test says so, and its pages at an address."""

from pathlib import Path
from random import Random
from typing import Any

from companion.core.events import Event
from tests.worlds.named_keys import named_seats
from tests.worlds.phone_players import Phones
from tests.worlds.served_app import Served
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext

MOST = 3_000
"""Requests in a game."""


class PhoneTable(Watched):
    """Everything is tapped; players of the test tap all that the browser under test does not."""

    def __init__(self, path: Path, game: str, seats: int = 3) -> None:
        super().__init__(path, game, seats, readers=())
        self.players = Phones(self, Random(game))
        self.room = AppContext(self.table, named_seats(open_house=True))
        self._served = Served(create_app(self.room))
        self.address = self._served.address

    def begin(self) -> None:
        """Not yet: see `start`."""

    def start(self) -> None:
        """The game begins."""
        super().begin()

    def play_until(self, *phases: str) -> None:
        """All play on to one of these phases."""
        for _ in range(MOST):
            if self.state.phase in phases:
                return
            assert self.players.step() is None
        raise AssertionError("this never comes")

    def play_until_verdict(self) -> None:
        """All play on until it is decided."""
        while self.state.verdict is None:
            assert self.players.step() is None

    def others_play(self, seat: int, phase: str) -> None:
        """All but this seat do what they are waited for in this phase."""
        for _ in range(MOST):
            if self.state.phase != phase or not self.others_act(seat):
                return
        raise AssertionError("this phase does not end")

    def others_act(self, seat: int) -> bool:
        """One of the others does what is waited for; whether there was anything."""
        view: Any = self.table.view()
        if set(view.public.waiting) <= {seat}:
            return False
        who, event = self._next(without=seat)
        self.do(who, event)
        return True

    def _next(self, without: int) -> tuple[int, Event]:
        offers = [(seat, may) for seat, may in self.players.offers() if seat != without]
        who, may = self.players.random.choice(offers)
        return who, self.players.make(who, may)

    def shut(self) -> None:
        """Everyone goes home."""
        self._served.shut()
        self.table.close()
