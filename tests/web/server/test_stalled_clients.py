"""Phones as cafés have them: stalled, silent, vanished, roaming. Nobody waits for them."""

import asyncio
import threading

import pytest
from flask import Response

from tests.worlds.stream_text import make_news
from web.browsers import Limits
from web.server import pool, viewers

LOOK = b"GET /stream/table HTTP/1.1\r\nHost: localhost\r\n\r\n"
MUCH = 60
"""More news than fits between the table and a phone that reads nothing."""


@pytest.mark.parametrize("limits", [Limits(viewers=2)])
def test_a_client_that_reads_nothing_is_disconnected(serve, evening, monkeypatch):
    monkeypatch.setattr(viewers, "WRITE_TIMEOUT", 0.1)

    async def story(cafe):
        watching = await cafe.listen("table")
        await anext(watching)
        cafe.silent(LOOK)
        for _ in range(MUCH):
            make_news(evening)
            await anext(watching)
        while await cafe.ask("/stream/table") != 200:
            await asyncio.sleep(0.01)

    serve(story)


def test_a_phone_that_roams_goes_on_at_once(serve, visit, evening):
    """Its old connection is still there, and will never say so."""
    ana = visit(1)

    async def story(cafe):
        cookie = ana.client.get_cookie("companion").value
        look = LOOK.decode().strip().replace("table", "phone/1")
        lost = cafe.silent(f"{look}\r\nCookie: companion={cookie}\r\n\r\n".encode())
        await cafe.hears(lost, "event: state")
        here = await cafe.listen("phone/1", ana)
        assert (await anext(here))[0] in ("state", "news")
        make_news(evening)
        assert (await anext(here))[0] in ("state", "news")
        assert b"event: replaced" in await cafe.hears(lost, "event: replaced")

    serve(story)


def test_what_was_asked_before_a_restart_is_answered(serve, app):
    asked, goes_on = threading.Event(), threading.Event()

    @app.before_request
    def wait() -> None:
        asked.set()
        goes_on.wait(30)

    async def story(cafe):
        answer = asyncio.create_task(cafe.ask("/table"))
        await asyncio.to_thread(asked.wait, 30)
        answered = asyncio.create_task(cafe.server.wait_until_answered())
        await asyncio.sleep(0)
        assert not answered.done()
        goes_on.set()
        await answered
        await cafe.server.stop()
        assert await answer == 200

    serve(story)


def test_a_download_that_is_crowded_out_has_one_head(serve, app, monkeypatch):
    def pieces():
        yield b"a piece"
        monkeypatch.setattr(pool, "FIRST_WAITING", 0)
        yield b"another one"

    @app.before_request
    def download() -> Response:
        return Response(pieces(), content_type="application/zip")

    async def story(cafe):
        told = await cafe.says(b"GET /api/host/backup HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (told.count(b"HTTP/1.1 "), told[-5:]) == (1, b"one\r\n")

    serve(story)


@pytest.mark.parametrize("turns", range(0, 16, 2))
def test_a_stream_asked_for_while_the_table_stops_hears_it(serve, turns):
    """The table stops after so many turns of the event loop, wherever the requests are then."""

    async def story(cafe):
        asked = [cafe.silent(LOOK) for _ in range(16)]
        for _ in range(turns):
            await asyncio.sleep(0)
        await cafe.server.stop()
        for each in asked:
            heard = await cafe.hears(each)
            assert b"event: stop" in heard or b"event-stream" not in heard

    serve(story)
