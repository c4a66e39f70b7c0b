"""Viewers: the watchers of a screen, and the sending of its news to all of them.

Laws: a viewer has no task of its own; what is sent is encoded and compressed once for all viewers
of a screen. A viewer that has not yet taken what it was sent is left out, and gets the whole newest
state as soon as it has: no more than one state and one change wait for a viewer, and the slow hold
up no other. One that takes nothing for WRITE_TIMEOUT seconds is dropped.
"""

import asyncio
import zlib
from functools import cached_property

import msgspec
from tornado.http1connection import HTTP1Connection
from tornado.iostream import StreamClosedError

from web.rendering.blocks import LivePart
from web.server.pages import WRITE_TIMEOUT, WsgiResponse
from web.streams import Admission

HEARTBEAT_SECONDS = 3.0
GZIP_HEAD = bytes.fromhex("1f8b08000000000000ff")
LEVEL, WINDOW_BITS, MEMORY_LEVEL = 3, 13, 6
"""Compression of news. With zlib's own window and memory each event takes 256 KB from the system
and gives it back: 130 µs, where compressing takes 10. A window of 8 KB holds most states whole."""


class ViewText(msgspec.Struct, frozen=True):
    """A view as JSON, which is always sent whole."""

    html: str

    @property
    def digest(self) -> str:
        """A hash of the news, stable while this process runs."""
        return f"{hash(self.html) % 2**64:016x}"


State = LivePart | ViewText
"""Content of a screen."""
Frame = tuple[str, str | None]
"""Key of a page outside its live part: the game; and the phone of its seat, or the language of the
table screen and whether it is calm."""


class StreamEvent:
    """One server-sent event, as the bytes that go to each kind of viewer; `id` is that of the state
    that a viewer has with it."""

    def __init__(self, name: str, data: str | bytes = "", id: str = "") -> None:
        """Encode the event; bytes are JSON, which has no line breaks."""
        head = f"event: {name}\nid: {id}\n" if id else f"event: {name}\n"
        lines = data if isinstance(data, bytes) else data.replace("\n", "\ndata: ").encode()
        self.plain, self.id = b"%bdata: %b\n\n" % (head.encode(), lines), id

    @cached_property
    def compressed(self) -> bytes:
        """The event for viewers of a gzip response: a full flush makes it independent of earlier
        events."""
        deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -WINDOW_BITS, MEMORY_LEVEL)
        return deflate.compress(self.plain) + deflate.flush(zlib.Z_FULL_FLUSH)


HEARTBEAT = StreamEvent("heartbeat")


class Viewer:
    """One open stream, as it was admitted: the frame of its page, its screen, and the last state
    sent."""

    def __init__(self, admission: Admission, connection: HTTP1Connection) -> None:
        self.admission, self._connection = admission, connection
        self.frame: Frame = ("", "")
        self.channel = Channel()
        self.seen, self._is_chunked = "", False
        self._untaken: asyncio.Future[None] | None = None
        self._ended = asyncio.Event()

    def begin_stream(self, head: WsgiResponse, seen: str) -> None:
        """Send the bytes before the first event; `seen` is the last event that the client has."""
        self.seen = seen
        self._connection.stream.set_nodelay(True)
        self._connection.set_close_callback(self._ended.set)
        written = self._connection.write_headers(head.start, head.headers)
        written.add_done_callback(lambda _taken: self.catch_up())
        self._is_chunked = "Transfer-Encoding" in head.headers  # Not for HTTP/1.0.
        if self.admission.takes_gzip:
            self._write(GZIP_HEAD)
        if self.admission.new_start:
            self._write_event(StreamEvent("start", self.admission.new_start))

    def send(self, event: StreamEvent) -> None:
        """Send an event, unless the client has not yet taken the one before."""
        if not (self.is_over or self._connection.stream.writing()):
            self._write_event(event)
            self.seen = event.id or self.seen

    def catch_up(self) -> None:
        """Send the newest state of the screen, once there is one, to a viewer that has another."""
        if self.seen != self.channel.id != "":
            self.send(self.channel.state)

    def _write_event(self, event: StreamEvent) -> None:
        self._write(event.compressed if self.admission.takes_gzip else event.plain)

    def _write(self, data: bytes) -> None:
        """Hand bytes to the kernel, as one chunk. Tornado keeps the part that is not taken at once;
        once it is, the client gets the news it missed, and if it never is, the client is dropped.

        Tornado alone would make a future, copy the chunk to its buffer and take it from there
        again: half of the time of each send.
        """
        stream = self._connection.stream
        chunk = b"%x\r\n%b\r\n" % (len(data), data) if self._is_chunked else data
        try:
            taken = 0 if stream.closed() or stream.writing() else stream.socket.send(chunk)
        except OSError:  # Tornado finds that the line is broken.
            taken = 0
        if taken == len(chunk):
            return
        try:
            self._untaken = stream.write(chunk[taken:])
        except StreamClosedError:
            return self._ended.set()
        drop = asyncio.get_running_loop().call_later(WRITE_TIMEOUT, stream.close)
        self._untaken.add_done_callback(lambda _taken: drop.cancel())
        self._untaken.add_done_callback(lambda _taken: self.catch_up())

    def end_stream(self, farewell: str) -> None:
        """End this stream with a last event, if there is one; the first reason given counts."""
        if farewell and not self.is_over:
            self._write_event(StreamEvent(farewell))
            self._ended.set()

    @property
    def is_over(self) -> bool:
        """True once the last event has been sent."""
        return self._ended.is_set()

    async def wait_until_over(self) -> None:
        """Wait until this stream has ended, and its client taken everything or is gone."""
        await self._ended.wait()
        if self._untaken is not None:
            await asyncio.wait([self._untaken])


class Channel:
    """One screen: its newest state, and its viewers."""

    def __init__(self) -> None:
        self.id = ""
        self.newest: State | None = None
        self.viewers: set[Viewer] = set()
        self._state: StreamEvent | None = None

    @property
    def state(self) -> StreamEvent:
        """The whole newest state."""
        if self._state is None:
            self._state = StreamEvent("state", self.newest.html if self.newest else "", self.id)
        return self._state

    def publish(self, newest: State) -> None:
        """Store this state, and send the changes to the viewers, if there are any.

        The id is a hash of the state: a counter would tell of changes that are not shown.
        """
        before, was, id = self.newest, self.id, newest.digest
        if id == was:
            return
        self.newest, self.id, self._state = newest, id, None
        news = encode_news(before, newest, id) or self.state
        for viewer in self.viewers:
            viewer.send(news if viewer.seen == was else self.state)


def encode_news(before: State | None, newest: State, id: str) -> StreamEvent | None:
    """Encode the changes as an event: a version, and the blocks by their keys, null for a folded
    one; None if all did."""
    if not isinstance(before, LivePart) or not isinstance(newest, LivePart) or not newest.blocks:
        return None
    changed = newest.changes_since(before)
    if changed is None:
        return None
    news = msgspec.json.encode({"version": newest.version, "blocks": changed})
    return StreamEvent("news", news, id)
