"""A house: the pages of a table that the test itself holds in its hands, served for real."""

import asyncio
from pathlib import Path
from threading import Event, Thread

from tests.watched import Watched
from web import Room, create_app
from web.seats import Seats
from web.server import Server, sockets_from


class House(Watched):
    """One table with readers, and its pages at an address."""

    def __init__(self, path: Path, language: str = "en", seats: int = 3) -> None:
        super().__init__(path, seats=seats)
        self._language = language
        self._sockets = sockets_from(18_600)
        self._serving = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        self._serving.wait()

    async def _serve(self) -> None:
        app = create_app(Room(self.table, Seats(open_house=True), language=self._language))
        server = Server(app, self._sockets)
        self.address = f"http://localhost:{server.port}"
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        self._serving.set()
        await self._closing.wait()
        await server.stop()

    def shut(self) -> None:
        """Everyone goes home."""
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()
        self.journal.close()
