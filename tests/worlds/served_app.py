"""A real server in a thread, for an app that browsers visit."""

import asyncio
from threading import Event, Thread

from flask import Flask

from web.server.server import Server
from web.server.sockets import bind_sockets

PORT = 18_600
"""This or the next one that is free."""


class Served:
    """Pages at an `address`, for real browsers."""

    def __init__(self, app: Flask) -> None:
        self._app, self._sockets = app, bind_sockets(PORT)
        self._serving = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()))
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
