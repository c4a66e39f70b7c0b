"""Serve the page of a floor: its tiles as a stream, answers to calls, tables forgotten.

Laws: every request names one of our hosts, and every write comes from our own page. From another
machine the floor asks for its PIN first. A tile that changes is sent at once, to each viewer in its
language; a viewer that takes nothing is dropped. Nothing here waits for a table or for a broker.
"""

import asyncio
import json
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from tornado.http1connection import HTTP1Connection
from tornado.httputil import HTTPServerRequest
from tornado.iostream import StreamClosedError
from tornado.web import Application, HTTPError, RequestHandler

from companion.core.errors import NotWritten, Refusal
from companion.core.i18n import LANGUAGES, N_, Message, get_language, message
from companion.floor.tiles import FloorTiles
from companion.host.fair_threads import CrowdedError
from companion.host.pin import Pin
from companion.host.pin_guesses import LOOPBACK, Guesser
from web.floor import drawing
from web.rendering import languages
from web.response_headers import HEADERS
from web.server.sockets import IDLE_TIMEOUT, MAX_FORM_SIZE, MAX_HEADER_SIZE
from web.sources import source_of
from web.static_files import load_file, served_names

SESSION, SPOKEN = "floor", "floor_language"
BEAT = 4.0
MOST_WAITING = 200
"""Tiles that may wait for a viewer; one that is slower begins anew with all of them."""
MOST_VIEWERS = 60
LIMITS = {
    "max_header_size": MAX_HEADER_SIZE,
    "max_body_size": MAX_FORM_SIZE,
    "body_timeout": 10,
    "idle_connection_timeout": IDLE_TIMEOUT,
}
"""Bytes of a request, and seconds in which its body and the next one have to come."""
SENTENCES = {
    400: N_("The floor did not understand that."),
    401: N_("Sign in with the PIN of the floor first."),
    403: N_("This was not sent from the floor's own page."),
    404: N_("The floor does not know this table, or this page."),
    405: N_("The floor does not know this table, or this page."),
    413: N_("That is more than the floor takes at once."),
    503: N_("The floor is too busy just now. Please try again."),
}
DEFAULT_SENTENCE = N_("Something went wrong at the floor. The tables play on.")
NOT_ANSWERED = N_("The table did not take the answer: go there, or answer on its screen.")
_encode = msgspec.json.Encoder().encode


class FloorPages:
    """The pages of one floor, and who watches them."""

    def __init__(
        self,
        tiles: FloorTiles,
        pin: Pin,
        answer_call: Callable[[str, int], Awaitable[bool]],
        forget_table: Callable[[str], None],
        list_hosts: Callable[[], Sequence[str]],
    ) -> None:
        self.tiles, self.pin, self.answer_call = tiles, pin, answer_call
        self.forget_table, self.list_hosts = forget_table, list_hosts
        self.more_routes: list[tuple[str, type[FloorHandler], dict[str, object]]] = []
        """Who answers other addresses of the floor, such as those of its evening."""
        self.sessions: dict[str, str] = {}
        """The browsers that signed in, each with the PIN that it typed, by its generation."""
        self.viewers: set[FloorStreamHandler] = set()
        tiles.on_change = self._tell_viewers

    def make_application(self) -> Application:
        """Return who answers which address."""
        pages = {"pages": self}
        return Application(
            [
                (r"/", PageHandler, pages),
                (r"/enter", EnterHandler, pages),
                (r"/language", LanguageHandler, pages),
                (r"/stream", FloorStreamHandler, pages),
                (r"/answer", AnswerHandler, pages),
                (r"/forget", ForgetHandler, pages),
                (r"/static/(.*)", FileHandler, pages),
                *self.more_routes,
            ],
            default_handler_class=FloorHandler,
            default_handler_args=pages,
            log_function=lambda _handler: None,
        )

    def close(self) -> None:
        """End every stream."""
        for viewer in [*self.viewers]:
            viewer.end()

    def is_session(self, token: str) -> bool:
        """Return whether this browser signed in, with the PIN that counts now."""
        typed = self.sessions.get(token, "")
        return bool(typed) and typed == self.pin.generation

    def _tell_viewers(self, table: str) -> None:
        for viewer in self.viewers:
            viewer.note_change(table)


class SaidError(HTTPError):
    """A status with the sentence that the page is to show."""

    def __init__(self, status: int, say: Message) -> None:
        super().__init__(status)
        self.say = say


class FloorHandler(RequestHandler):
    """The checks before every answer."""

    def initialize(self, pages: FloorPages) -> None:
        self.pages = pages

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)
        self.set_header("Cache-Control", "no-store")

    def prepare(self) -> None:
        """Refuse other hosts, and writes from other pages."""
        if _host_of(self.request) not in self.pages.list_hosts():
            raise HTTPError(400)
        ours = f"{self.request.protocol}://{self.request.host}"
        if self.request.method == "POST" and self.request.headers.get("Origin") != ours:
            raise HTTPError(403)

    def write_error(self, status_code: int, **raised: Any) -> None:
        """Answer with one sentence in the language of the reader."""
        error = raised.get("exc_info", (None, None))[1]
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        say = error.say if isinstance(error, SaidError) else None
        say = say or message(SENTENCES.get(status_code, DEFAULT_SENTENCE))
        self.finish(get_language(self.language)(say))

    @property
    def language(self) -> str:
        """Return the language that this browser chose, else one that it asks for."""
        chosen = self.get_cookie(SPOKEN, "")
        if chosen in LANGUAGES:
            return str(chosen)
        asked = self.request.headers.get("Accept-Language", "").replace(";", ",").split(",")
        found = (word.strip()[:2] for word in asked)
        return next((code for code in found if code in languages.offered_languages()), "en")

    @property
    def is_let_in(self) -> bool:
        """Return whether this browser is on this machine, or has typed the PIN."""
        return self.is_here or self.pages.is_session(self.get_cookie(SESSION, "") or "")

    @property
    def is_here(self) -> bool:
        """Return whether this browser is on the machine of the floor."""
        source = source_of(self.request.remote_ip or "")
        return source == LOOPBACK and "X-Forwarded-For" not in self.request.headers

    def read_number(self, field: str) -> int:
        """Return the whole number in this field of a form; HTTPError 400 if there is none."""
        typed = self.get_body_argument(field, "")
        if not (typed.isascii() and typed.isdecimal() and len(typed) < 16):
            raise HTTPError(400)
        return int(typed)

    def require_pin(self) -> None:
        if not self.is_let_in:
            raise HTTPError(401)


