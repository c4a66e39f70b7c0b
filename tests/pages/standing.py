"""A table that stands in some state of some game, and its pages, served for real."""

import asyncio
from pathlib import Path
from threading import Event, Thread

from tests.web.campaign import HOST, Campaign, served
from web.server import Server, sockets_from


class Standing:
    """One such table; the browser with this cookie plays from seat 1, and is the host."""

    def __init__(self, path: Path, game: str, state: str) -> None:
        self._app = served(path, game, state)
        self.cookie = Campaign(self._app).cookies(HOST)["companion"]
        self._sockets = sockets_from(18_800)
        self._serving = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        self._serving.wait()

    async def _serve(self) -> None:
        server = Server(self._app, self._sockets)
        self.address = f"http://localhost:{server.port}"
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        self._serving.set()
        await self._closing.wait()
        await server.stop()

    def shut(self) -> None:
        """Everyone goes home."""
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()
