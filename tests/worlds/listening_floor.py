"""A floor that hears a broker, on a loop and thread of its own, without a page."""

import asyncio
import threading
import time
from contextlib import suppress

from companion.app.floor.hearing import BrokerEar
from companion.floor.broker import parse_broker
from companion.floor.tiles import FloorTiles


class ListeningFloor:
    """Its tiles are read from the thread of the test."""

    def __init__(self, address: str) -> None:
        self._address, self._ready = address, threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._ready.wait(30)

    def look(self, table: str) -> str:
        """Return how a table looks; empty while it is unknown."""
        with suppress(KeyError):  # Unknown, or forgotten just now.
            return self.tiles.look_of(self.tiles[table])
        return ""

    def phase(self, table: str) -> str:
        with suppress(KeyError):
            return self.tiles[table].state.phase
        return ""

    def forget_table(self, table: str) -> None:
        """Forget a table as its page does: here, and at the broker."""

        def forget() -> None:
            self.tiles.forget_table(table)
            self._ear.forget_table(table)

        self._loop.call_soon_threadsafe(forget)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())

    async def _listen(self) -> None:
        self._stop, self.tiles = asyncio.Event(), FloorTiles(time.monotonic)
        self._ear = BrokerEar(parse_broker(self._address), self.tiles, "floor")
        self._ear.start()
        self._ready.set()
        await self._stop.wait()
        self._ear.close()
