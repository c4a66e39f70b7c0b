"""Pages: hand requests over to Flask on a few threads, strangers last (see pool.py).

Laws: Flask's whole response is made in one turn on a thread, but for a download, of which no more
than one piece is in memory. A client that takes nothing for WRITE_TIMEOUT seconds is disconnected.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import NamedTuple, TypeVar, cast

from flask import Flask
from tornado.http1connection import HTTP1Connection
from tornado.httputil import HTTPHeaders, HTTPServerRequest, ResponseStartLine
from tornado.iostream import StreamClosedError
from tornado.wsgi import WSGIContainer
from werkzeug.wsgi import ClosingIterator

from web.browsers import Client
from web.response_headers import BareHandler
from web.security import CROWDED, UPLOAD
from web.server.pool import CrowdedError, Pool

T = TypeVar("T")
Write = Callable[[bytes], None]

PAGE_THREADS = 8
STRANGERS_WAITING = 128
CROWDED_SECONDS = 2
"""Seconds after which a request that found no place may be made again."""
NOT_MODIFIED = 304
WRITE_TIMEOUT = 20.0
"""Seconds that a client may take no bytes."""


class WsgiResponse(NamedTuple):
    """A whole response of Flask."""

    start: ResponseStartLine
    headers: HTTPHeaders
    body: bytes


class AnswerFirst:
    """Holds back the news of a change, until the request that made it is answered.

    Telling takes the interpreter for milliseconds; the one who asked is not to wait for it.
    """

    def __init__(self) -> None:
        self._local = threading.local()

    @contextmanager
    def hold_all(self) -> Iterator[list[Callable[[], None]]]:
        """Collect this thread's notifications meanwhile."""
        held: list[Callable[[], None]] = []
        self._local.held = held
        try:
            yield held
        finally:
            del self._local.held

    def hold_back(self, tell: Callable[[], None]) -> bool:
        """Keep this for after the answer; False on a thread that answers no request."""
        held: list[Callable[[], None]] | None = getattr(self._local, "held", None)
        if held is None:
            return False
        if tell not in held:
            held.append(tell)
        return True


class Pages(WSGIContainer):
    """Hands requests over to Flask, strangers last; their news goes out after the answer."""

    def __init__(
        self,
        app: Flask,
        pool: Pool,
        client_of: Callable[[HTTPServerRequest], Client],
        answers: AnswerFirst,
    ) -> None:
        super().__init__(app)
        self.app = app
        self._pool, self._client_of, self._answers = pool, client_of, answers
        self._open: set[asyncio.Future[None]] = set()

    def environ(self, request: HTTPServerRequest) -> dict[str, object]:
        """Return the environment of a request, with the signature's result for a file that was
        received here and is not handed on (upload.py)."""
        flaw: str | None = getattr(request, "upload_flaw", None)
        return super().environ(request) | ({} if flaw is None else {UPLOAD: flaw})

    async def handle_request(self, request: HTTPServerRequest) -> None:
        """Call Flask, and send its response; CrowdedError if there is no place in the line."""
        environ = self.environ(request)
        told: list[Callable[[], None]] = []
        connection = cast(HTTP1Connection, request.connection)
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open.add(answered)
        try:
            answer = await self.run_in_thread(request, self.call_flask, environ, told)
            written = connection.write_headers(answer.start, answer.headers, chunk=answer.body)
        finally:
            for tell in told:  # The kernel has the answer, or there will be none.
                tell()
            self._open.remove(answered)
            answered.set_result(None)
        await send_or_close(connection, written)
        connection.finish()

    async def refuse_request(self, request: HTTPServerRequest) -> None:
        """Send Flask's refusal of a request without a place; its attempt counts at once, and a
        flood waits for its refusals."""
        told: list[Callable[[], None]] = []
        answer = self.call_flask(self.environ(request) | {CROWDED: CROWDED_SECONDS}, told)
        for tell in told:
            tell()
        await asyncio.sleep(CROWDED_SECONDS)
        connection = cast(HTTP1Connection, request.connection)
        await connection.write_headers(answer.start, answer.headers, chunk=answer.body)
        connection.finish()

    async def wait_until_answered(self) -> None:
        """Wait until the kernel has the answers to all that is asked now."""
        if self._open:
            await asyncio.wait(tuple(self._open))

    async def run_in_thread(
        self, request: HTTPServerRequest, function: Callable[..., T], *args: object
    ) -> T:
        """Run a function on a thread in the turn of this request's client."""
        work = partial(function, *args)
        return await asyncio.wrap_future(self._pool.submit(self._client_of(request), work))

    def call_flask(
        self, environ: dict[str, object], told: list[Callable[[], None]]
    ) -> WsgiResponse:
        """Return the whole response; collect its news in `told`."""
        with self._answers.hold_all() as held:
            try:
                start, headers, pieces = self.begin_response(environ)
                with closing(pieces):
                    body = b"".join(pieces)
            finally:
                told += held
        if start.code != NOT_MODIFIED:
            headers.setdefault("Content-Length", str(len(body)))
        return WsgiResponse(start, headers, body)

    def begin_response(
        self, environ: dict[str, object]
    ) -> tuple[ResponseStartLine, HTTPHeaders, ClosingIterator]:
        """Call Flask; return the start of its response, and the pieces of the body."""
        begun: list[tuple[str, list[tuple[str, str]]]] = []

        def begin(status: str, head: list[tuple[str, str]], _: object = None) -> Write:
            begun.append((status, head))
            return lambda _piece: None

        pieces = cast(ClosingIterator, self.wsgi_application(environ, begin))
        status, head = begun[-1]
        code, _, reason = status.partition(" ")
        headers = HTTPHeaders()
        for name, value in head:
            headers.add(name, value)
        return ResponseStartLine("HTTP/1.1", int(code), reason), headers, pieces


