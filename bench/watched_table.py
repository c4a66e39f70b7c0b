"""A served table as a process of its own, so that its viewers cost it nothing.

`ours` is Robby Solo for six with the real pages; `peer` is a bare broadcast of as many bytes, no
more than Tornado itself. The first line it prints is the port and a cookie for each seat.
"""

import asyncio
import json
import logging
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import tornado.httpserver
import tornado.web
from flask import Flask

from companion.games import make_rulebook
from companion.identity import IdentityStore
from companion.journal import Journal
from companion.seating.seat_map import SeatHolder
from companion.seating.seats import Seats
from companion.table.permissions import Author
from companion.table.table import Table
from companion.tracking import Deck
from tests.worlds.rulebook_players import NAMES
from tests.worlds.signer import Signer, seed_of
from web import AppContext, create_app
from web.rate_limits import Limits, Rate
from web.rendering.templates import LANGUAGE_KEY
from web.server.server import Server, bind_sockets
from web.session_cookies import make_serializer
from web.sessions import BROWSER_KEY

SEATS = len(NAMES)
SPOKEN = ("en", "fr", "de")
ENDLESS = Rate(10**9, 1e9)
UNHURRIED = Limits(
    reads=ENDLESS, writes=ENDLESS, writes_per_browser=ENDLESS,
    connects=ENDLESS, viewers=1000, connections=2000,
)  # fmt: skip
EQUAL_BYTES = 10_000


async def serve_ours(folder: Path) -> None:
    """Serve the table until SIGTERM."""
    rules = make_rulebook("robby_solo")
    table = Table(rules, Journal(folder / "journal.sqlite3"), Deck({}), time.time)
    table.start(rules.start_event(id="evening", players=NAMES), Author(0, "table"))
    seats = Seats({seat: SeatHolder(seat_browser(seat)) for seat in range(1, SEATS + 1)})
    identity = IdentityStore()
    for seat in range(1, SEATS + 1):
        identity.bind_key(seat_browser(seat), Signer(seed_of(seat_browser(seat))).public_key)
    app = create_app(AppContext(table, seats, identity=identity), limits=UNHURRIED)
    server = Server(app, bind_sockets(18_600))
    await _serve_until_signal(server.port, session_cookies(app))
    await server.stop()


def seat_browser(seat: int) -> str:
    """Return the id of the browser that plays from this seat."""
    return f"browser {seat}"


def session_cookies(app: Flask) -> Sequence[str]:
    """Return a cookie for each seat, and one for a table screen in each language."""
    signed = make_serializer(app)
    sitting = [
        {BROWSER_KEY: seat_browser(seat), LANGUAGE_KEY: SPOKEN[seat % 3]}
        for seat in range(1, SEATS + 1)
    ]
    standing = [{BROWSER_KEY: f"screen {code}", LANGUAGE_KEY: code} for code in SPOKEN]
    return [str(signed.dumps(session)) for session in (*sitting, *standing)]


EVERYONE: "set[BareStream]" = set()


class BareStream(tornado.web.RequestHandler):
    """A bare broadcast: what is posted is sent to all."""

    async def get(self, *_where: str) -> None:
        self.set_header("Content-Type", "text/event-stream")
        EVERYONE.add(self)
        self.send_version(0)
        await asyncio.Event().wait()

    def post(self, *_where: str) -> None:
        version = json.loads(self.request.body)["version"]
        for each in EVERYONE:
            each.send_version(version)
        self.set_status(204)

    def send_version(self, version: int) -> None:
        self.write(f"event: state\ndata: {version} {'x' * EQUAL_BYTES}\n\n")
        self.flush()


async def serve_peer(_folder: Path) -> None:
    """Serve the bare broadcast until SIGTERM."""
    server = tornado.httpserver.HTTPServer(tornado.web.Application([(r"/(.*)", BareStream)]))
    sockets = bind_sockets(18_700)
    server.add_sockets(list(sockets))
    await _serve_until_signal(sockets[0].getsockname()[1], [""] * (SEATS + len(SPOKEN)))


async def _serve_until_signal(port: int, cookies: Sequence[str]) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    print(json.dumps([port, cookies]), flush=True)
    await stop.wait()


def resident_mebibytes(process: int | str = "self") -> float:
    """Return the resident memory of a process."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    asyncio.run({"ours": serve_ours, "peer": serve_peer}[sys.argv[1]](Path(sys.argv[2])))
