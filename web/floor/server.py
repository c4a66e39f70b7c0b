"""The checks before every answer of a floor, and what all its pages share.

Laws: every request names one of our hosts, and every write comes from our own page and is signed by
its browser (`web.floor.browsers`). From another machine the floor asks for its PIN first. Nothing
here waits for a table or for a broker.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import msgspec
from tornado.web import Application, HTTPError, RequestHandler

from companion.core.i18n import LANGUAGES, get_language, message
from companion.floor.pin_seal import PinSeal
from companion.floor.tiles import FloorTiles
from companion.host.pin import Pin
from companion.host.pin_guesses import LOOPBACK
from companion.identity.browser_keys import HEADER, SignedRequest, body_digest
from web.floor.browsers import FloorBrowsers
from web.floor.refusals import DEFAULT_SENTENCE, SENTENCES, FloorProblem, SaidError
from web.rate_limits import DEFAULT_LIMITS, Limits
from web.rendering import languages
from web.response_headers import HEADERS, PROBLEM
from web.server.files import file_rule
from web.server.sockets import IDLE_TIMEOUT, MAX_FORM_SIZE, MAX_HEADER_SIZE
from web.sources import source_of

BROWSER, SPOKEN = "floor", "floor_language"
"""The cookies with the id of a browser, and with its language."""
KEPT_SECONDS = 400 * 24 * 60 * 60
"""How long a browser keeps them: as long as any browser does."""
LIMITS = {
    "max_header_size": MAX_HEADER_SIZE,
    "max_body_size": MAX_FORM_SIZE,
    "body_timeout": 10,
    "idle_connection_timeout": IDLE_TIMEOUT,
}
"""Bytes of a request, and seconds in which its body and the next one have to come."""
_encode = msgspec.json.Encoder().encode


class TileViewer(Protocol):
    """One who watches the tiles."""

    @property
    def source(self) -> str:
        """Return what counts as the place where this viewer is."""

    def note_change(self, table: str) -> None:
        """Send the tile of this table next."""

    def end(self) -> None:
        """Send nothing more."""


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
        self.routes: list[FloorRoute] = []
        """Who answers which address."""
        self.browsers, self.pin_seal = FloorBrowsers(pin, limits), PinSeal()
        self.viewers: dict[TileViewer, None] = {}
        """The streams, the oldest first."""
        tiles.on_change = self._tell_viewers

    def make_application(self) -> Application:
        """Return what serves the routes, and refuses every other address."""
        return Application(
            [file_rule(lambda host: _name_of(host) in self.list_hosts()), *self.routes],
            default_handler_class=FloorHandler,
            default_handler_args={"pages": self},
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
        if _name_of(self.request.host) not in self.pages.list_hosts():
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


FloorRoute = tuple[str, type[FloorHandler], dict[str, object]]
"""An address, who answers it, and by what."""


def _name_of(host: str) -> str:
    """Return a host without its port."""
    return host.rpartition(":")[0] or host
