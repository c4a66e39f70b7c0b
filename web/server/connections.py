"""Connections and streams: how many are open, and which goes when there are too many.

Laws: a place of someone who comes first is never taken by a stranger, as long as they hold no more
than MOST_OF_FIRST. Where all places are taken, a stranger's goes: the one that has waited longest
for a whole request head, so that the silent and the half-open go before anyone who asks; without
such a one, the newest. No source of strangers has more than MOST_OF_SOURCE. A connection counts for
a known browser as soon as a head shows its cookie, because phones behind one router share an
address.
"""

import socket
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, Generic, TypeVar, cast

from flask import Flask
from tornado.http1connection import HTTP1Connection, HTTP1ServerConnection
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPConnection, HTTPMessageDelegate, HTTPServerRequest
from tornado.ioloop import IOLoop
from tornado.iostream import IOStream

from web.browsers import BROWSER_KEY, LOOPBACK, RATE_LIMIT, READ, Client, RateLimit, source_of
from web.context import CONTEXT_KEY, AppContext

T = TypeVar("T")
MOST_OF_FIRST, MOST_OF_SOURCE = 32, 200
ACCEPTS_PER_TURN = 16
MAX_BUFFER_SIZE = 128 * 1024
"""Bytes that are read ahead of a connection, or wait to be sent to it."""
READ_CHUNK = 16 * 1024
"""Bytes that are made room for at each read; most requests have one."""
MAX_COOKIES, MAX_COOKIE_SIZE = 512, 2048
"""Cookie headers whose browser is remembered, and their bytes."""


class Places(Generic[T]):
    """A bounded number of places for holders, such as connections."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._first: dict[T, Client] = {}
        self._waiting: dict[T, Client] = {}
        self._busy: dict[T, Client] = {}
        self._count: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._first) + len(self._waiting) + len(self._busy)

    def client_of(self, holder: T) -> Client | None:
        """Return the client that the place of a holder counts for; None if it has none."""
        return self._first.get(holder) or self._waiting.get(holder) or self._busy.get(holder)

    def place(self, holder: T, client: Client, *, waits: bool) -> T | None:
        """Give a place to a holder, or another kind of place; return the one that loses its own,
        which may be the same."""
        self.remove(holder)
        most = MOST_OF_FIRST if client.comes_first else MOST_OF_SOURCE
        is_greedy = self._count[client.key] >= most
        kind = self._waiting if waits else self._busy
        (self._first if client.comes_first and not is_greedy else kind)[holder] = client
        self._count[client.key] += 1
        if is_greedy and not client.comes_first:
            return self._take_place(holder, lambda other: other.key == client.key)
        if len(self) > self._limit:
            return self._take_place(holder, lambda _other: True)
        return None

    def remove(self, holder: T) -> None:
        """Release a place, if the holder has one."""
        for kind in (self._first, self._waiting, self._busy):
            client = kind.pop(holder, None)
            if client is not None:
                self._count[client.key] -= 1

    def _take_place(self, newcomer: T, is_one: Callable[[Client], bool]) -> T:
        """Take the place of one of these strangers; a newcomer that waits gives way to all."""
        strangers = chain(self._waiting.items(), reversed(self._busy.items()))
        gone = next(
            (
                holder
                for holder, client in strangers
                if is_one(client) and not (holder == newcomer and holder in self._waiting)
            ),
            newcomer,
        )
        self.remove(gone)
        return gone


class Connections:
    """The open connections: where each comes from, and whom it counts for."""

    def __init__(self, app: Flask) -> None:
        self._context: AppContext = app.extensions[CONTEXT_KEY]
        self._limit: RateLimit = app.extensions[RATE_LIMIT]
        self._app = app
        self._places = Places[IOStream](self._limit.limits.connections)
        self._addresses: dict[IOStream, str] = {}
        self._browsers: OrderedDict[str, str] = OrderedDict()

    def __len__(self) -> int:
        return len(self._places)

    def may_connect(self, address: str) -> bool:
        """Return whether this address may open another connection under the rate limit."""
        source = source_of(address)
        return source == LOOPBACK or not self._limit.take(source, READ)

    def open(self, stream: IOStream, address: str) -> bool:
        """Give a connection a place, and close the one that loses it; False if that is this one."""
        source = source_of(address)
        self._addresses[stream] = address
        return self._place(stream, Client(source, comes_first=source == LOOPBACK), waits=True)

    def begin_request(self, request: HTTPServerRequest) -> None:
        """Count a connection for the browser whose cookie its request shows."""
        stream, cookie = stream_of(request), request.headers.get("Cookie", "")
        if stream in self._addresses:
            browser = self._read_browser(cookie) if 0 < len(cookie) <= MAX_COOKIE_SIZE else ""
            client = self._context.browsers.find_client(browser, self._addresses[stream])
            self._place(stream, client, waits=False)

    def await_request(self, stream: IOStream) -> None:
        """Count a connection as waiting, until the next head has come."""
        if stream in self._addresses:
            self._place(stream, self._client_at(stream), waits=True)

    def client_of(self, request: HTTPServerRequest) -> Client:
        """Return the client that the connection of a request counts for."""
        return self._client_at(stream_of(request))

    def _client_at(self, stream: IOStream) -> Client:
        found = self._places.client_of(stream)
        return found or Client(source_of(self._addresses.get(stream, "")))

    def release(self, stream: IOStream) -> None:
        """Forget a connection that was closed."""
        self._places.remove(stream)
        self._addresses.pop(stream, None)

    def _place(self, stream: IOStream, client: Client, *, waits: bool) -> bool:
        gone = self._places.place(stream, client, waits=waits)
        if gone is not None:
            self._addresses.pop(gone, None)
            gone.close()
        return gone is not stream

    def _read_browser(self, cookie: str) -> str:
        """Return the browser of a Cookie header, which is remembered: this runs on the event loop
        for each request of a flood."""
        if cookie not in self._browsers:
            asking = self._app.request_class({"HTTP_COOKIE": cookie})
            session = self._app.session_interface.open_session(self._app, asking)
            self._browsers[cookie] = str(session.get(BROWSER_KEY, "")) if session else ""
            if len(self._browsers) > MAX_COOKIES:
                self._browsers.popitem(last=False)
        return self._browsers[cookie]


class BoundedServer(HTTPServer):
    """An HTTP server with this many connections."""

    def initialize(self, *args: Any, connections: Connections, **kwargs: Any) -> None:  # type: ignore[override]
        super().initialize(*args, **kwargs)
        self._open = connections
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
        if self._open.may_connect(address[0]):
            stream = IOStream(
                connection, max_buffer_size=MAX_BUFFER_SIZE, read_chunk_size=READ_CHUNK
            )
            self.handle_stream(stream, address)
        else:
            connection.close()

    def handle_stream(self, stream: IOStream, address: tuple[str, int]) -> None:
        """Serve a connection if it gets a place."""
        if self._open.open(stream, address[0]):
            super().handle_stream(stream, address)

    def start_request(
        self, server_conn: object, request_conn: HTTPConnection
    ) -> HTTPMessageDelegate:
        """Wait for the next request of a connection."""
        self._open.await_request(cast(HTTP1Connection, request_conn).stream)
        return super().start_request(server_conn, request_conn)

    def on_close(self, server_conn: object) -> None:
        """Release the place of a connection."""
        super().on_close(server_conn)
        self._open.release(cast(HTTP1ServerConnection, server_conn).stream)


def stream_of(request: HTTPServerRequest) -> IOStream:
    """Return the connection that a request came on."""
    return cast(HTTP1Connection, request.connection).stream
