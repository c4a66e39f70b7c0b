"""Downloads: stream a WSGI response through Tornado with back-pressure.

Law: no more than one piece of the response is in memory; each is fetched on a thread, and a client
that takes nothing for WRITE_TIMEOUT seconds is disconnected.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import TypeVar, cast

from tornado.http1connection import HTTP1Connection
from tornado.httputil import HTTPHeaders, HTTPServerRequest, ResponseStartLine
from tornado.iostream import StreamClosedError
from tornado.wsgi import WSGIContainer
from werkzeug.wsgi import ClosingIterator

T = TypeVar("T")
Headers = list[tuple[str, str]]

WRITE_TIMEOUT = 20.0
"""Seconds for which a client may take nothing of what it was sent."""


class StreamingContainer(WSGIContainer):
    """A WSGI container that streams the response instead of collecting it."""

    async def handle_request(self, request: HTTPServerRequest) -> None:
        """Call Flask, and stream its response."""
        begun: list[tuple[str, Headers]] = []

        def begin(status: str, head: Headers, _: object = None) -> Callable[..., None]:
            begun.append((status, head))
            return lambda _piece: None

        app, environ = self.wsgi_application, self.environ(request)
        answer = cast(ClosingIterator, await self._run_in_thread(app, environ, begin))
        with closing(answer), suppress(StreamClosedError):
            await self._send_pieces(request, *begun[-1], iter(answer))

    async def _send_pieces(
        self,
        request: HTTPServerRequest,
        status: str,
        head: Headers,
        pieces: Iterator[bytes],
    ) -> None:
        connection = cast(HTTP1Connection, request.connection)
        code, _, reason = status.partition(" ")
        headers = HTTPHeaders()
        for name, value in head:
            headers.add(name, value)
        await connection.write_headers(ResponseStartLine("HTTP/1.1", int(code), reason), headers)
        while piece := await self._run_in_thread(next, pieces, b""):
            try:
                await asyncio.wait_for(asyncio.shield(connection.write(piece)), WRITE_TIMEOUT)
            except TimeoutError:
                connection.close()
                return
        connection.finish()

    async def _run_in_thread(self, function: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.executor, function, *args)
