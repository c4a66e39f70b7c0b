"""The stream: whoever watches gets the newest state, as Server-Sent Events.

Laws: every connection begins with the full state, and then skips what it was too slow for; a
heartbeat is a real event, so that a page can tell silence from death; the last word says why the
stream ends; and the stream guards its own door, as it does not pass Flask's.
"""

import asyncio
from contextlib import suppress
from typing import Any

from tornado.iostream import StreamClosedError
from tornado.web import RequestHandler
from tornado.wsgi import WSGIContainer
from werkzeug.exceptions import HTTPException

from web import guard
from web.feeds import Feed, Streams, Viewer, told
from web.screens import PAGES, Screen, lost, my_screen

HEARTBEAT = 10.0


class Stream(RequestHandler):
    """One connection, from its first full state to its farewell."""

    def initialize(self, streams: Streams) -> None:
        self._streams = streams
        self._viewer = Viewer()

    def set_default_headers(self) -> None:
        for name, value in guard.HEADERS.items():
            self.set_header(name, value)

    async def get(self, page: str, seat: str | None = None) -> None:
        screen = self._screen(page, int(seat or 0))
        if screen is None:
            return
        self._holder = self._streams.room.seats.holder(screen.seat)
        if self._streams.full:
            self._refuse(503, "Too many pages watch this table.")
            return
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Cache-Control", "no-store")
        try:
            with suppress(StreamClosedError):  # Whoever is gone knows it.
                await self._follow(screen, await self._streams.join(screen, self._viewer))
        finally:
            self._streams.leave(screen, self._viewer)

    def _screen(self, page: str, seat: int) -> Screen | None:
        """The screen asked for, decided by the same cookie and the same hosts as every page."""
        app = self._streams.app
        with app.request_context(WSGIContainer(app).environ(self.request)) as context:
            try:
                context.request.host  # noqa: B018 - raises for a host that is not ours
            except HTTPException:
                self._refuse(400, guard.SENTENCES[400])
                return None
            screen = my_screen(page, seat) if page in PAGES else None
        here = self._streams.room.play_page or page != "play"
        if screen is not None and here and not lost(screen):
            return screen
        self._refuse(404, guard.SENTENCES[404])
        return None

    def _refuse(self, status: int, sentence: str) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.write(sentence)

    async def _follow(self, screen: Screen, feed: Feed) -> None:
        """Send what is new until one of us leaves; `flush` waits for a phone that is slow."""
        seen, viewer = b"", self._viewer
        while not viewer.farewell:
            if feed.snapshot != seen:
                seen = feed.snapshot
                await self._show(screen, seen)
            try:
                await asyncio.wait_for(viewer.wake.wait(), HEARTBEAT)
                viewer.wake.clear()
            except TimeoutError:
                await self._send(told("heartbeat", ""))
        await self._send(told(viewer.farewell, ""))

    async def _show(self, screen: Screen, snapshot: bytes) -> None:
        """Send a snapshot, but only to the browser that still holds the seat it is for."""
        seats = self._streams.room.seats
        if screen.seat and seats.holder(screen.seat) != self._holder:
            self._viewer.leave("replaced")
        else:
            await self._send(snapshot)

    async def _send(self, data: bytes) -> None:
        self.write(data)
        await self.flush()

    def on_connection_close(self) -> None:
        self._viewer.leave("gone")

    def write_error(self, status_code: int, **_why: Any) -> None:
        self._refuse(status_code, guard.OTHERWISE)
