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

import msgspec
from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback

from companion.app.addresses import LOOPBACK, answered_hosts, page_addresses
from companion.app.floor.acting import TableActor
from companion.app.floor.answering import TableAccess
from companion.app.floor.finding import TableFinder
from companion.app.floor.hearing import BrokerEar, TableAsker, id_of_address
from companion.app.floor.inviting import BrokerInviter, Invitation
from companion.app.floor.pulling import EveningPuller
from companion.app.floor.table_id import load_table_id
from companion.app.listening import open_sockets
from companion.app.memory import return_large_blocks
from companion.floor.broker import Broker
from companion.floor.broker_accounts import BrokerAccounts
from companion.floor.evening_store import EveningStore
from companion.floor.store import FloorStore
from companion.floor.tiles import FloorTiles
from companion.host.pin import Pin
from companion.identity import IdentityStore
from companion.identity.schema import FILE as IDENTITY_FILE
from web.floor.doing import FloorDesk, doing_routes
from web.floor.evening import evening_routes
from web.floor.pin import pin_routes
from web.floor.release import release_routes
from web.floor.room_plan import plan_routes
from web.floor.server import LIMITS, FloorPages
from web.floor.stream import stream_routes
from web.floor.tiles_page import page_routes

KEPT_EVERY_MS, CHECKPOINT_EVERY_MS = 2_000, 30_000


class FloorOptions(NamedTuple):
    """Where a floor keeps, hears and shows its tables."""

    folder: Path
    address: str = "127.0.0.1"
    port: int = 8100
    broker: Broker | None = None
    tables: Sequence[str] = ()
    """The addresses of tables that are asked, without a broker."""
    finds: bool = False
    """Whether tables are found in the network, and asked."""
    name: str = "Floor"
    """What the hosts of tables see of this floor."""
    invitation: Invitation | None = None
    """How tables that are paired come to the broker; None if that is said in the config of each."""


class Ear(Protocol):
    """What hears the tables."""

    def start(self) -> None: ...
    def close(self) -> None: ...
    def forget_table(self, table: str) -> None: ...


def run_floor(
    options: FloorOptions,
    tell_pin: Callable[[str], None],
    greet: Callable[[Sequence[str]], None],
) -> int:
    """Serve the floor until it is stopped; return the exit status.

    Raise Malformed if the folder, the address or the broker's certificate cannot be used.
    """
    return_large_blocks()
    return asyncio.run(_serve_floor(options, tell_pin, greet))


async def _serve_floor(
    options: FloorOptions,
    tell_pin: Callable[[str], None],
    greet: Callable[[Sequence[str]], None],
) -> int:
    with ExitStack() as running:
        store = running.enter_context(closing(FloorStore(options.folder)))
        identity = running.enter_context(closing(IdentityStore(options.folder / IDENTITY_FILE)))
        sockets = open_sockets(options.port, options.address)
        port: int = sockets[0].getsockname()[1]
        tiles, access = FloorTiles(time.monotonic, store.load_states()), TableAccess()
        running.callback(access.close)
        actor = TableActor(options.folder, load_table_id(options.folder), options.name, tiles)
        running.callback(actor.close)
        ears = _make_ears(_make_logins(options, actor, running), tiles)
        pin = Pin(identity, tell_pin)
        pages = FloorPages(
            tiles,
            pin,
            partial(_answer_call, tiles, access, actor),
            partial(_forget_table, tiles, store, ears),
            _own_hosts(options.address),
        )
        _keep_changes(tiles, store, running)
        tiles.spots.update(store.load_spots())
        pages.routes += [*page_routes(pages), *stream_routes(pages), *pin_routes(pages)]
        pages.routes += plan_routes(pages, store.keep_spot)
        doing = FloorDesk(actor)
        pages.routes += [*doing_routes(pages, doing), *release_routes(pages, doing)]
        _keep_evening(options.folder, tiles, pages, running)
        server = HTTPServer(pages.make_application(), **LIMITS)
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


