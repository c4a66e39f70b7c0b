"""A table stays the same for its floor, whatever its address is, by how many ways it is heard."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from companion.app.floor.acting import TableActor
from companion.app.floor.hearing import BROKER, TableAsker, id_of_address
from companion.core.i18n import Message
from companion.floor.floor_key import (
    ACT_HEADER,
    ANSWER_HEADER,
    parse_act_signature,
    seal_pieces,
    sign_act,
    sign_answer,
)
from companion.floor.paired_tables import PairedTable
from companion.floor.table_state import TableState
from companion.floor.tiles import FRESH, FloorTiles
from web.server.sockets import bind_sockets

pytestmark = pytest.mark.usefixtures("patient_floor")

A, B = "aaaaaaaaaaaa", "bbbbbbbbbbbb"
STATE = TableState(name="Table", game="Box", phase="seal")
replace = msgspec.structs.replace


class MovedTable:
    """A table as far as a floor asks it: it tells its state, and acts for its floor."""

    def __init__(self, id: str, name: str) -> None:
        self.id, self.name, self.key = id, name, bytes.fromhex(id[0] * 64)
        self.acts = 0


class Socket(RequestHandler):
    """An address of the network, at which now this table is and then that one."""

    def initialize(self, places: dict[int, MovedTable], addresses: list[str], n: int) -> None:
        self._table, self._address = places.get(n), addresses[n]

    def prepare(self) -> None:
        if self._table is None:
            self.request.connection.stream.close()  # type: ignore[attr-defined]
            self.finish()

    def get(self) -> None:
        assert self._table is not None
        told = replace(
            STATE, table=self._table.id, name=self._table.name, address=f"{self._address}/"
        )
        self.finish(msgspec.json.encode(told))

    def post(self) -> None:
        table, signature = self._table, parse_act_signature(self.request.headers[ACT_HEADER])
        assert table is not None
        assert signature is not None
        path, body = self.request.path, self.request.body
        if signature.value != sign_act(table.key, path, signature.counter, body):
            self.set_status(403)
            self.finish(json.dumps({"code": "unknown_floor", "title": "No such floor."}))
            return
        table.acts += 1
        if path.endswith("backup"):
            self.set_header("Content-Type", "application/octet-stream")
            self.finish(b"".join(seal_pieces(table.key, signature.counter, [table.id.encode()])))
            return
        answer = sign_answer(table.key, path, signature.counter, 200, b"{}")
        self.set_header(ANSWER_HEADER, answer)
        self.finish(b"{}")


class Network:
    """Three addresses, two tables, and a floor that asks the addresses."""

    def __init__(self, folder: Path) -> None:
        self.one, self.two = MovedTable(A, "Table 1"), MovedTable(B, "Table 2")
        self.places = {0: self.one, 1: self.two}
        self.addresses, self._servers = list[str](), list[HTTPServer]()
        for n in range(3):
            sockets = bind_sockets(19_600)
            self.addresses.append(f"http://127.0.0.1:{sockets[0].getsockname()[1]}")
            facts = {"places": self.places, "addresses": self.addresses, "n": n}
            server = HTTPServer(Application([(r"/.*", Socket, facts)]))
            server.add_sockets(sockets)
            self._servers.append(server)
        self.tiles = FloorTiles(time.monotonic)
        self.asker = TableAsker(self.addresses[:2], self.tiles, every=0.02)
        self.actor = TableActor(folder, "0f1e2d3c4b5a", "Bar", self.tiles)
        for table, address in zip((self.one, self.two), self.addresses, strict=False):
            paired = PairedTable(table.id, address, table.name, table.key.hex())
            self.actor.tables.keep_table(paired)
        self.asker.start()

    def told(self) -> dict[str, tuple[str, str]]:
        """What each tile tells: the table's name, and where it is."""
        return {
            tile.table: (tile.state.name, tile.state.address.rstrip("/"))
            for tile in self.tiles.list_tiles()
            if tile.is_online
        }

    async def until(self, is_so: Callable[[], object]) -> None:
        async with asyncio.timeout(60):
            while not is_so():
                await asyncio.sleep(0.01)

    async def act(self, table: str) -> Message | None:
        return (await self.actor.act(table, "state")).failed

    async def close(self) -> None:
        self.asker.close()
        self.actor.close()
        for server in self._servers:
            server.stop()
            await server.close_all_connections()


