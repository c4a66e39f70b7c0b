"""The tiles of a floor as a stream: all of them first, then each that changes.

Laws: a tile that changes is sent at once, to each viewer in its language, and of one tile only the
newest. A viewer that takes nothing is dropped, and one that is no longer let in hears nothing more.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence

import msgspec
from tornado.http1connection import HTTP1Connection
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError

from web.floor import drawing
from web.floor.server import FloorHandler, FloorPages, FloorRoute

BEAT = 4.0
MOST_WAITING = 200
"""Tiles that may wait for a viewer; one that is slower begins anew with all of them."""
MOST_VIEWERS = 60
TAKEN_WITHIN = 20.0
"""Seconds after which a viewer is dropped that does not take what waits: at most all tiles."""
_encode = msgspec.json.Encoder().encode


def stream_routes(pages: FloorPages, taken_within: float = TAKEN_WITHIN) -> Sequence[FloorRoute]:
    """Return who answers the address of the stream, and drops who takes nothing for so long."""
    facts: dict[str, object] = {"pages": pages, "taken_within": taken_within}
    return [(r"/stream", FloorStreamHandler, facts)]


class FloorStreamHandler(FloorHandler):
    """One viewer."""

    def initialize(self, pages: FloorPages, taken_within: float = TAKEN_WITHIN) -> None:
        super().initialize(pages)
        self._taken_within = taken_within

    async def get(self) -> None:
        """Stream until the viewer leaves or is too slow."""
        self.require_pin()
        if len(self.pages.viewers) >= MOST_VIEWERS:
            self._make_room()
        self._changed, self._wake, self._ends = dict[str, None](), asyncio.Event(), False
        self.set_header("Content-Type", "text/event-stream")
        connection = self.request.connection
        assert isinstance(connection, HTTP1Connection)
        # Else a change may wait until the viewer's machine has confirmed the one before it.
        connection.stream.set_nodelay(True)
        self.pages.viewers[self] = None
        try:
            await self._send_all()
            while not self._ends:
                await self._send_news()
        except StreamClosedError:
            pass
        finally:
            self.pages.viewers.pop(self, None)

    def on_connection_close(self) -> None:
        self.end()

    def _make_room(self) -> None:
        """End the oldest stream of the source that has the most, as one guest with a copied cookie
        could take every place; raise 503 if each source has one."""
        viewers = self.pages.viewers
        ((greediest, most),) = Counter(one.source for one in viewers).most_common(1)
        if most < 2:
            raise HTTPError(503)
        oldest = next(one for one in viewers if one.source == greediest)
        del viewers[oldest]
        oldest.end()

    def note_change(self, table: str) -> None:
        """Send this tile next; of one tile only the newest."""
        self._changed[table] = None
        self._wake.set()

    def end(self) -> None:
        self._ends = True
        self._wake.set()

    async def _send_news(self) -> None:
        try:
            async with asyncio.timeout(BEAT):
                await self._wake.wait()
        except TimeoutError:
            if self.is_let_in:
                await self._send_event("beat", b"1")
            else:
                self.end()
            return
        self._wake.clear()
        if not self.is_let_in:  # A new PIN was made: its page asks for it.
            self.end()
            return
        changed, self._changed = self._changed, {}
        if len(changed) > MOST_WAITING:
            await self._send_all()
            return
        for table in changed:
            tiles = self.pages.tiles
            if table in tiles:
                drawn = drawing.draw_tile(tiles, tiles[table], self.language)
                self._put_event("tile", _encode(drawn))
            else:
                self._put_event("gone", json.dumps(table).encode())
        await self._wait_until_taken()

    async def _send_all(self) -> None:
        tiles = self.pages.tiles
        drawn = [drawing.draw_tile(tiles, tile, self.language) for tile in tiles.list_tiles()]
        await self._send_event("all", _encode(drawn))

    async def _send_event(self, event: str, data: bytes) -> None:
        self._put_event(event, data)
        await self._wait_until_taken()

    async def _wait_until_taken(self) -> None:
        """Send nothing more before this is taken; drop a viewer that does not take it in time."""
        try:
            async with asyncio.timeout(self._taken_within):
                await self.flush()
        except TimeoutError:
            connection = self.request.connection
            assert isinstance(connection, HTTP1Connection)
            connection.stream.close()
            self.end()

    def _put_event(self, event: str, data: bytes) -> None:
        self.write(b"event: " + event.encode() + b"\ndata: " + data + b"\n\n")
