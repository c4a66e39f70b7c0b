"""The floor as a running program: it hears its tables, keeps what they said, and serves one page.

Law: the floor never plays for a table and holds up none. Whatever ends this process, the next one
knows the same tables.
"""

import asyncio
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback

from companion.app.addresses import LOOPBACK, answered_hosts, page_addresses
from companion.app.event_loop import open_sockets
from companion.app.floor.answering import TableAccess
from companion.app.floor.hearing import BrokerEar, TableAsker
from companion.app.floor.table_id import load_table_id
from companion.floor.broker import Broker
from companion.floor.store import FloorStore
from companion.floor.tiles import FloorTiles
from companion.host.pin import Pin
from companion.identity import IdentityStore
from companion.identity.schema import FILE as IDENTITY_FILE
from web.floor.server import FloorPages

KEPT_EVERY_MS = 2_000


class FloorOptions(NamedTuple):
    """Where a floor keeps, hears and shows its tables."""

    folder: Path
    address: str = "127.0.0.1"
    port: int = 8100
    broker: Broker | None = None
    tables: Sequence[str] = ()
    """The addresses of tables that are asked, without a broker."""


class Ear(Protocol):
    """What hears the tables."""

    def start(self) -> None: ...
    def close(self) -> None: ...
    def forget(self, table: str) -> None: ...


def run_floor(
    options: FloorOptions,
    tell_pin: Callable[[str], None],
    greet: Callable[[Sequence[str]], None],
) -> int:
    """Serve the floor until it is stopped; return the exit status.

    Raise Malformed if the folder, the address or the broker's certificate cannot be used.
    """
    return asyncio.run(_serve(options, tell_pin, greet))


async def _serve(
    options: FloorOptions,
    tell_pin: Callable[[str], None],
    greet: Callable[[Sequence[str]], None],
) -> int:
    with ExitStack() as running:
        store = running.enter_context(closing(FloorStore(options.folder)))
        identity = running.enter_context(closing(IdentityStore(options.folder / IDENTITY_FILE)))
        sockets = open_sockets(options.port, options.address)
        port: int = sockets[0].getsockname()[1]
        tiles, access = FloorTiles(time.monotonic, store.load()), TableAccess()
        running.callback(access.close)
        ears = _make_ears(options, tiles)
        pin = Pin(identity, tell_pin)
        pages = FloorPages(
            tiles,
            pin,
            partial(_answer_call, tiles, access),
            partial(_forget, tiles, store, ears),
            _own_hosts(options.address),
        )
        _keep_changes(tiles, store, running)
        server = HTTPServer(pages.make_application(), idle_connection_timeout=60)
        server.add_sockets(sockets)
        for ear in ears:
            ear.start()
            running.callback(ear.close)
        pin.ensure_pin()
        greet(page_addresses(options.address, port))
        await _until_stopped()
        pages.close()
        server.stop()
    return 0


def _make_ears(options: FloorOptions, tiles: FloorTiles) -> list[Ear]:
    ears: list[Ear] = []
    if options.broker is not None:
        name = f"companion-floor-{load_table_id(options.folder)}"
        ears.append(BrokerEar(options.broker, tiles, name))
    if options.tables:
        ears.append(TableAsker(options.tables, tiles))
    return ears


def _keep_changes(tiles: FloorTiles, store: FloorStore, running: ExitStack) -> None:
    """Keep what has changed on disk, all of some seconds at once: no tile waits for the disk."""
    tell, changed = tiles.on_change, set[str]()

    def note_change(table: str) -> None:
        tell(table)
        changed.add(table)

    def write() -> None:
        store.keep([(table, tiles[table].state) for table in changed if table in tiles])
        changed.clear()

    tiles.on_change = note_change
    timer = PeriodicCallback(write, KEPT_EVERY_MS)
    timer.start()
    running.callback(write)
    running.callback(timer.stop)


async def _answer_call(tiles: FloorTiles, access: TableAccess, table: str) -> bool:
    state = tiles[table].state
    if state.call is None:
        return True
    return bool(state.address) and await access.answer_call(state.address, state.call.number)


def _forget(tiles: FloorTiles, store: FloorStore, ears: Sequence[Ear], table: str) -> None:
    if tiles.forget(table):
        store.forget(table)
        for ear in ears:
            ear.forget(table)


def _own_hosts(address: str) -> Callable[[], Sequence[str]]:
    """Return what tells under which names this floor is asked for; looked up once a second."""
    known: tuple[float, Sequence[str]] = (-1.0, ())

    def hosts() -> Sequence[str]:
        nonlocal known
        now = time.monotonic()
        if now - known[0] > 1.0 or not known[1]:
            known = now, (*LOOPBACK, *answered_hosts(address))
        return known[1]

    return hosts


async def _until_stopped() -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    await stopped.wait()
