"""A floor hears real tables, with a broker and without, and answers a call by their API."""

import asyncio
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from companion.app.floor.answering import TableAccess
from companion.app.floor.hearing import BrokerEar, TableAsker, id_of_address
from companion.app.floor.publisher import TablePublisher
from companion.app.floor.table_id import load_table_id, renew_table_id
from companion.floor.broker import parse_broker
from companion.floor.table_on_floor import FloorPlace
from companion.floor.table_state import TableState
from companion.floor.tiles import FloorTiles
from tests.worlds.fresh_table import Fresh
from tests.worlds.mosquitto import Mosquitto
from tests.worlds.paths import ROOT
from web.context import CONTEXT_KEY, AppContext
from web.server.server import Server
from web.server.sockets import bind_sockets

pytestmark = pytest.mark.usefixtures("patient_floor")

ID = "0123456789ab"


def test_a_table_is_asked_and_its_call_answered_without_a_broker(tmp_path: Path) -> None:
    table = Fresh(tmp_path)
    room: AppContext = table.app.extensions[CONTEXT_KEY]
    room.floor.place = FloorPlace("Table 7")
    first = room.floor.calls.call(2)

    async def story() -> None:
        sockets = bind_sockets(18_950)
        address = f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
        server = Server(table.app, sockets)
        tiles, access = FloorTiles(time.monotonic), TableAccess()
        asker = TableAsker([f"{address}/", "http://127.0.0.1:1"], tiles)
        asker.start()
        try:
            async with asyncio.timeout(60):
                while id_of_address(address) not in tiles:
                    await asyncio.sleep(0.02)
                tile = tiles[id_of_address(address)]
                assert (tile.state.name, tiles.look_of(tile)) == ("Table 7", "call")
                second = room.floor.calls.call(3)
                assert await access.answer_call(address, first.number)
                assert room.floor.calls.current == second
                assert await access.answer_call(address, second.number)
                assert room.floor.calls.current is None
                assert not await access.answer_call("http://127.0.0.1:1", 1)
        finally:
            asker.close()
            access.close()
            await server.stop()

    asyncio.run(story())
    table.shut()


@pytest.mark.wide
def test_a_floor_is_right_again_after_its_broker_was_killed(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path).start()
    state = TableState(name="Table 7", game="Box", phase="seal", players=3)
    table = TablePublisher(parse_broker(broker.address), ID, lambda: state, lambda: ID)
    table.start()

    async def story() -> None:
        tiles = FloorTiles(time.monotonic)
        ear = BrokerEar(parse_broker(broker.address), tiles, "floor")
        ear.start()

        async def until_look(look: str) -> None:
            while ID not in tiles or tiles.look_of(tiles[ID]) != look:
                await asyncio.sleep(0.02)

        async with asyncio.timeout(90):
            await until_look("playing")
            broker.kill()
            tiles.forget_table(ID)
            broker.start()
            await until_look("playing")
            table.close()
            await until_look("gone")
            ear.forget_table(ID)
            while ID in tiles:
                await asyncio.sleep(0.02)
        ear.close()

    asyncio.run(story())
    broker.kill()


def test_a_table_keeps_its_id_and_draws_another_one(tmp_path: Path) -> None:
    drawn = load_table_id(tmp_path)
    assert load_table_id(tmp_path) == drawn
    (tmp_path / "floor-id").write_bytes(b"../../etc\xff")
    other = load_table_id(tmp_path)
    assert other != drawn
    assert renew_table_id(tmp_path) != other


@pytest.mark.wide
def test_the_demo_brings_tables_with_bots_to_the_page_and_ends_them_with_it() -> None:
    """Real programs: a broker, the floor and two tables, as `make floor` starts twelve."""
    command = [sys.executable, "-m", "bench.floor_demo", "--tables", "2", "--port", "18970"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as demo:
        assert demo.stdout is not None
        where, told = demo.stdout.readline(), demo.stdout.readline()
        demo.terminate()  # Before anything is asserted, or a failure would wait for it for ever.
        assert demo.wait(60) == 128 + signal.SIGTERM
    assert told.startswith("2 of 2 tables play after"), told
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(where.split()[-1], timeout=5)
