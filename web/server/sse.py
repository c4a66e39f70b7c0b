"""The stream: whoever watches gets the newest state, as Server-Sent Events.

Laws: every connection begins with the full state, unless it says that it has it, and then skips
what it was too slow for; a heartbeat is a real event, so that a page can tell silence from death;
the last word says why the stream ends; who takes nothing for a while is let go.
"""

import asyncio
from contextlib import suppress
from typing import cast

from flask.ctx import RequestContext
from tornado.http1connection import HTTP1Connection
from tornado.iostream import StreamClosedError
from tornado.wsgi import WSGIContainer

from companion.core.i18n import N_
from web.rendering.screens import STILL, Screen, dismissed, here, lost, my_screen
from web.responses import STRANGERS
from web.server.broadcast import DATA, Feed, Streams, Viewer, told
from web.server.handlers import Door
from web.sessions import my_browser

HEARTBEAT = 10.0
PATIENCE = 20.0
"""How long a phone may take none of what it was sent."""
TOO_MANY = N_("Too many pages watch this table.")


class Stream(Door):
    """One connection, from its first full state to its farewell."""

    def initialize(self, streams: Streams) -> None:  # type: ignore[override]
        super().initialize(streams.app)
        self._streams = streams
        self._viewer = Viewer(self.address)

    async def get(self, page: str, seat: str | None = None) -> None:
        """Follow a page until one of us leaves."""
        screen = self._screen(page, int(seat or 0))
        if screen is None or not self._welcome():
            return
        self._holder, self._phone = (
            self._whose(screen),
            self._streams.room.seats.holder(screen.seat),
        )
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Cache-Control", "no-store")
        self._line.stream.set_nodelay(True)
        try:
            with suppress(StreamClosedError):  # Whoever is gone knows it.
                await self._follow(screen, await self._streams.join(screen, self._viewer))
        finally:
            self._streams.leave(screen, self._viewer)

    def _welcome(self) -> bool:
        """Whether there is room for one more, and they do not come too often."""
        wait = self.patience.reading(self.address)
        if wait:
            self.refuse(429, wait=wait)
        elif self._streams.full(self.address):
            self.refuse(503, TOO_MANY, "too_many", PATIENCE)
        return not self._finished

    def _screen(self, page: str, seat: int) -> Screen | None:
        """The screen asked for, decided by the same cookie as every page."""
        with self._request():
            screen = my_screen(page, seat) if here(page) and page not in STILL else None
        if screen is not None and not lost(screen):
            return screen
        self.refuse(404)
        return None

    def _request(self) -> RequestContext:
        app = self._streams.app
        return app.request_context(WSGIContainer(app).environ(self.request))

    async def _follow(self, screen: Screen, feed: Feed) -> None:
        """Send what is new until one of us leaves; nothing more while a phone takes nothing."""
        seen, viewer = self.request.headers.get("Last-Event-ID", ""), self._viewer
        if seen == feed.id:
            await self._send(told("heartbeat", ""))
        while not viewer.farewell:
            if self._moved(screen):
                viewer.leave("replaced")
            elif self._streams.room.seats.holder(screen.seat) != self._phone:
                viewer.leave("anew")  # The phone beside these cards is another one now.
            elif feed.id != seen:
                seen = feed.id
                await self._send(feed.snapshot)
            try:
                await asyncio.wait_for(viewer.wake.wait(), HEARTBEAT)
                viewer.wake.clear()
            except TimeoutError:
                await self._send(told("heartbeat", ""))
        await self._send(told(viewer.farewell, ""))

    def _moved(self, screen: Screen) -> bool:
        """Whether this is no longer for whoever watches: a seat's browser, a host's.

        Nor is it where fewer play now than before.
        """
        room = self._streams.room
        moved = screen.seat and self._whose(screen) != self._holder
        moved = moved or screen.seat > room.table.seats > 0
        return bool(moved) or dismissed(room, screen)

    def _whose(self, screen: Screen) -> str | None:
        """The browser that a page of a seat is for."""
        seats = self._streams.room.seats
        return seats.hands(screen.seat) if screen.page == "play" else seats.holder(screen.seat)

    async def _send(self, data: bytes) -> None:
        self.write(data)
        try:
            await asyncio.wait_for(self.flush(), PATIENCE)
        except TimeoutError:
            self._line.close()
            raise StreamClosedError from None

    @property
    def _line(self) -> HTTP1Connection:
        return cast(HTTP1Connection, self.request.connection)

    def on_connection_close(self) -> None:
        """Whoever watched is gone."""
        self._viewer.leave("gone")


class Views(Stream):
    """The view itself, as JSON, for whoever makes pages of their own."""

    def _screen(self, _page: str, seat: int) -> Screen | None:
        room = self._streams.room
        with self._request():
            mine = room.seats.holds(my_browser(), seat)
        if not seat or (mine and not seat > room.table.seats > 0):
            return Screen(DATA, seat, "")
        status, sentence = STRANGERS["not_your_seat"]
        self.refuse(status, sentence, "not_your_seat")
        return None