class PagesOnLoop(Pages):
    """Pages so cheap that the event loop draws them itself: /healthz answers even while every
    thread is busy, or a hundred phones that reconnect would look like a dead table."""

    async def run_in_thread(
        self, _request: HTTPServerRequest, function: Callable[..., T], *args: object
    ) -> T:
        """Run the function at once."""
        return function(*args)


class StreamingPages(Pages):
    """Pages whose responses are streamed instead of collected."""

    async def handle_request(self, request: HTTPServerRequest) -> None:
        """Call Flask, and stream its response."""
        connection = cast(HTTP1Connection, request.connection)
        environ = self.environ(request)
        start, headers, pieces = await self.run_in_thread(request, self.begin_response, environ)
        with closing(pieces):
            await connection.write_headers(start, headers)
            try:
                while piece := await self.run_in_thread(request, next, iter(pieces), b""):
                    await send_or_close(connection, connection.write(piece))
            except CrowdedError:  # Its head is sent, so that no refusal can follow.
                connection.close()
                raise StreamClosedError from None
            connection.finish()


async def send_or_close(connection: HTTP1Connection, written: Awaitable[None]) -> None:
    """Wait until the client has taken the written bytes; disconnect it if it takes nothing."""
    if not connection.stream.writing():
        return  # As a rule: the kernel has taken it.
    try:
        await asyncio.wait_for(asyncio.shield(asyncio.ensure_future(written)), WRITE_TIMEOUT)
    except TimeoutError:
        connection.close()
        raise StreamClosedError from None


class FlaskHandler(BareHandler):
    """Hands a request over to Flask, which writes every answer, errors too."""

    def initialize(self, pages: Pages) -> None:
        self.pages = pages

    async def prepare(self) -> None:
        """Hand the request over."""
        await self.forward_to_flask(self.request)

    async def forward_to_flask(self, request: HTTPServerRequest) -> None:
        """Let Flask answer, also where there is no place in the line."""
        try:
            try:
                await self.pages.handle_request(request)
            except CrowdedError:
                await self.pages.refuse_request(request)
        except StreamClosedError:  # The client has left.
            self._finished = True
        else:
            self._finished = True
            self.on_finish()
