"""The client that measures viewers hears only what came whole."""

import asyncio
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from bench.speed.client import Client, Heard, JobPart, build_client, run_client
from companion.core.errors import Malformed

# A server of streams that sends each viewer exactly what its script says, piece by piece.

FIRST = b"event: state\ndata: 0\n\n"
Turn = Sequence[tuple[int, bytes]]
"""What follows a request, in order: the number of a viewer, and a piece; an empty one hangs up."""


def send_plain(piece: bytes) -> bytes:
    return piece


def send_chunked(piece: bytes) -> bytes:
    """Send a piece as two chunks, so that events begin and end within chunks."""
    half = len(piece) // 2
    halves = (piece[:half], piece[half:])
    return b"".join(b"%x\r\n%s\r\n" % (len(half), half) for half in halves if half)


def make_deflated() -> Callable[[bytes], bytes]:
    """Return a stream that is compressed as one, in chunks."""
    deflating = zlib.compressobj(wbits=31)

    def send(piece: bytes) -> bytes:
        return send_chunked(deflating.compress(piece) + deflating.flush(zlib.Z_SYNC_FLUSH))

    return send


FRAMINGS: dict[str, tuple[str, Callable[[], Callable[[bytes], bytes]]]] = {
    "plain": ("", lambda: send_plain),
    "chunked": ("Transfer-Encoding: chunked\r\n", lambda: send_chunked),
    "gzip": ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", make_deflated),
}


class ScriptedStreams:
    """Answers requests, and follows each by the next turn of its script."""

    def __init__(self, turns: Sequence[Turn], framing: str = "plain") -> None:
        self._turns, self._framing = list(turns), FRAMINGS[framing]
        self._viewers: list[tuple[asyncio.StreamWriter, Callable[[bytes], bytes]]] = []
        self._writers: list[asyncio.StreamWriter] = []
        self._talks: list[Any] = []
        self.most_unsent = 0
        """The most bytes that a viewer had not taken when the next piece came."""
        self._serving = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        self._serving.wait()

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        self.port: int = server.sockets[0].getsockname()[1]
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        self._serving.set()
        await self._closing.wait()
        server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._talks)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        self._talks.append(asyncio.current_task())
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while not self._closing.is_set():
                head = await reader.readuntil(b"\r\n\r\n")
                if head.startswith(b"GET /stream"):
                    self._open_stream(writer)
                    await reader.read()
                    break
                refusal = b"HTTP/1.1 409 No\r\nContent-Length: 9\r\n\r\nNot yours"
                missing = b"HTTP/1.1 404 No\r\n\r\n"
                grants = b"HTTP/1.1 204 No Content\r\n\r\n"
                known = {b"POST /grants": grants, b"POST /refuses": refusal}
                writer.write(known.get(b" ".join(head.split()[:2]), missing))
                if head.startswith(b"POST /grants"):
                    await self._send_turn(self._turns.pop(0))

    def _open_stream(self, writer: asyncio.StreamWriter) -> None:
        header, make_encoding = self._framing
        encode = make_encoding()
        writer.write(b"HTTP/1.1 200 OK\r\n%s\r\n" % header.encode() + encode(FIRST))
        self._viewers.append((writer, encode))

    async def _send_turn(self, turn: Turn) -> None:
        for number, piece in turn:
            writer, encode = self._viewers[number]
            if piece:
                writer.write(encode(piece))
            else:
                writer.transport.abort()
            await asyncio.sleep(0.002)  # A packet of its own.
            self.most_unsent = max(self.most_unsent, writer.transport.get_write_buffer_size())

    def shut(self) -> None:
        """End all streams."""
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()


# The tests.

NEWS = b"event: state\nid: 1\ndata: " + b"x" * 3000 + b"\n\n"
PATIENT = (25, 60_000)
"""Pause and timeout in milliseconds."""
WAITS = (300, 3_000, 30_000)
"""Timeouts where something never comes: a longer one only if what does come came too late."""
VIEWER = JobPart("viewer", b"GET /stream HTTP/1.1\r\n\r\n")
STALLED = JobPart("stalled", VIEWER.data)
REQUEST = JobPart("request", b"POST /grants HTTP/1.1\r\n\r\n")

Watch = Callable[..., Heard]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Client:
    built = build_client(tmp_path_factory.mktemp("client"))
    assert built is not None, "there is no C compiler"
    assert built.inflates, "there is no zlib to build with"
    return built


