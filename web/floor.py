"""The page of a floor: one tile a table, in the language of its reader, and the stream that keeps
it new.

Laws: the page can only be read, and holds what every guest of a table may see there; so it asks for
no pass. A tile is drawn from what its table sent, escaped; a colour never stands alone, each look
has a word. What turns old is drawn again by the floor itself, which has the clock.
"""

import asyncio
from functools import cache
from types import MappingProxyType

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from tornado.http1connection import HTTP1Connection
from tornado.iostream import StreamClosedError
from tornado.web import Application, HTTPError
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion.core.i18n import LANGUAGES, N_
from companion.floor import FloorTiles, Look, Tile
from companion.host.status import NAMES
from web.rendering import languages
from web.response_headers import HEADERS, BareHandler
from web.static_files import STATIC, file_rule, install

LOOKS: dict[Look, str] = {
    "call": N_("Staff, please"),
    "judge": N_("Judge called"),
    "gone": N_("Switched off or cut off"),
    "old": N_("No news"),
    "red": N_("Needs a hand at once"),
    "amber": N_("Needs a look"),
    "playing": N_("Game under way"),
    "free": N_("Free"),
}
"""The word of each look."""
BEAT = 2.0
"""Seconds between checks for tiles turned old, each also a sign of life."""
TAKEN_WITHIN = 20.0
"""Seconds after which a viewer is dropped that takes nothing."""
MOST_VIEWERS, MOST_OF_ADDRESS = 60, 12
"""Streams that are open at once, and those of one address among them."""


class FloorPage:
    """The page of one floor, and its viewers; used on the thread of the loop."""

    def __init__(self, tiles: FloorTiles) -> None:
        self.tiles, self.hears_broker = tiles, False
        self.viewers: dict[asyncio.Event, str] = {}
        """What wakes each viewer, and the address it came from."""

    def note_broker(self, is_there: bool) -> None:
        """Take whether the broker is heard."""
        self.hears_broker = is_there
        self.wake_viewers()

    def wake_viewers(self) -> None:
        """Have the news sent to every viewer."""
        for viewer in self.viewers:
            viewer.set()

    def make_application(self) -> Application:
        """Return the application of the page, its stream and its files, and nothing else."""
        facts = {"page": self}
        return Application(
            [
                file_rule(),
                (r"/", PageHandler, facts),
                (r"/stream", StreamHandler, facts),
            ],
            default_handler_class=NothingHandler,
            default_handler_args=facts,
            log_function=lambda _handler: None,
        )


class FloorHandler(BareHandler):
    """Handler with the headers of every answer."""

    own_headers = MappingProxyType({**HEADERS, "Cache-Control": "no-store"})

    def initialize(self, page: FloorPage) -> None:
        self.page = page

    @property
    def language(self) -> str:
        """Return the language in the address, else one that this browser asks for."""
        asked, likes = self.get_argument("lang", ""), self.request.headers.get("Accept-Language")
        if asked in LANGUAGES:
            return asked
        offered = parse_accept_header(likes, LanguageAccept)
        return offered.best_match(LANGUAGES, LANGUAGES[0]) or LANGUAGES[0]


class PageHandler(FloorHandler):
    """The page; its tiles come by the stream."""

    def get(self) -> None:
        self.finish(_render("page", self.language))


class NothingHandler(FloorHandler):
    """404 for everything else, with the headers of every answer."""

    def prepare(self) -> None:
        raise HTTPError(404)


class StreamHandler(FloorHandler):
    """One viewer: first all tiles, then each that changes."""

    async def get(self) -> None:
        """Stream until the viewer leaves or takes nothing."""
        self._wake = asyncio.Event()
        address, viewers = self.request.remote_ip or "", self.page.viewers
        own = sum(other == address for other in viewers.values())
        if len(viewers) >= MOST_VIEWERS or own >= MOST_OF_ADDRESS:
            raise HTTPError(503)
        self.set_header("Content-Type", "text/event-stream")
        connection = self.request.connection
        assert isinstance(connection, HTTP1Connection)
        connection.stream.set_nodelay(True)
        viewers[self._wake] = address
        try:
            async with asyncio.timeout(None) as patience:
                await self._send_news(patience)
        except (StreamClosedError, TimeoutError):
            connection.stream.close()
        finally:
            del viewers[self._wake]

    async def _send_news(self, patience: asyncio.Timeout) -> None:
        """Send the changes, again and again; `patience` runs out while a viewer takes nothing."""
        tiles, loop = self.page.tiles, asyncio.get_running_loop()
        sent: dict[str, tuple[Tile, Look]] = {}
        while True:
            self._wake.clear()
            seen = {tile.table: (tile, tiles.look_of(tile)) for tile in tiles.list_tiles()}
            drawn = {
                table: draw_tile(tiles, *shown, self.language)
                for table, shown in seen.items()
                if sent.get(table) != shown
            }
            news = {"drawn": drawn, "order": [*seen], "hears": self.page.hears_broker}
            patience.reschedule(loop.time() + TAKEN_WITHIN)
            self.write(b"data: " + msgspec.json.encode(news) + b"\n\n")
            await self.flush()
            sent = seen
            try:
                async with asyncio.timeout(BEAT):
                    await self._wake.wait()
            except TimeoutError:
                continue

    def on_connection_close(self) -> None:
        self._wake.set()


def draw_tile(tiles: FloorTiles, tile: Tile, look: Look, language: str) -> str:
    """Return a tile in this language; its ages are seconds, from which the page counts on."""
    age = tiles.age_of(tile)
    facts = {"table": tile.table, "state": tile.state, "look": look, "look_word": LOOKS[look]}
    ill = NAMES.get(tile.state.ill, "") if look in ("red", "amber") else ""
    heard = -1 if age is None else int(age)
    return _render("tile", language, heard=heard, passed=int(age or 0), ill=ill, **facts)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(STATIC.parent / "templates/floor"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    install(environment)
    return environment


def _render(name: str, language: str, **facts: object) -> str:
    words = languages.plain_words(language)
    return _environment().get_template(f"{name}.html").render(**words, **facts)
