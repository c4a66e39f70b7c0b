"""The floor as a whole: real tables with bots, a real Mosquitto, and the page's stream."""

import asyncio
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec
import pytest
from tornado.httpserver import HTTPServer

from bench.floor_demo import start_table
from companion.floor import FRESH, CalledStaff, FloorTiles, TableState
from companion.host.host_pass import write_pass
from tests.worlds.mosquitto import FloorProgram, Listener, Mosquitto, Viewer, until
from web.floor import BEAT, FloorPage
from web.response_headers import HEADERS
from web.server.sockets import bind_sockets

A, B = "a" * 12, "b" * 12
NAMES = ("Zenobia", "Quintus", "Walpurga")
PLAYING = TableState(name="Table 1", game="Box", phase="seal", players=3)


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


def test_a_call_comes_first_in_the_language_of_the_viewer_and_a_lost_broker_is_told(
    tmp_path: Path, running: ExitStack
) -> None:
    broker = Mosquitto(tmp_path)
    running.callback(broker.kill)
    floor = running.enter_context(closing(FloorProgram(broker)))
    words = {"en": "Staff, please", "de": "Personal", "fr": "Personnel"}
    viewers = {lang: Viewer(floor.address, lang) for lang in words}
    table = running.enter_context(closing(Listener(broker)))
    for id, name in ((A, "Table 1"), (B, "Table 2 <b>")):
        state = msgspec.structs.replace(PLAYING, name=name)
        table.publish(f"companion/{id}/state", msgspec.json.encode(state))
    until(lambda: viewers["en"].order == [A, B], "both tables")
    called = msgspec.structs.replace(PLAYING, name="Table 2 <b>", call=CalledStaff(1, 3, 0))
    table.publish(f"companion/{B}/state", msgspec.json.encode(called))
    for lang, viewer in viewers.items():
        until(lambda viewer=viewer: viewer.order == [B, A], "the call before the other")
        assert words[lang] in viewer.tiles[B]
        assert "Table 2 &lt;b&gt;" in viewer.tiles[B]
    broker.kill()
    until(lambda: not viewers["en"].hears_broker, "that the broker is gone")
    broker.start()
    until(lambda: viewers["en"].hears_broker, "the broker")
    for viewer in viewers.values():
        viewer.close()


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
    now = [100.0]
    page = FloorPage(FloorTiles(lambda: now[0]))
    page.tiles.hear_state(A, msgspec.json.encode(PLAYING), False)
    with served(page) as address:
        with closing(Viewer(address)) as viewer:
            until(lambda: viewer.look(A) == "playing", "the table")
            now[0] += FRESH + 0.1
            until(lambda: viewer.look(A) == "old", "that it is old")
            assert len(page.viewers) == 1
        until(lambda: not page.viewers, "that the viewer has left")


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
