"""The floor as a whole: real tables with bots, a real Mosquitto, and the page's stream."""

import asyncio
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import msgspec
import pytest
from tornado.httpserver import HTTPServer

from bench.floor_demo import start_table
from companion.floor import FRESH, FloorTiles, TableState
from companion.host.host_pass import write_pass
from tests.worlds.hand_clock import HandClock
from tests.worlds.mosquitto import FloorProgram, Listener, Mosquitto, Viewer, until
from web.floor import BEAT, MOST_OF_ADDRESS, FloorPage, draw_tile
from web.response_headers import HEADERS
from web.server.sockets import bind_sockets

A, B = "a" * 12, "b" * 12
NAMES = ("Zenobia", "Quintus", "Walpurga")
PLAYING = TableState(name="Table <b>", game="Box", phase="seal", players=3)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_table_of_bots_is_on_the_page_tells_no_secret_and_its_death_is_seen(
    tmp_path: Path, running: ExitStack
) -> None:
    broker = Mosquitto(tmp_path)
    running.callback(broker.kill)
    listener = running.enter_context(closing(Listener(broker)))
    floor = running.enter_context(closing(FloorProgram(broker)))
    viewer = running.enter_context(closing(Viewer(floor.address)))
    table = start_table(1, broker.address, tmp_path, running, pace="fast")
    until(lambda: len(listener.heard) > 25 and viewer.order, "a game that goes on")
    word = write_pass(tmp_path / "table-1")
    told = len(listener.heard)
    until(lambda: len(listener.heard) > told + 5, "that it goes on with a pass")
    (id,) = viewer.order
    assert (tmp_path / "table-1/floor-id").read_text() == id
    wire = b"".join(payload for _, payload in listener.heard)
    assert not [secret for secret in (*NAMES, word, "session") if secret.encode() in wire]
    table.kill()
    until(lambda: viewer.look(id) == "gone", "its death")


@contextmanager
def served(page: FloorPage) -> Iterator[str]:
    """Serve a page on a thread; yields its address."""
    sockets, ready, stops = bind_sockets(0), threading.Event(), threading.Event()

    async def serve() -> None:
        server = HTTPServer(page.make_application())
        server.add_sockets(sockets)
        ready.set()
        while not stops.is_set():
            await asyncio.sleep(0.05)
        server.stop()
        await server.close_all_connections()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(30)
    try:
        yield f"http://127.0.0.1:{sockets[0].getsockname()[1]}/"
    finally:
        stops.set()
        thread.join()


def test_a_table_that_stands_still_turns_grey_within_25_seconds() -> None:
    """By the clock of the floor; the stream itself looks every BEAT seconds."""
    assert FRESH + BEAT < 25
    clock = HandClock(100.0)
    page = FloorPage(FloorTiles(clock))
    page.tiles.hear_state(A, msgspec.json.encode(PLAYING), False)
    with served(page) as address:
        with closing(Viewer(address)) as viewer:
            until(lambda: viewer.look(A) == "playing", "the table")
            assert "Table &lt;b&gt;" in viewer.tiles[A]
            clock.now += FRESH + 0.1
            until(lambda: viewer.look(A) == "old", "that it is old")
            assert len(page.viewers) == 1
        until(lambda: not page.viewers, "that the viewer has left")


def test_a_tile_names_what_needs_a_look() -> None:
    tiles, state = FloorTiles(lambda: 0.0), msgspec.structs.replace(PLAYING, light="amber")
    tiles.hear_online(A, True)
    for ill, said in (("readers", ">Needs a look: Readers<"), ("", ">Needs a look<")):
        sent = msgspec.structs.replace(state, ill=ill)
        tiles.hear_state(A, msgspec.json.encode(sent), False)
        (tile,) = tiles.list_tiles()
        assert said in draw_tile(tiles, tile, tiles.look_of(tile), "en")


def test_one_address_does_not_take_the_places_of_all() -> None:
    with served(FloorPage(FloorTiles(lambda: 0.0))) as address, ExitStack() as open_streams:
        for _ in range(MOST_OF_ADDRESS):
            open_streams.enter_context(urllib.request.urlopen(f"{address}stream"))
        with pytest.raises(urllib.error.HTTPError, match="503"):
            urllib.request.urlopen(f"{address}stream")
        staff = HTTPConnection(address[len("http://") : -1], source_address=("127.0.0.2", 0))
        open_streams.callback(staff.close)
        staff.request("GET", "/stream")
        assert staff.getresponse().status == 200


def test_whatever_is_asked_for_has_the_headers_of_a_page_and_tells_no_version() -> None:
    with served(FloorPage(FloorTiles(lambda: 0.0))) as address:
        for path, body, status in (
            ("", None, 200), ("none", None, 404), ("static/none", None, 404),
            ("?lang=%ff", None, 400), ("", b"a=1", 405),
        ):  # fmt: skip
            try:
                answer = urllib.request.urlopen(address + path, body)
            except urllib.error.HTTPError as refused:
                answer = refused
            with answer:
                assert answer.status == status
                assert HEADERS.items() <= dict(answer.headers).items()
