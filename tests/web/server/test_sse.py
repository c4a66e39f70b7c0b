"""The stream, over real sockets: newest state, full state first, and the last word."""

import asyncio
import json
from threading import Event
from types import SimpleNamespace

import pytest

from companion.core.i18n import Message
from tests.worlds.simulated_hands import does
from web.browsers import Client
from web.rendering.scene import Screen
from web.server.broadcast import Broadcaster
from web.server.viewers import Viewer
from web.static_files import file_addresses
from web.streams import Admission


def test_each_seat_gets_its_own_hand_and_a_stranger_none(serve, visit):
    ana, ben = visit(1), visit(2)

    async def story(cafe):
        mine = [await cafe.listen(f"play/{one.seat}", one) for one in (ana, ben)]
        hands = [(await anext(events))[1] for events in mine]
        assert hands[0] != hands[1]
        for page in ("phone", "phone/1", "play/1", "play", "nowhere"):
            assert await cafe.ask(f"/stream/{page}") == 404

    serve(story)


@pytest.mark.parametrize("signed", [(False, False), (True, True), (True, False), (False, True)])
def test_a_signed_stream_of_a_seat_ends_for_a_signed_one_alone(app, signed):

    async def story():
        broadcaster = Broadcaster(app)
        broadcaster.context.seats.take_seat(1, "ana")
        viewers = [as_viewer(is_signed) for is_signed in signed]
        streams = [asyncio.create_task(broadcaster.follow(viewer)) for viewer in viewers]
        await asyncio.sleep(0)
        was_signed, is_signed = signed
        assert [one.is_over for one in viewers] == [is_signed or not was_signed, False]
        await broadcaster.stop()
        await asyncio.gather(*streams)

    asyncio.run(story())


def as_viewer(is_signed: bool) -> Viewer:
    """A viewer whose connection takes everything."""
    line = SimpleNamespace(send=len)
    stream = SimpleNamespace(writing=bool, closed=bool, socket=line)
    screen = Screen("phone", 1, "en")
    admission = Admission(screen, Client("ana"), "ana", False, is_signed, False, "")
    return Viewer(admission, SimpleNamespace(stream=stream))


def test_while_a_change_is_being_written_news_waits_and_nothing_else(serve, evening):
    """As on a disk that hangs: a fault is told while the table is held."""
    goes_on, is_held, held, table = Event(), Event(), list[bool](), evening.host.table

    async def story(cafe):
        screen = await cafe.listen("table")
        await anext(screen)
        table.watch(lambda: (is_held.set(), held.append(goes_on.wait(20))))
        fault = Message("A lamp is dark.")
        change = asyncio.create_task(asyncio.to_thread(table.report_fault, fault))
        await asyncio.to_thread(is_held.wait, 20)
        for _ in range(3):
            assert await cafe.ask(file_addresses()["icon.svg"]) == 200
        assert not change.done()
        goes_on.set()
        while fault.text not in (await anext(screen))[1]:
            pass
        await change

    serve(story)
    assert set(held) == {True}, "the loop waited for the table"


def test_a_stream_with_the_newest_state_gets_a_heartbeat(serve, visit, evening):
    visit(1)

    async def story(cafe):
        await anext(await cafe.listen("table"))
        seen = cafe.lines[-1].id
        again = await cafe.listen("table", last=seen)
        assert await anext(again) == ("heartbeat", "")
        await asyncio.to_thread(does, evening, 1, do="tile_turned")
        assert (await anext(again))[0] == "news"
        stale = await cafe.listen("table", last=seen)
        assert (await anext(stale))[0] == "state"

    serve(story)


def test_the_view_itself_is_streamed_as_json(serve, visit, evening):
    ana = visit(1)

    async def story(cafe):
        table = await cafe.listen("table", base="/api/stream")
        seat = await cafe.listen("seats/1", ana, base="/api/stream")
        for events, path in ((table, "/api/table"), (seat, "/api/seats/1")):
            name, data = await anext(events)
            assert (name, json.loads(data)) == ("state", ana.get(path).json)
        before = cafe.lines[0].id
        await asyncio.to_thread(does, evening, 1, do="tile_turned")
        assert json.loads((await anext(table))[1]) == ana.get("/api/table").json
        assert cafe.lines[0].id != before

    serve(story)


def test_the_view_of_a_seat_is_streamed_to_nobody_else(serve, visit):
    visit(1)

    async def story(cafe):
        assert await cafe.ask("/api/stream/seats/1") == 403
        assert (await cafe.lines[-1].problem())["code"] == "not_your_seat"
        for odd in ("seats", "seats/x", "table/1", "nobody"):
            assert await cafe.ask(f"/api/stream/{odd}") == 404

    serve(story)


def test_a_program_that_follows_a_seat_does_not_push_its_page_aside(serve, visit, evening):
    ana = visit(1)

    async def story(cafe):
        page = await cafe.listen("phone/1", ana)
        await anext(page)
        await anext(await cafe.listen("seats/1", ana, base="/api/stream"))
        await asyncio.to_thread(does, evening, 1, do="tile_turned")
        assert (await anext(page))[0] == "news"

    serve(story)
