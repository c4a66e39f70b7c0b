"""Event streams: admit a viewer to its screen, and leave the sending to the broadcaster.

Laws: a connection begins with the full state, unless the client names it as its last event; a
heartbeat is a real event, so that a page can tell silence from a lost connection; the last event
says why the stream ends.
"""

import asyncio
from typing import cast

from flask import request
from tornado.http1connection import HTTP1Connection
from tornado.iostream import StreamClosedError
from tornado.wsgi import WSGIContainer

from companion.core.i18n import N_
from web.browsers import browser_id
from web.rate_limits import READ
from web.rendering.page_list import UNSTREAMED_PAGES, has_page
from web.rendering.scene import Screen
from web.rendering.screens import (
    came_as_known,
    is_denied,
    requested_place,
    requested_screen,
)
from web.responses import PERMISSION_ERRORS, accepts_gzip
from web.security import find_stream_flaw, stream_signature
from web.server import viewers
from web.server.broadcast import DATA_PAGE, Broadcaster
from web.server.handlers import BaseHandler
from web.server.pool import CrowdedError
from web.server.viewers import Viewer

TOO_MANY = N_("Too many pages watch this table.")


class StreamHandler(BaseHandler):
    """One stream of a page, from its first full state to its last event."""

    def initialize(self, broadcaster: Broadcaster) -> None:  # type: ignore[override]
        super().initialize(broadcaster.app)
        self._broadcaster = broadcaster
        self._viewer = Viewer(self.client, self._connection)

    async def get(self, page: str, seat: str | None = None) -> None:
        """Stream a page until the client leaves or its screen is no longer for it."""
        app = self._broadcaster.app
        with app.request_context(WSGIContainer(app).environ(self.request)):
            self._viewer.owner, self._viewer.takes_gzip = browser_id(), accepts_gzip()
            self._viewer.is_here = requested_place() == "machine"
            self._use_signature()
            screen = self._find_screen(page, int(seat or 0))
        if screen is None:
            self._refuse_screen()
        if screen is None or not self._may_connect():
            return
        try:
            await self._broadcaster.subscribe(screen, self._viewer)
            await self._send_head()
            await self._follow(screen)
        except StreamClosedError:  # The client has left.
            pass
        except CrowdedError:
            self.send_problem(503, TOO_MANY, "too_many", viewers.SEND_TIMEOUT)
        finally:
            self._broadcaster.unsubscribe(screen, self._viewer)

    async def _send_head(self) -> None:
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Cache-Control", "no-store")
        self.set_header("Vary", "Accept-Encoding")
        if self._viewer.takes_gzip:
            self.set_header("Content-Encoding", "gzip")
        await self.flush()

    async def _follow(self, screen: Screen) -> None:
        """Wait until the stream is over, and its last event taken."""
        viewer, seen = self._viewer, self.request.headers.get("Last-Event-ID", "")
        self._broadcaster.welcome(screen, viewer, seen)
        await viewer.wait_until_over()
        try:
            await asyncio.wait_for(viewer.wait_until_taken(), viewers.SEND_TIMEOUT)
        except TimeoutError:
            viewer.drop_client()

    def _may_connect(self) -> bool:
        """Check the rate and the number of viewers; send 429 or 503 if exceeded."""
        wait = self.rate_limit.take(self.client.key, READ)
        if wait:
            self.send_problem(429, wait=wait)
        elif not self._broadcaster.admit(self._viewer):
            self.send_problem(503, TOO_MANY, "too_many", viewers.SEND_TIMEOUT)
        return not self._finished

    def _find_screen(self, page: str, seat: int) -> Screen | None:
        """Return the screen asked for, by the cookie of the page; None if it is not allowed."""
        if not has_page(page) or page in UNSTREAMED_PAGES:
            return None
        screen = requested_screen(page, seat)
        return None if is_denied(screen) else screen

    def _refuse_screen(self) -> None:
        self.send_problem(404)

    def _use_signature(self) -> None:
        """Check whether this stream is signed.

        A stream that is signed counts for its browser, wherever it comes from. One that was signed
        for another start is told the number of this one.
        """
        signature = stream_signature()
        if signature is None:
            return
        context, viewer = self._broadcaster.context, self._viewer
        flaw = find_stream_flaw(signature)
        if flaw == "other_start":
            viewer.new_start = context.browsers.attempts.start
        elif not flaw:
            viewer.is_signed = True
            self.client = context.browsers.find_client(viewer.owner, request.remote_addr or "")
            viewer.client = self.client

    @property
    def _connection(self) -> HTTP1Connection:
        return cast(HTTP1Connection, self.request.connection)

    def on_connection_close(self) -> None:
        """End the stream of a client that disconnected."""
        self._viewer.release_handler()


class ViewStreamHandler(StreamHandler):
    """Streams the view itself as JSON, for pages that others write."""

    def _find_screen(self, _page: str, seat: int) -> Screen | None:
        context = self._broadcaster.context
        is_own = context.seats.holds_seat(self._viewer.owner, seat)
        if not seat or (is_own and not seat > context.table.seats > 0):
            return Screen(DATA_PAGE, seat, "", came_known=came_as_known())
        return None

    def _refuse_screen(self) -> None:
        status, sentence = PERMISSION_ERRORS["not_your_seat"]
        self.send_problem(status, sentence, "not_your_seat")
