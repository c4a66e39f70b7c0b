"""A simulated table in company: a person's phone in a real browser, and bots in the other seats.

Law: a bot acts when the test lets it, and on the test's own thread; the pages are served for real.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Thread

import web
from companion.cli.evening import NAMES, Evening, Room
from companion.cli.evening import Company as Sitting
from companion.games import rulebook
from companion.journal import Journal
from companion.view import View
from hardware.simulator.tabletop import Still
from web.seats import Seats
from web.server import Server, sockets_from

PATIENCE = 500


class Company:
    """One simulated table, dealt, and its pages at an address.

    Bots play every seat but `yours`, whoever looks at the phone of that seat.
    """

    def __init__(
        self,
        path: Path,
        game: str,
        yours: int = 0,
        language: str = "en",
        players: Sequence[str] = NAMES[:4],
    ) -> None:
        self.journal = Journal(path)
        room, sitting = Room(pace=Still()), Sitting(players, 7, yours)
        self.evening = Evening(rulebook(game), self.journal, room, sitting, Seats(open_house=True))
        self.evening.deal()
        self._language, self._sockets = language, sockets_from(18_700)
        self._serving = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        self._serving.wait()

    async def _serve(self) -> None:
        app = web.create_app(
            web.Room(
                self.evening.table,
                Seats(open_house=True),
                self.evening,
                house=self.evening,
                language=self._language,
            )
        )
        server = Server(app, self._sockets)
        self.address = f"http://localhost:{server.port}"
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        self._serving.set()
        await self._closing.wait()
        await server.stop()

    def view(self, seat: int = 0) -> View:
        view = self.evening.table.view(seat)
        assert view is not None
        return view

    def until(self, agreed: Callable[[View], bool]) -> View:
        """Bots act until it is so."""
        for _ in range(PATIENCE):
            self.evening.turn()
            if agreed(self.view()):
                return self.view()
            assert self.evening.let_a_bot_act(), self.view().public.now
        raise AssertionError("this never comes")

    def shut(self) -> None:
        """Everyone goes home."""
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()
        self.evening.close()
        self.journal.close()
