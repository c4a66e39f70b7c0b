"""The HTTP server that shares its connections fairly: see web.server.admission.

Law: a connection is idle until a whole request head has come, and counts for a known browser as
soon as that head shows its cookie.
"""

import socket
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, cast

from flask import Flask
from tornado.http1connection import HTTP1Connection, HTTP1ServerConnection
from tornado.httpserver import HTTPServer
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    HTTPServerRequest,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.ioloop import IOLoop
from tornado.iostream import IOStream

from companion.host.fair_threads import Claimant
from web.rate_limits import RATE_LIMITER, RateLimiter
from web.server.admission import Places
from web.server.claimants import make_claimant_finder
from web.sources import LOOPBACK, source_of

ACCEPTS_PER_TURN = 16
MAX_BUFFER_SIZE = 128 * 1024
"""Bytes that are read ahead of a connection, or wait to be sent to it."""
READ_CHUNK = 16 * 1024
"""Bytes that are made room for at each read; most requests have one."""


class Connections:
    """The open connections: where each comes from, and whom it counts for."""

    def __init__(self, app: Flask) -> None:
        self._limiter: RateLimiter = app.extensions[RATE_LIMITER]
        self._find_claimant = make_claimant_finder(app)
        self._places = Places[IOStream](self._limiter.limits.connections)
        self._addresses: dict[IOStream, str] = {}
        self._home_of: dict[IOStream, str] = {}

    def __len__(self) -> int:
        return len(self._places)

    def may_connect(self, address: str) -> bool:
        """Check that the source of this address has not connected too often of late."""
        source = source_of(address)
        return self._places.is_home(source) or not self._limiter.wait_to_connect(source)

    def open(self, stream: IOStream, address: str) -> bool:
        """Give a connection a place, and close the one that loses it; False if that is this one."""
        source = source_of(address)
        self._addresses[stream] = address
        claimant = Claimant(source, is_known=source == LOOPBACK)
        gone = self._places.add(stream, claimant, is_idle=True)
        if gone is not None:
            self.release(gone)
            gone.close()
        return gone is not stream

    def begin_request(self, stream: IOStream, cookie: str) -> None:
        """Count a connection as busy, for the browser whose cookie its request shows."""
        if stream in self._addresses:
            self._move(stream, self._find_claimant(cookie, self._addresses[stream]), is_idle=False)

    def await_request(self, stream: IOStream) -> None:
        """Count a connection as idle, until the next head has come."""
        if stream in self._addresses:
            self._move(stream, self.claimant_of(stream), is_idle=True)

    def claimant_of(self, stream: IOStream) -> Claimant:
        """Return whom a connection counts for."""
        found = self._places.claimant_of(stream)
        return found or Claimant(source_of(self._addresses.get(stream, "")))

    def release(self, stream: IOStream) -> None:
        """Forget a connection that was closed."""
        self._leave_home(stream)
        self._places.remove(stream)
        self._addresses.pop(stream, None)

    def _move(self, stream: IOStream, claimant: Claimant, *, is_idle: bool) -> None:
        self._leave_home(stream)
        self._places.change(stream, claimant, is_idle=is_idle)
        if claimant.is_known:
            self._home_of[stream] = source_of(self._addresses[stream])
            self._places.count_home(self._home_of[stream], 1)

    def _leave_home(self, stream: IOStream) -> None:
        home = self._home_of.pop(stream, None)
        if home is not None:
            self._places.count_home(home, -1)


class _WatchedRequest(HTTPMessageDelegate):
    """Passes a request on, and tells when its head has come."""

    def __init__(self, inner: HTTPMessageDelegate, on_head: Callable[[HTTPHeaders], None]) -> None:
        self._inner, self._on_head = inner, on_head

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        """Tell that the head has come, and pass it on."""
        self._on_head(headers)
        return self._inner.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        return self._inner.data_received(chunk)

    def finish(self) -> None:
        self._inner.finish()

    def on_connection_close(self) -> None:
        self._inner.on_connection_close()


class FairServer(HTTPServer):
    """An HTTP server whose connections are shared fairly."""

    def initialize(self, *args: Any, connections: Connections, **kwargs: Any) -> None:  # type: ignore[override]
        super().initialize(*args, **kwargs)
        self._shared = connections
        self._listening: list[socket.socket] = []

    def add_sockets(self, sockets: Iterable[socket.socket]) -> None:
        """Accept connections from these sockets."""
        for listening in sockets:
            IOLoop.current().add_handler(listening, self._accept_some, IOLoop.READ)
            self._listening.append(listening)

    def stop(self) -> None:
        """Accept no more connections."""
        for listening in self._listening:
            IOLoop.current().remove_handler(listening)
            listening.close()

    def _accept_some(self, listening: socket.socket, _events: int) -> None:
        """Accept a few connections, so that those which are open are served in between."""
        for _ in range(ACCEPTS_PER_TURN):
            try:
                self._accept(*listening.accept())
            except BlockingIOError:
                return
            except ConnectionAbortedError:
                continue

    def _accept(self, connection: socket.socket, address: tuple[str, int]) -> None:
        """Serve a connection, or close it before it costs anything."""
        if self._shared.may_connect(address[0]):
            stream = IOStream(
                connection, max_buffer_size=MAX_BUFFER_SIZE, read_chunk_size=READ_CHUNK
            )
            self.handle_stream(stream, address)
        else:
            connection.close()

    def handle_stream(self, stream: IOStream, address: tuple[str, int]) -> None:
        """Serve a connection if it gets a place."""
        if self._shared.open(stream, address[0]):
            super().handle_stream(stream, address)

    def start_request(
        self, server_conn: object, request_conn: HTTPConnection
    ) -> HTTPMessageDelegate:
        """Wait for the next request of a connection, which is idle until its head has come."""
        stream = cast(HTTP1Connection, request_conn).stream
        self._shared.await_request(stream)

        def begin_request(headers: HTTPHeaders) -> None:
            self._shared.begin_request(stream, headers.get("Cookie", ""))

        return _WatchedRequest(super().start_request(server_conn, request_conn), begin_request)

    def on_close(self, server_conn: object) -> None:
        """Release the place of a connection."""
        super().on_close(server_conn)
        self._shared.release(cast(HTTP1ServerConnection, server_conn).stream)


def stream_of(request: HTTPServerRequest) -> IOStream:
    """Return the connection that a request came on."""
    return cast(HTTP1Connection, request.connection).stream
