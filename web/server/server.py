"""The web server: Tornado owns sockets and streams, Flask answers on a few threads.

Laws: a stream never holds one of Flask's threads; strangers can take neither the connections nor
the threads of those who play (see web.server.connections and web.server.pool); a client that sends
or takes nothing is dropped within half a minute, and one that vanished silently is given
up by the kernel after twenty seconds; stopping takes less than a second, however many watch.
"""

import asyncio
import gc
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

from flask import Flask
from tornado.ioloop import PeriodicCallback
from tornado.routing import Rule
from tornado.web import RequestHandler

from web import responses
from web.context import CONTEXT_KEY, AppContext
from web.server.broadcast import FAREWELL_TIMEOUT, Broadcaster
from web.server.connections import BoundedServer, Connections, Routes
from web.server.download import StreamingPages
from web.server.files import file_rule
from web.server.handlers import FlaskHandler, HealthzHandler, is_our_host
from web.server.pages import PAGE_THREADS, STRANGERS_WAITING, Pages
from web.server.pool import Pool
from web.server.sockets import IDLE_TIMEOUT, MAX_HEADER_SIZE, MAX_JSON_SIZE
from web.server.sse import StreamHandler, ViewStreamHandler
from web.server.upload import UploadHandler, receive_backup
from web.upload_paths import UPLOAD_PATH

SEAT_TICK_MS = 1_000
"""How often the seats check for guests who left."""
SWITCH_INTERVAL = 0.0002
"""Seconds for which a page thread may keep the event loop waiting each time; Python's own 5 ms add
up to seconds under a flood."""
GARBAGE_THRESHOLDS = (5_000, 10, 10)
"""Objects made since the last look for circles, and looks before a longer one: drawing a change
makes a few hundred, none of them a circle, and each look takes 0.05 ms."""


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
        streams: dict[str, object] = {"broadcaster": self._broadcaster}
        flask = (app, self._pool, self.connections.client_of, self._broadcaster.answers)
        self._pages = Pages(*flask)
        pages = {"app": app, "pages": self._pages}
        downloads = {"app": app, "pages": StreamingPages(*flask)}
        context: AppContext = app.extensions[CONTEXT_KEY]
        hosts = context.machine.hosts
        rules: list[Rule | tuple[str, type[RequestHandler], dict[str, object]]] = [
            file_rule(lambda host: is_our_host(host, hosts)),
            (r"/stream/([a-z]+)(?:/([0-9]{1,2}))?", StreamHandler, streams),
            (r"/api/stream/(table)", ViewStreamHandler, streams),
            (r"/api/stream/(seats)/([0-9]{1,2})", ViewStreamHandler, streams),
            (r"/api/host/backup", FlaskHandler, downloads),
            (UPLOAD_PATH, UploadHandler, {**pages, "receiver": receive_backup}),
            (responses.HEALTHZ, HealthzHandler, {"app": app}),
            (r".*", FlaskHandler, pages),
        ]
        return Routes(rules, connections=self.connections)

    async def wait_until_answered(self) -> None:
        """Wait until all that pages ask now is answered."""
        await self._pages.wait_until_answered()

    async def stop(self) -> None:
        """Accept no more connections, answer what was asked, end the streams, then close what is
        left."""
        self._seat_timer.stop()
        self._http.stop()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.wait_until_answered(), FAREWELL_TIMEOUT)
        await self._broadcaster.stop()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._http.close_all_connections(), FAREWELL_TIMEOUT)
        self._pool.shutdown()
