"""Downloads: stream a WSGI response through Tornado with back-pressure.

Law: no more than one piece of the response is in memory; each is fetched on a thread, and a client
that takes nothing for WRITE_TIMEOUT seconds is disconnected.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any

from tornado.httputil import HTTPHeaders, HTTPServerRequest, ResponseStartLine
from tornado.iostream import StreamClosedError
from tornado.wsgi import WSGIContainer

WRITE_TIMEOUT = 20.0
"""Seconds for which a client may take nothing of what it was sent."""


class StreamingContainer(WSGIContainer):
    """A WSGI container that streams the response instead of collecting it."""

    async def handle_request(self, request: HTTPServerRequest) -> None:
        """Call Flask, and stream its response."""
        begun: list[tuple[str, list[tuple[str, str]]]] = []

        def begin(status: str, head: list[tuple[str, str]], _: Any = None) -> Callable[..., None]:
            begun.append((status, head))
            return lambda _piece: None

        answer: Any = await self._run_in_thread(self.wsgi_application, self.environ(request), begin)
        with closing(answer), suppress(StreamClosedError):
            await self._send_pieces(request, *begun[-1], iter(answer))

    async def _send_pieces(
        self,
        request: HTTPServerRequest,
        status: str,
        head: list[tuple[str, str]],
        pieces: Iterator[bytes],
    ) -> None:
        line: Any = request.connection
        code, _, reason = status.partition(" ")
        headers = HTTPHeaders()
        for name, value in head:
            headers.add(name, value)
        await line.write_headers(ResponseStartLine("HTTP/1.1", int(code), reason), headers)
        while piece := await self._run_in_thread(next, pieces, b""):
            try:
                await asyncio.wait_for(asyncio.shield(line.write(piece)), WRITE_TIMEOUT)
            except TimeoutError:
                line.close()
                return
        line.finish()

    async def _run_in_thread(self, act: Callable[..., Any], *how: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.executor, act, *how)
