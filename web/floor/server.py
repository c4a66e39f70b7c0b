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

import msgspec
from tornado.httputil import HTTPServerRequest
from tornado.iostream import StreamClosedError
from tornado.web import Application, HTTPError, RequestHandler

from companion.core.errors import Refusal
from companion.core.i18n import LANGUAGES, get_language
from companion.floor.tiles import FloorTiles
from companion.host.fair_threads import CrowdedError
from companion.host.pin import Pin
from companion.host.pin_guesses import LOOPBACK, Guesser
from web.floor import drawing
from web.rendering import templates
from web.security import HEADERS
from web.sources import source_of
from web.static_files import load_file, served_names

SESSION, SPOKEN = "floor", "floor_language"
BEAT = 4.0
MOST_WAITING = 200
"""Tiles that may wait for a viewer; one that is slower begins anew with all of them."""
MOST_VIEWERS = 60
_encode = msgspec.json.Encoder().encode


class FloorPages:
    """The pages of one floor, and who watches them."""

    def __init__(
        self,
        tiles: FloorTiles,
        pin: Pin,
        answer_call: Callable[[str], Awaitable[bool]],
        forget: Callable[[str], None],
        hosts: Callable[[], Sequence[str]],
    ) -> None:
        self.tiles, self.pin, self.answer_call, self.forget = tiles, pin, answer_call, forget
        self.hosts = hosts
        self.sessions: set[str] = set()
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
            ],
            default_handler_class=FloorHandler,
            default_handler_args=pages,
            log_function=lambda _handler: None,
        )

    def close(self) -> None:
        """End every stream."""
        for viewer in [*self.viewers]:
            viewer.end()

    def _tell_viewers(self, table: str) -> None:
        for viewer in self.viewers:
            viewer.note_change(table)


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
        if _host_of(self.request) not in self.pages.hosts():
            raise HTTPError(400)
        ours = f"{self.request.protocol}://{self.request.host}"
        if self.request.method == "POST" and self.request.headers.get("Origin") != ours:
            raise HTTPError(403)

    def write_error(self, status_code: int, **_kwargs: object) -> None:
        self.finish(f"{status_code}")

    @property
    def language(self) -> str:
        """Return the language that this browser chose, else one that it asks for."""
        chosen = self.get_cookie(SPOKEN, "")
        if chosen in LANGUAGES:
            return str(chosen)
        asked = self.request.headers.get("Accept-Language", "").replace(";", ",").split(",")
        found = (word.strip()[:2] for word in asked)
        return next((code for code in found if code in templates.offered_languages()), "en")

    @property
    def is_let_in(self) -> bool:
        """Return whether this browser is on this machine, or has typed the PIN."""
        source, head = source_of(self.request.remote_ip or ""), self.request.headers
        is_here = source == LOOPBACK and "X-Forwarded-For" not in head
        return is_here or self.get_cookie(SESSION, "") in self.pages.sessions

    def require_pin(self) -> None:
        if not self.is_let_in:
            raise HTTPError(401)


def _host_of(request: HTTPServerRequest) -> str:
    return request.host.rpartition(":")[0] or request.host


class PageHandler(FloorHandler):
    """The floor, or the question for its PIN."""

    def get(self) -> None:
        draw = drawing.draw_page(self.pages.tiles, self.language) if self.is_let_in else ""
        self.finish(draw or drawing.draw_login(self.language))


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
        self.pages.sessions.add(token)
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
        if not await self.pages.answer_call(table):
            raise HTTPError(502)
        self.set_status(204)


class ForgetHandler(FloorHandler):
    """Forget a table that left."""

    def post(self) -> None:
        self.require_pin()
        self.pages.forget(self.get_body_argument("table", ""))
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
            await self._send("beat", b"1")
            return
        self._wake.clear()
        changed, self._changed = self._changed, {}
        if len(changed) > MOST_WAITING:
            await self._send_all()
            return
        for table in changed:
            tiles = self.pages.tiles
            if table in tiles:
                drawn = drawing.draw_tile(tiles, tiles[table], self.language)
                self._put("tile", _encode(drawn))
            else:
                self._put("gone", json.dumps(table).encode())
        await self.flush()

    async def _send_all(self) -> None:
        tiles = self.pages.tiles
        drawn = [drawing.draw_tile(tiles, tile, self.language) for tile in tiles.list_tiles()]
        await self._send("all", _encode(drawn))

    async def _send(self, event: str, data: bytes) -> None:
        self._put(event, data)
        await self.flush()

    def _put(self, event: str, data: bytes) -> None:
        self.write(b"event: " + event.encode() + b"\ndata: " + data + b"\n\n")
