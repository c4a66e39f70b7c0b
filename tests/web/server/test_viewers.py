"""The one loop that sends to all viewers: compressed once, the slow later, the answer first."""

import asyncio
import zlib
from collections.abc import AsyncIterator

import pytest

from tests.worlds.stream_text import make_news
from web.rendering.blocks import LivePart
from web.server.pages import AnswerFirst
from web.server.viewers import StreamEvent, encode_news

GZIP = zlib.MAX_WBITS | 16
LOOK = "GET /stream/table HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\n\r\n"


def part(version: int = 1, frame: tuple[str, ...] = ("<", ">"), **blocks: str) -> LivePart:
    """What a page shows, made up."""
    return LivePart(version, frame, dict.fromkeys(blocks, ()), blocks)


# Encoding.


def test_events_that_are_compressed_alone_can_follow_each_other_in_any_order():
    events = [StreamEvent("state", f"number {n} " * 40, f"{n}") for n in range(3)]
    for order in ((0, 1, 2), (2, 0), (1, 1, 0)):
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        for n in order:
            assert stream.decompress(events[n].compressed) == events[n].plain


def test_only_the_blocks_that_changed_are_news():
    told = encode_news(part(ask="old", board="same"), part(2, ask="new", board="same"), "7")
    assert told is not None
    assert told.plain == b'event: news\nid: 7\ndata: {"version":2,"blocks":{"ask":"new"}}\n\n'


@pytest.mark.parametrize(
    ("before", "now"),
    [(None, part(ask="x")), (part(ask="x"), part(ask="x", board="y")),
     (part(ask="x"), part(frame=("[", "]"), ask="x")), (part(), part(frame=("[",)))],
)  # fmt: skip
def test_a_page_with_another_frame_is_sent_whole(before, now):
    assert encode_news(before, now, "7") is None


def test_news_of_a_line_separator_stays_one_line():
    """Python ends a line there, an event stream does not; JSON may have it in a text."""
    before, now = part(ask="a"), part(ask="a\u2028b")
    news = encode_news(before, now, "1")
    assert news is not None
    assert news.plain.count(b"data: ") == 1
    assert "a\u2028b".encode() in news.plain


# Over real sockets.


async def _gunzipped(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The events of a compressed stream as they come."""
    head = await reader.readuntil(b"\r\n\r\n")
    assert b"Content-Encoding: gzip" in head
    stream, text = zlib.decompressobj(GZIP), b""
    while size := int(await reader.readline() or b"0", 16):
        text += stream.decompress((await reader.readexactly(size + 2))[:-2])
        while b"\n\n" in text:
            event, text = text.split(b"\n\n", 1)
            yield event


def test_a_compressed_stream_says_the_same_at_once(serve, evening):
    async def story(cafe):
        plain = await cafe.listen("table")
        reader, writer = await cafe.connect()
        writer.write(LOOK.encode())
        packed = _gunzipped(reader)
        for n in range(4):
            if n:
                make_news(evening)
            name, data = await anext(plain)
            event = StreamEvent(name, data, cafe.lines[0].id)
            assert await anext(packed) + b"\n\n" == event.plain
        writer.close()

    serve(story)


def test_a_program_of_http_1_0_gets_no_chunks(serve):
    async def story(cafe):
        old = cafe.silent(b"GET /stream/table HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert b"\r\n\r\nevent: state\n" in await cafe.hears(old, "event: state\n")

    serve(story)


def test_one_who_was_slow_gets_the_whole_newest_state(serve, evening):
    async def story(cafe):
        watching = await cafe.listen("table")
        await anext(watching)
        slow = cafe.silent(LOOK.replace("Accept-Encoding: gzip, br\r\n", "").encode())
        for _ in range(60):
            make_news(evening)
            await anext(watching)
        told = await cafe.hears(slow, cafe.lines[0].id)
        last = told[told.rindex(b"event: ") :]
        assert last.startswith(b"event: state\nid: %s" % cafe.lines[0].id.encode())

    serve(story)


# The answer first.


def test_what_a_request_would_tell_waits_for_its_answer_and_is_told_once():
    answers, told = AnswerFirst(), []

    def tell() -> None:
        told.append(1)

    with answers.hold_all() as held:
        assert answers.hold_back(tell)
        assert answers.hold_back(tell)
        assert not asyncio.run(asyncio.to_thread(answers.hold_back, tell))
    assert (held, told) == ([tell], [])
    assert not answers.hold_back(tell)
