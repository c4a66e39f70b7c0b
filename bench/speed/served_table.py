"""Tables to be measured, each a process of its own: ours, and the least that could do the same.

`ours` is a table with the real pages and a journal; `bare` is no more than Tornado: a request
writes a line with SQLite as our journal does, is answered, and as many bytes as ours sends go to
all. It is the journal's own connection, so both wait for the same disk. One line of JSON comes in:
the folder, the start of the game, the public keys of its phones, the number of bytes. One line goes
out: the port, the number of this start, a cookie for each phone, one for a table screen in each
language.
"""

import asyncio
import json
import logging
import resource
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import tornado.httpserver
import tornado.web

from companion.core.databases import connect
from companion.core.deck import Deck
from companion.core.events import Started, from_fields
from companion.games import make_rulebook
from companion.journal import Journal
from companion.journal.file import INSERT_LINE
from companion.seating.identity import IdentityStore
from companion.seating.seats import SeatHolder, Seats
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table
from web.app import create_app
from web.browsers import BROWSER_KEY, Limits, make_serializer
from web.context import AppContext
from web.rendering.screens import LANGUAGE_KEY
from web.server.server import Server
from web.server.sockets import bind_sockets

SCREEN_LANGUAGES = ("en", "fr", "de")
UNHURRIED = Limits(tokens=10**9, per_second=1e9, viewers=2_000, connections=4_000)
FIRST_PORT = 18_600
WRAPPING = 29
"""Bytes around the data of an event, its chunk included."""


class Order(msgspec.Struct, frozen=True):
    """A table to serve."""

    folder: str
    game: str
    start: dict[str, Any]
    public_keys: list[str]
    size: int = 0


async def serve_ours(order: Order) -> None:
    """Serve a real table until the end."""
    rules, folder = make_rulebook(order.game), Path(order.folder)
    table = Table(rules, Journal(folder / "journal.sqlite3"), Deck({}), time.time)
    start = from_fields(order.start, rules.event_types)
    assert isinstance(start, Started)
    table.start(start, HOST_AUTHOR)
    seats, identity = range(1, len(order.public_keys) + 1), IdentityStore()
    for seat, key in zip(seats, order.public_keys, strict=True):
        identity.bind_key(f"browser {seat}", bytes.fromhex(key))
    sitting = Seats({seat: SeatHolder(f"browser {seat}") for seat in seats})
    context = AppContext(table, sitting, identity=identity)
    app = create_app(context, limits=UNHURRIED)
    server = Server(app, bind_sockets(FIRST_PORT))
    signed = make_serializer(app)
    sessions = [
        {BROWSER_KEY: f"browser {seat}", LANGUAGE_KEY: SCREEN_LANGUAGES[seat % 3]} for seat in seats
    ] + [{BROWSER_KEY: f"screen {code}", LANGUAGE_KEY: code} for code in SCREEN_LANGUAGES]
    cookies = [str(signed.dumps(session)) for session in sessions]
    await _serve_until_signal(server.port, cookies, context.browsers.attempts.start)
    await server.stop()


class BareTable(tornado.web.RequestHandler):
    """Writes what is posted, answers, and sends the news to all."""

    def initialize(self, journal: Any, viewers: "set[BareTable]", news: bytes) -> None:
        self._journal, self._viewers, self._news = journal, viewers, news

    async def get(self, *_path: str) -> None:
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Cache-Control", "no-store")
        self._viewers.add(self)
        self.send_news()
        await asyncio.Event().wait()

    def post(self, *_path: str) -> None:
        self._journal.write_line(self.request.body.decode())
        self.set_status(204)
        self.finish()
        for viewer in self._viewers:
            viewer.send_news()

    def send_news(self) -> None:
        self.write(self._news)
        self.flush()

    def on_connection_close(self) -> None:
        self._viewers.discard(self)


class BareJournal:
    """The connection of a journal, without its checks and its chain."""

    def __init__(self, path: Path) -> None:
        Journal(path).close()
        self._connection = connect(path)
        self._lines = 0

    def write_line(self, text: str) -> None:
        """Write a line; it is on disk when this returns."""
        self._lines += 1
        row = (self._lines, "bare", "bare", time.time(), "phone", text, "", "", 0, b"")
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute(INSERT_LINE, row)
        self._connection.execute("COMMIT")


async def serve_bare(order: Order) -> None:
    """Serve no more than Tornado until the end."""
    news = b"event: state\ndata: %s\n\n" % (b"x" * max(order.size - WRAPPING, 0))
    given = {
        "journal": BareJournal(Path(order.folder) / "journal.sqlite3"),
        "viewers": set(),
        "news": news,
    }
    server = tornado.httpserver.HTTPServer(tornado.web.Application([(r"/(.*)", BareTable, given)]))
    sockets = bind_sockets(FIRST_PORT + 100)
    server.add_sockets(list(sockets))
    cookies = [""] * (len(order.public_keys) + len(SCREEN_LANGUAGES))
    await _serve_until_signal(sockets[0].getsockname()[1], cookies)


async def _serve_until_signal(port: int, cookies: Sequence[str], start: str = "") -> None:
    """Serve until SIGTERM, or until standard input ends because the measuring process is gone."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    loop.add_reader(sys.stdin, stop.set)
    sys.stdout.write(json.dumps([port, start, cookies]) + "\n")
    sys.stdout.flush()
    await stop.wait()


def main() -> None:
    """Serve the table that the first line of standard input orders."""
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    order = msgspec.json.decode(sys.stdin.readline(), type=Order)
    asyncio.run({"ours": serve_ours, "bare": serve_bare}[sys.argv[1]](order))


if __name__ == "__main__":
    main()
