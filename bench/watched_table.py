"""A served table as a process of its own: Robby Solo for six with the real pages.

The first line it prints is the port, a cookie for each seat, and one for a table screen in each
language; the private keys of its browsers follow from their ids.
"""

import asyncio
import json
import logging
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from flask import Flask

from companion.core.deck import Deck
from companion.games import make_rulebook
from companion.identity import IdentityStore
from companion.journal import Journal
from companion.seating.seat_map import SeatHolder
from companion.seating.seats import Seats
from companion.table.permissions import Author
from companion.table.table import Table
from tests.worlds.rulebook_players import NAMES
from web.app import create_app
from web.context import AppContext
from web.rate_limits import Limits, Rate
from web.rendering.templates import LANGUAGE_KEY
from web.server.server import Server
from web.server.sockets import bind_sockets
from web.session_cookies import make_serializer
from web.sessions import BROWSER_KEY

SEATS = len(NAMES)
SPOKEN = ("en", "fr", "de")
ENDLESS = Rate(10**9, 1e9)
UNHURRIED = Limits(
    reads=ENDLESS, writes=ENDLESS, writes_per_browser=ENDLESS,
    connects=ENDLESS, viewers=1000, connections=2000,
)  # fmt: skip


async def serve_table(folder: Path) -> None:
    """Serve the table until SIGTERM."""
    rules = make_rulebook("robby_solo")
    table = Table(rules, Journal(folder / "journal.sqlite3"), Deck({}), time.time)
    table.start(rules.start_event(id="evening", players=NAMES), Author(0, "table"))
    seats = Seats({seat: SeatHolder(seat_browser(seat)) for seat in range(1, SEATS + 1)})
    identity = IdentityStore()
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
    asyncio.run(serve_table(Path(sys.argv[1])))
