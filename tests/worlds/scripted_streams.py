"""A server of streams that sends each viewer exactly what its script says, piece by piece."""

import asyncio
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Thread
from typing import Any

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
