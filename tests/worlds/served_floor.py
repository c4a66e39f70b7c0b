"""A floor that is served on a port of its own, in a thread; tables are told to it by hand."""

import asyncio
import errno
import socket
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from tornado.httpserver import HTTPServer
from tornado.routing import PathMatches

from companion.app.floor.acting import TableActor
from companion.core.durable_files import disk_sentence
from companion.core.errors import NotWritten
from companion.floor.paired_tables import PairedTable, PairingTry
from companion.floor.table_state import TableState
from companion.floor.tiles import FloorTiles, RoomSpot
from companion.host.pin import Pin
from companion.identity import IdentityStore
from companion.identity.schema import FILE as IDENTITY_FILE
from tests.worlds.floor_browser import FloorBrowser
from tests.worlds.host_browser import QUICK_WORK
from tests.worlds.ports import free_port
from tests.worlds.visitor import UNHURRIED
from web.floor.doing import FloorDesk, doing_routes
from web.floor.evening import evening_routes
from web.floor.pin import pin_routes
from web.floor.release import release_routes
from web.floor.room_plan import plan_routes
from web.floor.server import LIMITS, FloorHandler, FloorPages
from web.floor.stream import TAKEN_WITHIN, stream_routes
from web.floor.tiles_page import page_routes
from web.rate_limits import Limits
from web.server.sockets import bind_sockets


class ServedFloor:
    """A floor without a broker: what its tables say is said by the test."""

    def __init__(
        self,
        hosts: Sequence[str] = ("localhost", "127.0.0.1"),
        evening: Path | None = None,
        taken_within: float = TAKEN_WITHIN,
        send_buffer: int = 0,
        limits: Limits = UNHURRIED,
    ) -> None:
        self.answered: list[tuple[str, int]] = []
        self.takes_answers = True
        self.disk_fails = False
        self._hosts, self._evening = hosts, evening
        self._taken_within, self._send_buffer = taken_within, send_buffer
        self._limits = limits
        self._folder = TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self._port = free_port()
        self._start()
        self.browser = FloorBrowser(self.address)
        """A browser on the machine of the floor."""

    def _start(self) -> None:
        self._identity = IdentityStore(self.folder / IDENTITY_FILE)
        self.pin = Pin(self._identity, work=QUICK_WORK)
        self._ready, self._loop = threading.Event(), asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._ready.wait(60)

    def restart(self) -> None:
        """End this program and start it anew, at the same address; tables have to speak again."""
        self._end()
        self._start()

    def tell(self, table: str, state: TableState) -> None:
        """Let a table say how it is."""
        self.call(self.tiles.hear_state, table, msgspec.json.encode(state))

    def call(self, function: Any, *facts: Any) -> None:
        """Call a function on the thread of the floor, and wait for it."""
        done = threading.Event()
        self._loop.call_soon_threadsafe(lambda: (function(*facts), done.set()))
        assert done.wait(30)

    def list_handlers(self) -> list[tuple[str, type[FloorHandler]]]:
        """Return who answers which address, as patterns without their ends."""
        rules = self._application.wildcard_router.rules
        return [
            (str(rule.matcher.regex.pattern)[:-1], rule.target)
            for rule in rules
            if isinstance(rule.matcher, PathMatches)
        ]

    def count_viewers(self) -> int:
        """Return how many streams there are."""
        return len(self._pages.viewers)

    def close(self) -> None:
        self._end()
        self._folder.cleanup()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()
        self._identity.close()

    def pair_table(self, table: str, name: str, address: str = "http://127.0.0.1:9") -> None:
        """Have a table paired; by default no one answers at its address."""
        paired = PairedTable(table, address, name, "00" * 32)
        self.call(self._actor.tables.keep_table, paired)

    def end_pairing(self, code: str, is_paired: bool) -> None:
        """Have a pairing of this code that has ended."""
        ended = PairingTry("http://127.0.0.1:9", code, lambda: is_paired)
        self.call(self._doing.tries.__setitem__, code, ended)

    def keep_backups(self, table: str, days: Sequence[str]) -> None:
        """Have a backup of a table of each of these days."""
        kept = self._actor.backups
        kept.require_room(table)
        for day in days:
            aside = kept.name_aside(table)
            aside.write_bytes(b"backup")
            kept.keep_file(aside, table, day)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._stop, self.tiles = asyncio.Event(), FloorTiles(time.monotonic)
        pages = self._pages = FloorPages(
            self.tiles,
            self.pin,
            self._answer,
            self._forget_table,
            lambda: self._hosts,
            self._limits,
        )
        pages.routes += [*page_routes(pages), *stream_routes(pages, self._taken_within)]
        pages.routes += pin_routes(pages)
        pages.routes += plan_routes(pages, self._keep_spot)
        self._actor = TableActor(self.folder, "0f1e2d3c4b5a", "Bar", self.tiles)
        self.release = self._actor.release
        desk = self._doing = FloorDesk(self._actor)
        pages.routes += [*doing_routes(pages, desk), *release_routes(pages, desk)]
        if self._evening is not None:
            pages.routes += evening_routes(pages, self._evening)
        self._application = pages.make_application()
        server = HTTPServer(self._application, **LIMITS)
        sockets = bind_sockets(self._port)
        if self._send_buffer:  # Each viewer inherits it.
            sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._send_buffer)
        server.add_sockets(sockets)
        self._port = sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self._ready.set()
        await self._stop.wait()
        pages.close()
        self._actor.close()
        server.stop()
        await server.close_all_connections()

    def _keep_spot(self, _table: str, _spot: RoomSpot) -> None:
        if self.disk_fails:
            raise NotWritten("floor", disk_sentence(errno.EIO))

    def _forget_table(self, table: str) -> None:
        if self.disk_fails:
            raise NotWritten("floor", disk_sentence(errno.EIO))
        self.tiles.forget_table(table)

    async def _answer(self, table: str, number: int) -> bool:
        self.answered.append((table, number))
        return self.takes_answers