@contextmanager
def serving(turns: Sequence[Turn], framing: str = "plain") -> Iterator[ScriptedStreams]:
    streams = ScriptedStreams(turns, framing)
    try:
        yield streams
    finally:
        streams.shut()


@pytest.fixture
def watch(client: Client, tmp_path: Path) -> Watch:
    def run(streams: ScriptedStreams, *job: JobPart, timings: tuple[int, int] = PATIENT) -> Heard:
        return run_client(client, tmp_path, streams.port, os.getpid(), job, timings)

    return run


@pytest.mark.parametrize("framing", FRAMINGS)
def test_an_event_in_several_packets_is_heard_when_its_end_came(watch: Watch, framing: str) -> None:
    pieces = [NEWS[:7], NEWS[7:1500], NEWS[1500:-1]]
    turn = [(1, piece) for piece in pieces] + [(0, NEWS), (1, NEWS[-1:])]
    with serving([turn, turn], framing) as streams:
        heard = watch(streams, VIEWER, VIEWER, REQUEST, REQUEST)
    assert (heard.viewers, heard.compressed) == (2, framing == "gzip")
    assert len(heard.requests) == 2
    for request in heard.requests:
        assert (request.status, request.reached) == (204, 2)
        assert request.answer > 0
        assert 0 < request.first < request.last, "the one whose event came in pieces is the last"
        assert request.cpu > 0


def test_what_came_is_counted(watch: Watch) -> None:
    with serving([[(0, NEWS), (1, NEWS)]]) as streams:
        heard = watch(streams, VIEWER, VIEWER, REQUEST)
    assert heard.requests[0].bytes == 2 * len(NEWS)
    assert heard.client_cpu > 0


def test_several_events_of_a_change_end_with_the_last(watch: Watch) -> None:
    turn = [(0, NEWS), (1, NEWS), (0, NEWS)]
    with serving([turn]) as streams:
        heard = watch(streams, VIEWER, VIEWER, REQUEST)
    request = heard.requests[0]
    assert request.reached == 2
    assert request.first < request.last


@pytest.mark.parametrize(
    "instead",
    [NEWS[:-1], b"event: heartbeat\ndata: \n\n", b": nothing\n\n", b""],
    ids=["no end", "heartbeat", "comment", "hung up"],
)
def test_what_is_no_whole_event_does_not_reach(watch: Watch, instead: bytes) -> None:
    for timeout in WAITS:
        with serving([[(0, NEWS), (1, instead)]]) as streams:
            heard = watch(streams, VIEWER, VIEWER, REQUEST, timings=(25, timeout))
        if heard.requests[0].reached:
            break
    assert [request.reached for request in heard.requests] == [1]
    assert heard.requests[0].first == heard.requests[0].last


def test_news_that_not_all_are_to_hear_are_not_waited_for(watch: Watch) -> None:
    silent = REQUEST._replace(counted=False)
    with serving([[], [(0, NEWS)]]) as streams:
        heard = watch(streams, VIEWER, silent, REQUEST)
    assert [request.reached for request in heard.requests] == [0, 1]
    assert heard.counted == [heard.requests[1]]


def test_a_stalled_viewer_takes_nothing_and_counts_for_none(watch: Watch) -> None:
    turn = [(1, NEWS * 3000), (0, NEWS)]
    with serving([turn]) as streams:
        heard = watch(streams, VIEWER, STALLED, REQUEST)
        assert (heard.viewers, heard.requests[0].reached) == (1, 1)
        assert streams.most_unsent > len(NEWS)


def test_a_refused_request_is_told_in_the_servers_words(watch: Watch) -> None:
    refused = JobPart("request", b"POST /refuses HTTP/1.1\r\n\r\n")
    with serving([]) as streams, pytest.raises(Malformed) as raised:
        watch(streams, VIEWER, refused)
    assert "Not yours" in str(raised.value.say.facts["reason"])


def test_a_viewer_that_is_not_let_in_is_told(watch: Watch) -> None:
    missing = JobPart("viewer", b"GET /nothing HTTP/1.1\r\n\r\n")
    with serving([]) as streams, pytest.raises(Malformed) as raised:
        watch(streams, missing)
    assert "not let in" in str(raised.value.say.facts["reason"])


def test_more_viewers_than_are_opened_at_once(watch: Watch) -> None:
    turn = [(n, NEWS) for n in range(70)]
    with serving([turn]) as streams:
        heard = watch(streams, *[VIEWER] * 70, REQUEST)
    assert heard.requests[0].reached == 70
