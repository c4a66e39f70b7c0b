"""A floor that is served on a port of its own, in a thread; tables are told to it by hand."""

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from tornado.httpserver import HTTPServer

from companion.floor.table_state import TableState
from companion.floor.tiles import FloorTiles
from companion.host.pin import Pin
from tests.worlds.host_browser import QUICK_WORK
from web.floor.server import FloorPages
from web.server.server import bind_sockets


class ServedFloor:
    """A floor without a broker: what its tables say is said by the test."""

    def __init__(self, hosts: Sequence[str] = ("localhost", "127.0.0.1")) -> None:
        self.answered: list[str] = []
        self.takes_answers = True
        self.pin = Pin(work=QUICK_WORK)
        self._hosts = hosts
        self._ready, self._loop = threading.Event(), asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self._ready.wait()

    def tell(self, table: str, state: TableState) -> None:
        """Let a table say how it is."""
        self.call(self.tiles.hear_state, table, msgspec.json.encode(state))

    def call(self, function: Any, *facts: Any) -> None:
        """Call a function on the thread of the floor, and wait for it."""
        done = threading.Event()
        self._loop.call_soon_threadsafe(lambda: (function(*facts), done.set()))
        assert done.wait(30)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._stop, self.tiles = asyncio.Event(), FloorTiles(time.monotonic)
        pages = FloorPages(
            self.tiles, self.pin, self._answer, self.tiles.forget, lambda: self._hosts
        )
        server, sockets = HTTPServer(pages.make_application()), bind_sockets(18_900)
        server.add_sockets(sockets)
        self.address = f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
        self._ready.set()
        await self._stop.wait()
        pages.close()
        server.stop()
        await server.close_all_connections()

    async def _answer(self, table: str) -> bool:
        self.answered.append(table)
        return self.takes_answers