def play(folder: Path, story: Callable[[Network], Awaitable[None]]) -> None:
    async def play_story() -> None:
        network = Network(folder)
        first, second, _ = network.addresses
        tiles = {A: ("Table 1", first), B: ("Table 2", second)}
        await network.until(lambda: network.told() == tiles)
        try:
            await story(network)
        finally:
            await network.close()

    asyncio.run(play_story())


def test_two_tables_that_swap_their_addresses_keep_their_tiles_and_keys(tmp_path: Path) -> None:
    async def story(network: Network) -> None:
        first, second, _ = network.addresses
        network.places.update({0: network.two, 1: network.one})
        swapped = {A: ("Table 1", second), B: ("Table 2", first)}
        await network.until(lambda: network.told() == swapped)
        assert [await network.act(id) for id in (A, B)] == [None, None]
        assert (network.one.acts, network.two.acts) == (1, 1)
        found = {one.table: one.address for one in network.actor.tables.list_tables()}
        assert found == {A: second, B: first}
        assert await network.actor.fetch_backup(A) is None
        (kept,) = (tmp_path / "backups").glob(f"{A}-*.zip")
        assert kept.read_bytes() == A.encode()

    play(tmp_path, story)


def test_a_table_with_a_new_address_is_the_same_table_and_still_paired(tmp_path: Path) -> None:
    """It is found under its name; the first thing that is sealed for the floor finds it, too."""

    async def story(network: Network) -> None:
        network.places[2] = network.places.pop(0)
        network.asker.ask(id_of_address(network.addresses[0]), network.addresses[2])
        await network.until(lambda: network.told().get(A) == ("Table 1", network.addresses[2]))
        assert len(network.tiles.list_tiles()) == 2
        assert await network.actor.fetch_backup(A) is None
        kept = network.actor.tables.find_table(A)
        assert kept is not None
        assert kept.address == network.addresses[2]
        assert await network.act(A) is None

    play(tmp_path, story)


def test_what_a_table_did_not_sign_moves_it_nowhere(tmp_path: Path) -> None:
    """A liar says at a third address that it is the first table. While that one is there, the liar
    is a tile of its own that is paired with no one, and afterwards no act reaches it."""

    async def story(network: Network) -> None:
        first, second, third = network.addresses
        liar = network.places[2] = MovedTable(A, "Liar")
        liar.key = bytes(32)
        network.asker.ask(id_of_address(third), third)
        await network.until(lambda: len(network.told()) == 3)
        own = id_of_address(third)
        assert network.told()[own] == ("Liar", third)
        assert network.told()[A] == ("Table 1", first)
        assert network.actor.find_table(own) is None
        assert await network.act(A) is None
        del network.places[0]
        await network.until(lambda: network.told().get(A) == ("Liar", third))
        assert await network.act(A) is not None
        assert {one.address for one in network.actor.tables.list_tables()} == {first, second}
        network.places[0] = network.one
        assert await network.act(A) is None
        assert (network.one.acts, liar.acts) == (2, 0)
        del network.places[2]
        await network.until(lambda: network.told().get(A) == ("Table 1", first))
        assert len(network.tiles.list_tiles()) == 2, "the tile of the liar is no ghost"

    play(tmp_path, story)


class TwoEars:
    """Tiles under a clock of the test, heard at a broker and by asking."""

    def __init__(self) -> None:
        self.now = 100.0
        self.tiles = FloorTiles(lambda: self.now)

    def hear(self, ear: str, phase: str, *, is_kept: bool = False) -> None:
        told = msgspec.json.encode(replace(STATE, table=A, phase=phase))
        self.tiles.hear_state(A, told, ear=ear, is_kept=is_kept)

    def seen(self) -> tuple[str, str]:
        (tile,) = self.tiles.list_tiles()
        return tile.state.phase, self.tiles.look_of(tile)


@pytest.mark.parametrize(("first", "second"), [(BROKER, "place"), ("place", BROKER)])
def test_of_two_ears_the_first_counts_until_it_hears_nothing(first: str, second: str) -> None:
    both = TwoEars()
    both.hear(first, "seal")
    both.hear(second, "old", is_kept=second == BROKER)
    both.tiles.note_online(A, False, ear=second)
    assert both.seen() == ("seal", "playing")
    both.tiles.note_online(A, False, ear=first)
    assert both.seen() == ("seal", "gone")
    both.hear(second, "open")
    assert both.seen() == ("open", "playing")
    both.now += FRESH + 1
    both.hear(first, "sealed again")
    assert both.seen() == ("sealed again", "playing")