def _make_logins(options: FloorOptions, actor: TableActor, running: ExitStack) -> FloorOptions:
    """Make logins at the broker from now on, if that is asked for; return the options with that of
    the floor itself.

    Raise Malformed if the files of the broker cannot be read, NotWritten if not written.
    """
    if options.invitation is None or options.broker is None:
        return options
    accounts = BrokerAccounts(options.invitation.folder, load_table_id(options.folder))
    inviter = BrokerInviter(actor, accounts, options.invitation)
    running.callback(inviter.close)
    actor.on_unpaired = inviter.shut_out
    if options.broker.user:
        return options
    user, password = accounts.make_own_login(options.folder)
    own = msgspec.structs.replace(options.broker, user=user, password=password)
    return options._replace(broker=own)


def _make_ears(options: FloorOptions, tiles: FloorTiles) -> list[Ear]:
    ears: list[Ear] = []
    if options.broker is not None:
        name = f"companion-floor-{load_table_id(options.folder)}"
        ears.append(BrokerEar(options.broker, tiles, name))
    if options.tables or options.finds:
        asker = TableAsker(options.tables, tiles)
        ears.append(asker)
        if options.finds:
            ears.append(TableFinder(lambda name, at: asker.ask(id_of_address(name), at)))
    return ears


def _keep_changes(tiles: FloorTiles, store: FloorStore, running: ExitStack) -> None:
    """Keep what has changed on disk, all of some seconds at once; the checkpoint, which waits for
    the disk, runs beside the thread that sends the tiles."""
    tell, changed = tiles.on_change, set[str]()

    def note_change(table: str) -> None:
        tell(table)
        changed.add(table)

    def write_changes() -> None:
        told = {*changed}
        changed.clear()
        changed.update(store.keep_changes(told, tiles))

    async def run_checkpoint() -> None:
        await asyncio.to_thread(store.run_checkpoint)

    tiles.on_change = note_change
    running.callback(write_changes)
    for timer in (
        PeriodicCallback(write_changes, KEPT_EVERY_MS),
        PeriodicCallback(run_checkpoint, CHECKPOINT_EVERY_MS),
    ):
        timer.start()
        running.callback(timer.stop)


def _keep_evening(folder: Path, tiles: FloorTiles, pages: FloorPages, running: ExitStack) -> None:
    """Pull what the tables have played, and offer the page of the evening."""
    store = running.enter_context(closing(EveningStore(folder)))
    pages.routes += evening_routes(pages, store.path)
    puller = EveningPuller(store, tiles)
    puller.start()
    running.callback(puller.close)


async def _answer_call(
    tiles: FloorTiles, access: TableAccess, actor: TableActor, table: str, number: int
) -> bool:
    """End this call: signed where the table is paired, else as any guest there may."""
    if actor.find_table(table) is not None:
        return (await actor.act(table, "call", {"number": number})).failed is None
    address = tiles[table].state.address
    return bool(address) and await access.answer_call(address, number)


def _forget_table(tiles: FloorTiles, store: FloorStore, ears: Sequence[Ear], table: str) -> None:
    """Forget a table everywhere; NotWritten if the disk does not take that: then it stays."""
    store.forget_table(table)
    tiles.forget_table(table)
    for ear in ears:
        ear.forget_table(table)


def _own_hosts(address: str) -> Callable[[], Sequence[str]]:
    """Return what tells under which names this floor is asked for; looked up once a second."""
    known: tuple[float, Sequence[str]] = (-1.0, ())

    def list_hosts() -> Sequence[str]:
        nonlocal known
        now = time.monotonic()
        if now - known[0] > 1.0 or not known[1]:
            known = now, (*LOOPBACK, *answered_hosts(address))
        return known[1]

    return list_hosts


async def _until_stopped() -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    await stopped.wait()
