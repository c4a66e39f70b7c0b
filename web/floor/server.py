"""Serve the page of a floor: its tiles as a stream, answers to calls, tables forgotten.

Laws: every request names one of our hosts, and every write comes from our own page and is signed by
its browser (`web.floor.browsers`). From another machine the floor asks for its PIN first. A tile
that changes is sent at once, to each viewer in its language; a viewer that takes nothing is
dropped. Nothing here waits for a table or for a broker.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from tornado.http1connection import HTTP1Connection
from tornado.httputil import HTTPServerRequest
from tornado.iostream import StreamClosedError
from tornado.web import Application, HTTPError, RequestHandler

from companion.core.errors import NotWritten
from companion.core.i18n import LANGUAGES, N_, get_language, message
from companion.floor.pin_seal import PinSeal
from companion.floor.tiles import FloorTiles
from companion.host.pin import Pin
from companion.host.pin_guesses import LOOPBACK
from companion.identity.browser_keys import HEADER, SignedRequest, body_digest
from web.floor import drawing
from web.floor.browsers import FloorBrowsers
from web.floor.refusals import DEFAULT_SENTENCE, SENTENCES, FloorProblem, SaidError
from web.rate_limits import DEFAULT_LIMITS, Limits
from web.rendering import languages
from web.response_headers import HEADERS, PROBLEM
from web.server.sockets import IDLE_TIMEOUT, MAX_FORM_SIZE, MAX_HEADER_SIZE
from web.sources import source_of
from web.static_files import load_file, served_names

BROWSER, SPOKEN = "floor", "floor_language"
"""The cookies with the id of a browser, and with its language."""
KEPT_SECONDS = 400 * 24 * 60 * 60
"""How long a browser keeps them: as long as any browser does."""
BEAT = 4.0
MOST_WAITING = 200
"""Tiles that may wait for a viewer; one that is slower begins anew with all of them."""
MOST_VIEWERS = 60
TAKEN_WITHIN = 20.0
"""Seconds after which a viewer is dropped that does not take what waits: at most all tiles."""
LIMITS = {
    "max_header_size": MAX_HEADER_SIZE,
    "max_body_size": MAX_FORM_SIZE,
    "body_timeout": 10,
    "idle_connection_timeout": IDLE_TIMEOUT,
}
"""Bytes of a request, and seconds in which its body and the next one have to come."""
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
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.tiles, self.pin, self.answer_call = tiles, pin, answer_call
        self.forget_table, self.list_hosts = forget_table, list_hosts
        self.taken_within = TAKEN_WITHIN
        """Seconds in which a viewer has to take what it was sent."""
        self.more_routes: list[tuple[str, type[FloorHandler], dict[str, object]]] = []
        """Who answers other addresses of the floor, such as those of its evening."""
        self.browsers, self.pin_seal = FloorBrowsers(pin, limits), PinSeal()
        self.viewers: dict[FloorStreamHandler, None] = {}
        """The streams, the oldest first."""
        tiles.on_change = self._tell_viewers

    def make_application(self) -> Application:
        """Return who answers which address."""
        pages = {"pages": self}
        return Application(
            [
                (r"/", PageHandler, pages),
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

    def _tell_viewers(self, table: str) -> None:
        for viewer in self.viewers:
            viewer.note_change(table)


class FloorHandler(RequestHandler):
    """The checks before every answer."""

    is_open = False
    """Whether what it is sent changes nothing at the floor, or is proven in another way."""

    def initialize(self, pages: FloorPages) -> None:
        self.pages = pages

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)
        self.set_header("Cache-Control", "no-store")

    async def prepare(self) -> None:
        """Refuse other hosts, and writes from other pages or without the browser's signature."""
        self.check_address()
        if self.request.method == "POST" and not self.is_open:
            await self.require_signature(body_digest(self.request.body))

    def check_address(self) -> None:
        """Raise 400 for a host that is none of ours, 403 for a write from another page."""
        if _host_of(self.request) not in self.pages.list_hosts():
            raise HTTPError(400)
        ours = f"{self.request.protocol}://{self.request.host}"
        if self.request.method == "POST" and self.request.headers.get("Origin") != ours:
            raise HTTPError(403)

    def check_upload(self) -> None:
        """Check, before any of its body is read, that a browser that is let in sends a file."""
        self.check_address()
        if self.request.method != "POST":
            raise HTTPError(405)
        self.require_pin()

    async def require_signature(self, digest: str) -> None:
        """Raise SaidError unless this browser signed this request, with a body of this SHA-256."""
        await self.pages.browsers.prove_write(
            self.browser, self.signed_request(digest), self.signature, self.source, self.is_let_in
        )

    def signed_request(self, digest: str) -> SignedRequest:
        """Return what the signature must be over."""
        return SignedRequest(str(self.request.method), str(self.request.uri), digest)

    def write_error(self, status_code: int, **raised: Any) -> None:
        """Answer with one sentence in the language of the reader; to our scripts as JSON."""
        error = raised.get("exc_info", (None, None))[1]
        found = error if isinstance(error, SaidError) else None
        say = found.say if found else message(SENTENCES.get(status_code, DEFAULT_SENTENCE))
        said = get_language(self.language)(say)
        if found and found.wait:
            self.set_header("Retry-After", str(found.wait))
        if "json" in self.request.headers.get("Accept", ""):
            self.set_header("Content-Type", PROBLEM)
            problem = FloorProblem(status_code, said)
            if found:
                problem = FloorProblem(status_code, said, found.code, found.next_counter)
            self.finish(_encode(problem))
        else:
            self.set_header("Content-Type", "text/plain; charset=utf-8")
            self.finish(said)

    @property
    def browser(self) -> str:
        """Return the id of the browser that its cookie names, empty if there is none."""
        return self.get_cookie(BROWSER, "") or ""

    @property
    def signature(self) -> str:
        """Return the signature as it came."""
        return self.request.headers.get(HEADER, "")

    @property
    def source(self) -> str:
        """Return what counts as the place where this comes from."""
        return source_of(self.request.remote_ip or "")

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
        return self.is_here or self.pages.browsers.sessions.is_signed_in(self.browser)

    @property
    def is_here(self) -> bool:
        """Return whether this browser is on the machine of the floor."""
        return self.source == LOOPBACK and "X-Forwarded-For" not in self.request.headers

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


