"""Bytes straight on the socket, as no browser sends them: refused, in short, and nothing breaks.

Whatever comes in, what goes out is no fault of ours (no 5xx), tells nothing of what runs here, and
the next guest is served.
"""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.campaign import pick
from web.static_files import file_addresses

HOST = b"Host: localhost\r\n"
MAIN = file_addresses()["js/main.mjs"].encode()
ODD = {
    "no request": b"\r\n\r\n",
    "no HTTP": b"HELO cafe\r\n\r\n",
    "HTTP 0.9": b"GET /table\r\n\r\n",
    "HTTP 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a TLS hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64 + b"\r\n\r\n",
    "a strange verb": b"BREW /table HTTP/1.1\r\n" + HOST + b"\r\n",
    "no host": b"GET /table HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /table HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n",
    "a host without end": b"GET / HTTP/1.1\r\nHost: localhost:80:80\r\n\r\n",
    "a port on a static file": b"GET " + MAIN + b" HTTP/1.1\r\nHost: localhost:x\r\n\r\n",
    "an absolute address": b"GET http://evil.example/table HTTP/1.1\r\n" + HOST + b"\r\n",
    "bad percents": b"GET /%zz/%/%f HTTP/1.1\r\n" + HOST + b"\r\n",
    "no UTF-8": b"GET /%ff%fe?a=%ff HTTP/1.1\r\n" + HOST + b"\r\n",
    "a null byte": b"GET /%00table HTTP/1.1\r\n" + HOST + b"\r\n",
    "a way up": b"GET /static/../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n",
    "a foreign cookie": b"GET /phone HTTP/1.1\r\n" + HOST + b"Cookie: companion=\xff;=;;a\r\n\r\n",
    "the head of a stream": b"HEAD /stream/table HTTP/1.1\r\n" + HOST + b"\r\n",
    "a strange last event": b"GET /stream/phone HTTP/1.1\r\n" + HOST + b"Last-Event-ID: \0\r\n\r\n",
    "a large head": b"GET / HTTP/1.1\r\n" + HOST + b"A: " + b"a" * 40_000 + b"\r\n\r\n",
    "a line without a colon": b"GET / HTTP/1.1\r\n" + HOST + b"A\r\n\r\n",
    "a large body": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 99999999\r\n\r\n",
    "length and chunks": b"POST / HTTP/1.1\r\n"
    + HOST
    + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "endless chunks": b"POST / HTTP/1.1\r\n"
    + HOST
    + b"Transfer-Encoding: chunked\r\n\r\n"
    + b"fff\r\n" + b"a" * 4095 + b"\r\n",
    "a body cut short": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 9\r\n\r\nab",
    "an odd encoding": b"POST / HTTP/1.1\r\n" + HOST
    + b"Content-Type: text/plain; charset=nowhere\r\nContent-Length: 2\r\n\r\nab",
}  # fmt: skip
TELLTALE = re.compile(rb"tornado|werkzeug|python|flask|Traceback|line \d+|/site-packages", re.I)


def well_answered(answer: bytes, told: object) -> None:
    """Every answer in there is ours to give, and tells nothing."""
    for status in re.findall(rb"^HTTP/1\.1 (\d{3})", answer, re.MULTILINE):
        assert status[:1] in b"234", (told, answer)
    assert TELLTALE.search(answer) is None, (told, answer)


def test_odd_requests_on_the_socket_break_nothing(serve, caplog):
    async def story(cafe):
        for what, raw in ODD.items():
            well_answered(await cafe.says(raw), what)
            assert await cafe.ask("/table") == 200, what

    serve(story)
    assert [each for each in caplog.records if each.levelname == "ERROR"] == []


def test_any_bytes_at_all(serve):
    async def story(cafe):
        for raw in samples:
            well_answered(await cafe.says(raw), raw)
        assert await cafe.ask("/table") == 200

    samples: list[bytes] = []
    # For the rest of a body the table waits 10 s: once, above, is enough.
    odd = [each[:200] for what, each in ODD.items() if what != "endless chunks"]
    words = st.sampled_from([*odd, b"\r\n", b"\0", b"%", b":"])
    pieces = st.lists(words | st.binary(max_size=20), max_size=6).map(b"".join)

    @settings(max_examples=pick(30, 60, 500))
    @given(pieces)
    def collect(raw: bytes) -> None:
        samples.append(raw)

    collect()
    serve(story)


def test_no_path_answers_to_an_address_that_is_not_ours(serve):
    async def story(cafe):
        for path in ("/table", file_addresses()["js/main.mjs"], "/stream/table", "/api/nowhere"):
            for host in ("rebound.example", "localhost.evil.example", "localhost:x"):
                assert await cafe.ask(path, host) == 400, (path, host)
                assert "companion=" not in cafe.lines[-1].head

    serve(story)