def _host_of(request: HTTPServerRequest) -> str:
    return request.host.rpartition(":")[0] or request.host


class PageHandler(FloorHandler):
    """The floor, or the question for its PIN."""

    def get(self) -> None:
        if self.is_let_in:
            self.finish(drawing.draw_page(self.pages.tiles, self.language, is_here=self.is_here))
        else:
            self.finish(drawing.draw_login(self.language))


class EnterHandler(FloorHandler):
    """Take the PIN."""

    async def post(self) -> None:
        typed = self.get_body_argument("pin", "")
        guesser = Guesser(source_of(self.request.remote_ip or ""))
        check = self.pages.pin.check_pin
        try:
            found = await asyncio.get_running_loop().run_in_executor(
                None, lambda: check(typed, time.monotonic(), guesser)
            )
        except CrowdedError:
            raise HTTPError(503) from None
        if isinstance(found, Refusal):
            self.set_status(401)
            self.finish(drawing.draw_login(self.language, get_language(self.language)(found.say)))
            return
        token = secrets.token_urlsafe(24)
        self.pages.sessions[token] = self.pages.pin.generation
        self.set_cookie(SESSION, token, httponly=True, samesite="Strict")
        self.redirect("/", status=303)


class LanguageHandler(FloorHandler):
    """Take the language of this browser."""

    def post(self) -> None:
        chosen = self.get_body_argument("language", "")
        if chosen in LANGUAGES:
            self.set_cookie(SPOKEN, chosen, httponly=True, samesite="Strict", expires_days=400)
        self.redirect("/", status=303)


class AnswerHandler(FloorHandler):
    """Answer the call of a table."""

    async def post(self) -> None:
        self.require_pin()
        table = self.get_body_argument("table", "")
        if table not in self.pages.tiles:
            raise HTTPError(404)
        if not await self.pages.answer_call(table, self.read_number("number")):
            raise SaidError(502, message(NOT_ANSWERED))
        self.set_status(204)


class ForgetHandler(FloorHandler):
    """Forget a table that left."""

    def post(self) -> None:
        self.require_pin()
        try:
            self.pages.forget_table(self.get_body_argument("table", ""))
        except NotWritten as failed:
            raise SaidError(503, failed.say) from None
        self.set_status(204)


class FileHandler(FloorHandler):
    """Scripts and sheets."""

    def get(self, name: str) -> None:
        if name not in served_names():
            raise HTTPError(404)
        file = load_file(name)
        self.set_header("Content-Type", file.content_type)
        self.finish(file.plain)


class FloorStreamHandler(FloorHandler):
    """One viewer: all tiles first, then each that changes."""

    async def get(self) -> None:
        """Stream until the viewer leaves or is too slow."""
        self.require_pin()
        if len(self.pages.viewers) >= MOST_VIEWERS:
            raise HTTPError(503)
        self._changed, self._wake, self._ends = dict[str, None](), asyncio.Event(), False
        self.set_header("Content-Type", "text/event-stream")
        connection = self.request.connection
        assert isinstance(connection, HTTP1Connection)
        # Else a change may wait until the viewer's machine has confirmed the one before it.
        connection.stream.set_nodelay(True)
        self.pages.viewers.add(self)
        try:
            await self._send_all()
            while not self._ends:
                await self._send_news()
        except StreamClosedError:
            pass
        finally:
            self.pages.viewers.discard(self)

    def on_connection_close(self) -> None:
        self.end()

    def note_change(self, table: str) -> None:
        """Send this tile next; of one tile only the newest."""
        self._changed[table] = None
        self._wake.set()

    def end(self) -> None:
        self._ends = True
        self._wake.set()

    async def _send_news(self) -> None:
        try:
            async with asyncio.timeout(BEAT):
                await self._wake.wait()
        except TimeoutError:
            if self.is_let_in:
                await self._send_event("beat", b"1")
            else:
                self.end()
            return
        self._wake.clear()
        if not self.is_let_in:  # A new PIN was made: its page asks for it.
            self.end()
            return
        changed, self._changed = self._changed, {}
        if len(changed) > MOST_WAITING:
            await self._send_all()
            return
        for table in changed:
            tiles = self.pages.tiles
            if table in tiles:
                drawn = drawing.draw_tile(tiles, tiles[table], self.language)
                self._put_event("tile", _encode(drawn))
            else:
                self._put_event("gone", json.dumps(table).encode())
        await self.flush()

    async def _send_all(self) -> None:
        tiles = self.pages.tiles
        drawn = [drawing.draw_tile(tiles, tile, self.language) for tile in tiles.list_tiles()]
        await self._send_event("all", _encode(drawn))

    async def _send_event(self, event: str, data: bytes) -> None:
        self._put_event(event, data)
        await self.flush()

    def _put_event(self, event: str, data: bytes) -> None:
        self.write(b"event: " + event.encode() + b"\ndata: " + data + b"\n\n")
