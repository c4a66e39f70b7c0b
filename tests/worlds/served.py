"""Tables with their pages at an address, for real browsers: a server in a thread, and an app.

Law: a bot acts when the test lets it, and on the test's own thread; the pages are served for real.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask

from companion.app.default_players import NAMES
from companion.backup.service import BackedFolder, Backups
from companion.core.events import Event
from companion.games.new_game import NewGame
from companion.host.settings import TableSettings
from companion.journal import Journal
from companion.seating.names import Names
from companion.seating.seats import Seats
from companion.table.view import View
from tests.worlds.demo_table import QuietTable
from tests.worlds.event_story import named_seats
from tests.worlds.fresh_table import Fresh
from tests.worlds.left_open import closed_later
from tests.worlds.named_table import NamedTable
from tests.worlds.phone_players import Phones
from tests.worlds.simulated_hands import presence_profile, simulated
from tests.worlds.standing_tables import host_cookie, served
from tests.worlds.visitor import UNHURRIED
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext
from web.server.server import Server
from web.server.sockets import bind_sockets

PORT = 18_600
"""This or the next one that is free."""


class Served:
    """Pages at an `address`, for real browsers."""

    def __init__(self, app: Flask) -> None:
        self._app, self._sockets = app, bind_sockets(PORT)
        self._serving = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        self._serving.wait()

    async def _serve(self) -> None:
        server = Server(self._app, self._sockets)
        self.address = f"http://localhost:{server.port}"
        self.loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        self._serving.set()
        await self._closing.wait()
        await server.stop()

    def shut(self) -> None:
        """Nobody is served any more."""
        self.loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()


class AtAddress:
    """Pages of an app at an `address`, until they are shut."""

    def serve(self, app: Flask, *leaves: Callable[[], object]) -> None:
        """Serve these pages from now on; at the end everyone leaves so."""
        self._served, self._leaves = Served(app), leaves
        self.address = self._served.address

    def shut(self) -> None:
        """Everyone goes home."""
        self._served.shut()
        for leave in self._leaves:
            leave()


PATIENCE = 1_500


class Company(AtAddress):
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
        names = Names()  # Of both: the phones know who sits where, and bots play on.
        self.evening = simulated(
            self.journal,
            game,
            Seats(names=names, open_house=True),
            players,
            persons_seat=persons_seat,
            wiring=presence_profile(),
            air="ideal",
        )
        self.evening.host.begin_game(NewGame(game, tuple(players)))
        seats = Seats(names=names, open_house=True)
        there, table = BackedFolder(path.parent, None, {}, {}), self.evening.host.table
        self.safe = Backups(there, lambda: table.history.is_over, table.notify_watchers)
        self.room = AppContext(
            self.evening.host.table,
            seats,
            self.evening,
            self.evening.host,
            settings=TableSettings(language=language),
            backups=self.safe,
        )
        app = create_app(self.room, limits=UNHURRIED)
        self.serve(app, self.evening.source.wires.close, table.close)

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


MOST = 3_000
"""Requests in a game."""


class PhoneTable(AtAddress, Watched):
    """Everything is tapped; players of the test tap all that the browser under test does not."""

    def __init__(self, path: Path, game: str, seats: int = 3) -> None:
        super().__init__(path, game, seats, readers=())
        self.players = Phones(self, Random(game))
        self.room = AppContext(self.table, named_seats(open_house=True))
        self.serve(create_app(self.room), self.table.close)

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


class ServedDemo(AtAddress, QuietTable):
    """People come in with real browsers."""

    def __init__(self, path: Path, **how: str) -> None:
        super().__init__(path, **how)
        self.serve(self.app, lambda: QuietTable.shut(self))


class Hall(AtAddress, NamedTable):
    """Where people come in with real browsers, before the first game."""

    def __init__(self, path: Path) -> None:
        folder = path.with_suffix("")
        folder.mkdir()
        super().__init__(folder)
        self.serve(self.app, lambda: NamedTable.close(self))


class Workshop(AtAddress, Fresh):
    """Where a table is set up with a real browser; its hand moves when the test lets time pass."""

    def __init__(self, path: Path, **how: str) -> None:
        folder = path.with_suffix("")
        folder.mkdir()
        super().__init__(folder, **how)
        self.serve(self.app, lambda: Fresh.shut(self))


class Standing(Served):
    """One such table; the browser with this cookie plays from seat 1, and is the host."""

    def __init__(self, path: Path, game: str, state: str) -> None:
        app = served(path, game, state)
        self.cookie = host_cookie(app)
        super().__init__(app)


class House(AtAddress, Watched):
    """One table with readers, and its pages at an address."""

    def __init__(self, path: Path, language: str = "en", seats: int = 3) -> None:
        super().__init__(path, seats=seats)
        settings = TableSettings(language=language)
        self.room = AppContext(self.table, named_seats(open_house=True), settings=settings)
        self.serve(create_app(self.room), self.table.close)
