"""The server: Tornado owns the sockets and the streams, Flask answers on a few threads.

Laws: a stream never holds one of Flask's threads; a phone that vanished without a word is given
up by the kernel after twenty seconds; stopping takes less than a second, however many watch.
"""

import asyncio
import errno
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from flask import Flask
from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback
from tornado.web import Application, FallbackHandler
from tornado.wsgi import WSGIContainer

from web.feeds import LAST_WORDS, Streams
from web.guard import LARGEST_FORM
from web.room import ROOM, Room
from web.stream import Stream

THREADS = 8
GIVEN_UP_AFTER_MS = 20_000
PORTS_TRIED = 50
MINDED_MS = 1_000
"""How often somebody looks whether guests have gone."""


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
    """Connections inherit this option; not every system has it."""
    listening.setblocking(False)
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None:
        listening.setsockopt(socket.IPPROTO_TCP, option, GIVEN_UP_AFTER_MS)
    return listening


class Server:
    """Pages and streams of one app on these sockets; made and stopped on the event loop."""

    def __init__(self, app: Flask, sockets: Sequence[socket.socket]) -> None:
        self.port: int = sockets[0].getsockname()[1]
        here: Room = app.extensions[ROOM]
        here.invites.port = self.port
        self._minding = PeriodicCallback(here.seats.pass_time, MINDED_MS)
        self._minding.start()
        self._streams = Streams(app)
        self._threads = ThreadPoolExecutor(THREADS, "page")
        pages = WSGIContainer(app, self._threads)
        routes = Application(
            [
                (r"/stream/([a-z]+)(?:/([0-9]{1,2}))?", Stream, {"streams": self._streams}),
                (r".*", FallbackHandler, {"fallback": pages}),
            ]
        )
        self._http = HTTPServer(
            routes, max_body_size=LARGEST_FORM, idle_connection_timeout=60, body_timeout=10
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