class LanguageHandler(FloorHandler):
    """Take the language of this browser, which is kept in its cookie alone."""

    is_open = True

    def post(self) -> None:
        chosen = self.get_body_argument("language", "")
        if chosen in LANGUAGES:
            self.set_cookie(SPOKEN, chosen, httponly=True, samesite="Lax", max_age=KEPT_SECONDS)
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
            self._make_room()
        self._changed, self._wake, self._ends = dict[str, None](), asyncio.Event(), False
        self.set_header("Content-Type", "text/event-stream")
        connection = self.request.connection
        assert isinstance(connection, HTTP1Connection)
        # Else a change may wait until the viewer's machine has confirmed the one before it.
        connection.stream.set_nodelay(True)
        self.pages.viewers[self] = None
        try:
            await self._send_all()
            while not self._ends:
                await self._send_news()
        except StreamClosedError:
            pass
        finally:
            self.pages.viewers.pop(self, None)

    def on_connection_close(self) -> None:
        self.end()

    def _make_room(self) -> None:
        """End the oldest stream of the source that has the most, as one guest with a copied cookie
        could take every place; raise 503 if each source has one."""
        viewers = self.pages.viewers
        ((greediest, most),) = Counter(one.source for one in viewers).most_common(1)
        if most < 2:
            raise HTTPError(503)
        oldest = next(one for one in viewers if one.source == greediest)
        del viewers[oldest]
        oldest.end()

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
        await self._wait_until_taken()

    async def _send_all(self) -> None:
        tiles = self.pages.tiles
        drawn = [drawing.draw_tile(tiles, tile, self.language) for tile in tiles.list_tiles()]
        await self._send_event("all", _encode(drawn))

    async def _send_event(self, event: str, data: bytes) -> None:
        self._put_event(event, data)
        await self._wait_until_taken()

    async def _wait_until_taken(self) -> None:
        """Send nothing more before this is taken; drop a viewer that does not take it in time."""
        try:
            async with asyncio.timeout(self.pages.taken_within):
                await self.flush()
        except TimeoutError:
            connection = self.request.connection
            assert isinstance(connection, HTTP1Connection)
            connection.stream.close()
            self.end()

    def _put_event(self, event: str, data: bytes) -> None:
        self.write(b"event: " + event.encode() + b"\ndata: " + data + b"\n\n")
