"""A floor finds its tables in the network as Avahi announces them, and asks them."""

import argparse
import asyncio
import socket
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from zeroconf import IPVersion, ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from companion.app.floor.command import add_arguments, read_options
from companion.app.floor.finding import ANNOUNCED, KIND, TableFinder
from companion.app.floor.hearing import TableAsker, id_of_address
from companion.app.floor.service import FloorOptions
from companion.cli import main
from companion.floor.table_on_floor import FloorPlace
from companion.floor.tiles import FloorTiles
from tests.worlds.fresh_table import Fresh
from tests.worlds.paths import ROOT
from web.context import CONTEXT_KEY, AppContext
from web.server.server import Server
from web.server.sockets import bind_sockets

LOOPBACK = ["127.0.0.1"]


def announcement(name: str, port: int) -> ServiceInfo:
    where = [socket.inet_aton("127.0.0.1")]
    facts = {"path": "/"}
    return ServiceInfo(KIND, f"{name}.{KIND}", port, addresses=where, properties=facts)


@pytest.mark.wide
def test_a_table_is_found_by_its_announcement_and_by_no_other(tmp_path: Path) -> None:
    table = Fresh(tmp_path)
    room: AppContext = table.app.extensions[CONTEXT_KEY]
    room.floor.place = FloorPlace("Table 7")

    async def story() -> None:
        sockets = bind_sockets(18_980)
        port = sockets[0].getsockname()[1]
        server, tiles = Server(table.app, sockets), FloorTiles(time.monotonic)
        network = AsyncZeroconf(interfaces=LOOPBACK, ip_version=IPVersion.V4Only)
        asked = dict[str, str]()
        asker = TableAsker((), tiles)

        def ask(name: str, address: str) -> None:
            asked[name] = address
            asker.ask(id_of_address(name), address)

        finder = TableFinder(ask, LOOPBACK)
        finder.start()
        own = announcement("Table companion on pi-7", port)
        for each in (announcement("Printer on pi-7", 631), own):
            await network.async_register_service(each)
        key = id_of_address(own.name)
        async with asyncio.timeout(60):
            while key not in tiles:
                await asyncio.sleep(0.05)
            assert tiles[key].state.name == "Table 7"
            assert asked == {own.name: f"http://127.0.0.1:{port}"}
            await network.async_unregister_service(own)
            await server.stop()
            while tiles.look_of(tiles[key]) != "gone":
                await asyncio.sleep(0.05)
        finder.close()
        asker.close()
        await network.async_close()
        await asyncio.sleep(0.5)

    asyncio.run(story())
    table.shut()


def test_what_avahi_announces_is_what_the_floor_looks_for() -> None:
    group = ElementTree.parse(ROOT / "systemd/companion.avahi.service").getroot()
    assert (group.findtext("name") or "").startswith(ANNOUNCED)
    assert KIND.startswith(group.findtext("service/type") or "?")


@pytest.mark.parametrize(
    ("words", "tables", "finds"),
    [
        ([], (), True),
        (["--pull"], (), True),
        (["--pull", "http://a"], ("http://a",), False),
        (["--mqtt", "mqtt://a"], (), False),
        (["--mqtt", "mqtt://a", "--pull"], (), True),
    ],
)
def test_tables_are_looked_for_where_none_are_named(
    tmp_path: Path, words: list[str], tables: tuple[str, ...], finds: bool
) -> None:
    options = options_of([*words, "--data", str(tmp_path)])
    assert (options.tables, options.finds) == (tables, finds)


def options_of(words: list[str]) -> FloorOptions:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return read_options(parser.parse_args(words))


def test_without_the_library_it_says_what_to_type(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    assert main(["floor", "--pull", "--data", str(tmp_path)]) != 0
    assert "zeroconf" in capsys.readouterr().err
    assert not options_of(["--data", str(tmp_path)]).finds


@pytest.mark.wide
def test_a_floor_loads_neither_what_looks_for_tables_nor_what_serves_one() -> None:
    code = (
        "import sys, companion.app.floor.service, companion.app.floor.command;"
        "sys.exit(' '.join({'zeroconf', 'flask', 'hardware.rc522.reader'} & {*sys.modules}) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
