"""The server: Tornado owns the sockets and the streams, Flask answers on a few threads.

Laws: a stream never holds one of Flask's threads; nobody takes all connections; whoever is silent
or takes nothing is let go within half a minute, and a phone that vanished without a word is given
up by the kernel after twenty seconds; stopping takes less than a second, however many watch.
"""

import asyncio
import errno
import gc
import socket
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from flask import Flask
from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback
from tornado.iostream import IOStream
from tornado.web import Application
from tornado.wsgi import WSGIContainer

from web import responses
from web.context import CONTEXT_KEY, AppContext
from web.rate_limits import LIMITS, Limits
from web.security import LARGEST_FORM
from web.server.broadcast import LAST_WORDS, Streams
from web.server.download import Pouring
from web.server.handlers import AtOnce, Pages
from web.server.sse import Stream, Views
from web.server.upload import PATH, Upload

THREADS = 8
PORTS_TRIED = 50
MINDED_MS = 1_000
"""How often somebody looks whether guests have gone."""
SILENT = 30.0
"""Seconds in which a request's head must have come."""
LARGEST_HEAD = 16 * 1024
OPTIONS = {"TCP_USER_TIMEOUT": 20_000, "TCP_NOTSENT_LOWAT": 16 * 1024}
"""A vanished phone is given up after so many milliseconds, and the kernel queues no more than
this for a slow one. Connections inherit both; not every system has them."""


def sockets_from(port: int, address: str = "127.0.0.1") -> Sequence[socket.socket]:
    """Listening sockets at this port, or at the next one that is free."""
    for candidate in range(port, min(port + PORTS_TRIED, 65_536)):
        try:
            return [_patient(socket.create_server((address, candidate), backlog=128))]
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    raise OSError(errno.EADDRINUSE, "no free port")


def _patient(listening: socket.socket) -> socket.socket:
    listening.setblocking(False)
    for name, value in OPTIONS.items():
        option = getattr(socket, name, None)
        if option is not None:
            listening.setsockopt(socket.IPPROTO_TCP, option, value)
    return listening


class Counted(HTTPServer):
    """Serves so many connections and no more, in all and from one address."""

    def initialize(self, *how: Any, limits: Limits, **more: Any) -> None:  # type: ignore[override]
        super().initialize(*how, **more)
        self._limits = limits
        self._from: dict[IOStream, str] = {}
        self._each: Counter[str] = Counter()

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        """Serve a connection, or close it if there are too many."""
        each = self._each[address[0]]
        if len(self._from) >= self._limits.connections or each >= self._limits.connections_each:
            stream.close()
            return
        self._from[stream] = address[0]
        self._each[address[0]] += 1
        super().handle_stream(stream, address)

    def on_close(self, server_conn: Any) -> None:
        """A connection ends: there is room for another."""
        super().on_close(server_conn)
        self._each -= Counter([self._from.pop(server_conn.stream)])


class Server:
    """Pages and streams of one app on these sockets; made and stopped on the event loop."""

    def __init__(self, app: Flask, sockets: Sequence[socket.socket]) -> None:
        self.port: int = sockets[0].getsockname()[1]
        here: AppContext = app.extensions[CONTEXT_KEY]
        self._minding = PeriodicCallback(here.seats.pass_time, MINDED_MS)
        self._minding.start()
        gc.collect()
        gc.freeze()  # All that was loaded stays: looking through it again cost a page its time.
        self._streams = Streams(app)
        self._threads = ThreadPoolExecutor(THREADS, "page")
        pages = WSGIContainer(app, self._threads)
        routes = Application(
            [
                (r"/stream/([a-z]+)(?:/([0-9]{1,2}))?", Stream, {"streams": self._streams}),
                (r"/api/stream/(table)", Views, {"streams": self._streams}),
                (r"/api/stream/(seats)/([0-9]{1,2})", Views, {"streams": self._streams}),
                (r"/api/host/backup", Pages, {"app": app, "pages": Pouring(app, self._threads)}),
                (PATH, Upload, {"app": app, "pages": pages}),
                (responses.HEALTHZ, AtOnce, {"app": app}),
                (r".*", Pages, {"app": app, "pages": pages}),
            ]
        )
        self._http = Counted(
            routes,
            limits=app.extensions[LIMITS].limits,
            max_header_size=LARGEST_HEAD,
            max_body_size=4 * LARGEST_FORM,
            max_buffer_size=8 * LARGEST_FORM,
            idle_connection_timeout=SILENT,
            body_timeout=10,
        )
        self._http.add_sockets(list(sockets))

    async def stop(self) -> None:
        """No new connections, a last word to every stream, then silence."""
        self._minding.stop()
        self._http.stop()
        await self._streams.stop()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._http.close_all_connections(), LAST_WORDS)
        self._threads.shutdown(wait=False, cancel_futures=True)
