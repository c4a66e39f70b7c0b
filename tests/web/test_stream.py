"""The stream, over real sockets: newest state, full state first, and nobody held up."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest
from flask import Flask

from tests.web.visitor import Visitor
from web import feeds, stream
from web.server import Server, sockets_from

Events = AsyncIterator[tuple[str, str]]


class Line:
    """One connection of a browser that only listens."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def ask(self, path: str, host: str, cookie: str) -> int:
        """Send a request; the status of the answer."""
        head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: companion={cookie}\r\n\r\n"
        self._writer.write(head.encode())
        return int((await self._reader.readuntil(b"\r\n\r\n")).split()[1])

    async def events(self) -> Events:
        """The events of a stream, as name and data, until it ends."""
        text = ""
        while size := int(await self._reader.readline() or b"0", 16):
            text += (await self._reader.readexactly(size + 2))[:-2].decode()
            while "\n\n" in text:
                event, text = text.split("\n\n", 1)
                name, *lines = event.splitlines()
                data = "\n".join(line.removeprefix("data: ") for line in lines)
                yield name.removeprefix("event: "), data

    async def close(self) -> None:
        """Go away, as a closed tab does."""
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


class Cafe:
    """A running server, and everyone who is connected to it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.lines: list[Line] = []

    async def ask(self, path: str, host: str = "localhost", cookie: str = "") -> int:
        """Ask for something on a new connection; the status of the answer."""
        self.lines.append(Line(*await asyncio.open_connection("127.0.0.1", self.server.port)))
        return await self.lines[-1].ask(path, host, cookie)

    async def listen(self, page: str, visitor: Visitor | None = None) -> Events:
        """Watch a page, with the cookie of this visitor."""
        cookie = visitor.client.get_cookie("companion").value if visitor else ""
        assert await self.ask(f"/stream/{page}", cookie=cookie) == 200
        return self.lines[-1].events()

    async def close(self) -> None:
        """Everyone goes home."""
        await self.server.stop()
        for line in self.lines:
            await line.close()


@pytest.fixture
def serve(app: Flask) -> Callable[[Callable[[Cafe], Awaitable[None]]], None]:
    """Run a story against a real server."""

    def run(story: Callable[[Cafe], Awaitable[None]]) -> None:
        async def within() -> None:
            cafe = Cafe(Server(app, sockets_from(18_400)))
            try:
                async with asyncio.timeout(60):
                    await story(cafe)
            finally:
                await cafe.close()

        asyncio.run(within())

    return run


async def until(events: Events, text: str) -> str:
    """The first state that says this."""
    async for name, data in events:
        if name == "state" and text in data:
            return data
    raise AssertionError(f"the stream ended before it said “{text}”")


def test_a_stream_begins_with_the_full_state_and_goes_on_with_news(serve, visit):
    ana = visit(1)

    async def story(cafe):
        events = await cafe.listen("table")
        assert "Ana turns a tile." in await until(events, "Bank 5")
        await asyncio.to_thread(ana.moves, "tile_turned")
        await until(events, "Ana lays a card face down at a bank.")

    serve(story)


def test_what_the_stream_sends_is_what_the_page_shows(serve, visit):
    ana = visit(1)

    async def story(cafe):
        events = await cafe.listen("phone/1", ana)
        _, fragment = await anext(events)
        assert fragment in ana.get("/phone").text

    serve(story)


def test_each_seat_gets_its_own_hand_and_a_stranger_none(serve, visit):
    ana, ben = visit(1), visit(2)

    async def story(cafe):
        mine = [await cafe.listen(f"play/{one.seat}", one) for one in (ana, ben)]
        hands = [(await anext(events))[1] for events in mine]
        assert hands[0].split("hand-head")[2] != hands[1].split("hand-head")[2]
        for page in ("phone", "phone/1", "play/1", "play", "nowhere"):
            assert await cafe.ask(f"/stream/{page}") == 404

    serve(story)


def test_the_stream_answers_only_to_our_own_addresses(serve):
    async def story(cafe):
        assert await cafe.ask("/stream/table", "rebound.example") == 400

    serve(story)


def test_a_quiet_stream_still_beats(serve, monkeypatch):
    monkeypatch.setattr(stream, "HEARTBEAT", 0.01)

    async def story(cafe):
        events = await cafe.listen("table")
        assert [(await anext(events))[0] for _ in range(3)] == ["state", "heartbeat", "heartbeat"]

    serve(story)


def test_the_newest_tab_of_a_seat_wins(serve, visit):
    ana = visit(1)

    async def story(cafe):
        old = await cafe.listen("phone/1", ana)
        await anext(old)
        await cafe.listen("phone/1", ana)
        assert (await anext(old))[0] == "replaced"

    serve(story)


def test_a_browser_that_left_a_seat_hears_no_more_of_it(serve, visit, evening):
    ben = visit(2)

    async def story(cafe):
        seat_2 = await cafe.listen("play/2", ben)
        await anext(seat_2)
        await asyncio.to_thread(ben.sits, 3)
        await asyncio.to_thread(evening.move, 1, "tile_turned")
        assert [name async for name, _ in seat_2] == ["replaced"]

    serve(story)


def test_more_viewers_than_the_table_serves_are_told_so(serve, monkeypatch):
    monkeypatch.setattr(feeds, "MOST_VIEWERS", 2)

    async def story(cafe):
        for _ in range(2):
            await anext(await cafe.listen("table"))
        assert await cafe.ask("/stream/table") == 503
        await cafe.lines[0].close()
        while await cafe.ask("/stream/table") != 200:
            await asyncio.sleep(0.01)

    serve(story)


def test_streams_hold_none_of_the_threads_that_answer(serve, visit):
    async def story(cafe):
        for _ in range(40):
            await anext(await cafe.listen("table"))
        assert await cafe.ask("/") == 200

    serve(story)


def test_nothing_queues_for_whoever_is_slow():
    feed = feeds.Feed()
    for n in range(5):
        feed.show(feeds.told("state", str(n)))
    assert feed.snapshot == b"event: state\ndata: 4\n\n"


def test_stopping_says_goodbye_to_everyone(serve):
    async def story(cafe):
        events = await cafe.listen("table")
        await anext(events)
        await cafe.server.stop()
        assert [name async for name, _ in events] == ["stop"]

    serve(story)
