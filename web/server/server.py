"""The web server: Tornado owns sockets and streams, Flask answers on a few threads.

Laws: a stream never holds one of Flask's threads; strangers can take neither the connections nor
the threads of those who play (see web.server.connections and web.server.pool); a client that sends
or takes nothing is dropped within half a minute, and one that vanished silently is given up by the
kernel after twenty seconds; stopping takes less than a second, however many watch. An event stream
begins with the full state, unless the client names it as its last event; a heartbeat is a real
event, so that a page can tell silence from a lost connection; the last event says why it ends.
"""

import asyncio
import gc
import re
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import cast

from flask import Flask
from tornado.http1connection import HTTP1Connection
from tornado.httputil import HTTPMessageDelegate, HTTPServerRequest
from tornado.ioloop import PeriodicCallback
from tornado.routing import Rule
from tornado.web import Application, RequestHandler
from werkzeug.sansio.utils import host_is_trusted

from web import responses
from web.api.machine import UPLOAD_PATH
from web.browsers import RATE_LIMIT, Client, RateLimit
from web.context import CONTEXT_KEY, AppContext
from web.server.broadcast import FAREWELL_TIMEOUT, Broadcaster
from web.server.connections import BoundedServer, Connections, Places
from web.server.pages import (
    PAGE_THREADS,
    STRANGERS_WAITING,
    FlaskHandler,
    Pages,
    PagesOnLoop,
    StreamingPages,
)
from web.server.pool import CrowdedError, Pool
from web.server.sockets import IDLE_TIMEOUT, MAX_HEADER_SIZE, MAX_JSON_SIZE
from web.server.upload import UploadHandler
from web.server.viewers import Viewer
from web.static_files import file_rule
from web.streams import ADMITTED, Admission


class EventStreams(Pages):
    """Pages that are streams: Flask admits the viewer, and the broadcaster sends."""

    def __init__(
        self,
        broadcaster: Broadcaster,
        pool: Pool,
        client_of: Callable[[HTTPServerRequest], Client],
    ) -> None:
        super().__init__(broadcaster.app, pool, client_of, broadcaster.answers)
        self._broadcaster = broadcaster
        limit: RateLimit = broadcaster.app.extensions[RATE_LIMIT]
        self._places = Places[Viewer](limit.limits.viewers)

    async def handle_request(self, request: HTTPServerRequest) -> None:
        """Stream a screen until the client leaves or it is no longer for it."""
        environ, told = self.environ(request), list[Callable[[], None]]()
        answer = await self.run_in_thread(request, self.call_flask, environ, told)
        for tell in told:
            tell()
        admission: Admission | None = environ.get(ADMITTED)  # type: ignore[assignment]
        connection = cast(HTTP1Connection, request.connection)
        if admission is None or request.method == "HEAD":
            await connection.write_headers(answer.start, answer.headers, chunk=answer.body)
            connection.finish()
            return
        viewer = Viewer(admission, connection)
        gone = self._places.place(viewer, admission.client, waits=False)
        if gone is viewer:
            raise CrowdedError
        if gone is not None:
            gone.end_stream("stop")
        try:
            del answer.headers["Content-Length"]
            viewer.begin_stream(answer, request.headers.get("Last-Event-ID", ""))
            await self._broadcaster.follow(viewer)
        finally:
            self._places.remove(viewer)
        connection.finish()


NO_HOST = "host.invalid"
PORT_NUMBER = re.compile(r"^[^:]+(:[0-9]+)?$|^\[[^\]]*\](:[0-9]+)?$")
"""A Host header, with a port or without."""
SEAT_TICK_MS = 1_000
"""Milliseconds between checks for guests who left."""
SWITCH_INTERVAL = 0.0002
"""Seconds that a page thread may keep the event loop waiting each time; Python's own 5 ms add up to
seconds under a flood."""
GARBAGE_THRESHOLDS = (5_000, 10, 10)
"""Objects made since the last look for circles, and looks before a longer one: drawing a change
makes a few hundred, none of them a circle, and each look takes 0.05 ms."""


class Routes(Application):
    """Finds the handler of a request, and counts its connection for the browser.

    Under a name that is none of ours Flask alone answers, which refuses (web.security).
    """

    def find_handler(  # type: ignore[override]
        self, request: HTTPServerRequest, **_kwargs: object
    ) -> HTTPMessageDelegate:
        """Return the handler of a request whose head has come."""
        connections: Connections = self.settings["connections"]
        context: AppContext = self.settings["app"].extensions[CONTEXT_KEY]
        connections.begin_request(request)
        if PORT_NUMBER.search(request.host) is None:  # Tornado and Werkzeug stumble on it.
            request.host = request.headers["Host"] = NO_HOST
        if host_is_trusted(request.host, context.machine.hosts):
            return super().find_handler(request)
        return self.get_handler_delegate(request, FlaskHandler, self.settings["pages"])


class Server:
    """Serves one app on these sockets; create and stop it on the event loop."""

    def __init__(self, app: Flask, sockets: Sequence[socket.socket]) -> None:
        self.port: int = sockets[0].getsockname()[1]
        context: AppContext = app.extensions[CONTEXT_KEY]
        self._seat_timer = PeriodicCallback(context.seats.expire_guests, SEAT_TICK_MS)
        self._seat_timer.start()
        sys.setswitchinterval(SWITCH_INTERVAL)
        gc.collect()
        gc.freeze()  # What is loaded now stays: collecting through it again would slow pages.
        gc.set_threshold(*GARBAGE_THRESHOLDS)
        self.connections = Connections(app)
        self._broadcaster = Broadcaster(app)
        self._pool = Pool("page", PAGE_THREADS, STRANGERS_WAITING)
        self._http = BoundedServer(
            self._make_routes(app),
            connections=self.connections,
            max_header_size=MAX_HEADER_SIZE,
            max_body_size=4 * MAX_JSON_SIZE,
            idle_connection_timeout=IDLE_TIMEOUT,
            body_timeout=10,
        )
        self._http.add_sockets(list(sockets))

    def _make_routes(self, app: Flask) -> Routes:
        """Return the handler of each address: a stream, a download, an upload, or the app."""
        flask = (app, self._pool, self.connections.client_of, self._broadcaster.answers)
        self._pages = Pages(*flask)
        pages: dict[str, object] = {"pages": self._pages}
        streams: dict[str, object] = {"pages": EventStreams(self._broadcaster, *flask[1:3])}
        rules: list[Rule | tuple[str, type[RequestHandler], dict[str, object]]] = [
            file_rule(),
            (r"(?:/api)?/stream/.*", FlaskHandler, streams),
            (r"/api/host/backup", FlaskHandler, {"pages": StreamingPages(*flask)}),
            (UPLOAD_PATH, UploadHandler, pages),
            (responses.HEALTHZ, FlaskHandler, {"pages": PagesOnLoop(*flask)}),
            (r".*", FlaskHandler, pages),
        ]
        return Routes(rules, app=app, connections=self.connections, pages=pages)

    async def wait_until_answered(self) -> None:
        """Wait until all that pages ask now is answered."""
        await self._pages.wait_until_answered()

    async def stop(self) -> None:
        """Accept no more connections, answer the open requests, end the streams, then close the
        rest."""
        self._seat_timer.stop()
        self._http.stop()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.wait_until_answered(), FAREWELL_TIMEOUT)
        await self._broadcaster.stop()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._http.close_all_connections(), FAREWELL_TIMEOUT)
        self._pool.shutdown()
