"""Viewers: who watches a screen, and the one loop that sends its news to all of them.

Laws: a viewer has no task and no timer of its own; what is sent is encoded and compressed once for
all viewers of a screen. A viewer that has not yet taken what it was sent is left out, and gets the
whole newest state when it has: no more than one state and one change wait for a viewer, and the
slow hold up no other. One that takes nothing for SEND_TIMEOUT seconds is dropped.
"""

import asyncio
import hashlib
import socket
import zlib
from functools import cached_property

import msgspec
from tornado.http1connection import HTTP1Connection
from tornado.iostream import StreamClosedError

from web.rendering.blocks import LivePart
from web.streams import Admission

HEARTBEAT_SECONDS = 3.0
SEND_TIMEOUT = 20.0
"""Seconds for which a client may take nothing of what it was sent."""
GZIP_HEAD = bytes.fromhex("1f8b08000000000000ff")
LEVEL, WINDOW_BITS, MEMORY_LEVEL = 6, 13, 6
"""How news is compressed. With zlib's own window and memory each event takes 256 KB from the system
and gives it back: 130 µs, where compressing takes 10. A window of 8 KB holds most states whole."""


class ViewText(msgspec.Struct, frozen=True):
    """A view as JSON, which is always sent whole."""

    text: str

    @property
    def digest(self) -> str:
        """A hash of what is told."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


State = LivePart | ViewText
"""What a screen shows."""


class StreamEvent:
    """One server-sent event, as the bytes that go to each kind of viewer."""

    def __init__(self, name: str, data: str | bytes = "", id: str = "") -> None:
        self.text = encode_event(name, data, id)

    @cached_property
    def plain(self) -> bytes:
        """The event as a chunk of the response."""
        return make_chunk(self.text)

    @cached_property
    def compressed(self) -> bytes:
        """The event as a chunk for viewers of a gzip response, whatever each was sent before: a
        full flush makes it depend on nothing earlier."""
        deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -WINDOW_BITS, MEMORY_LEVEL)
        return make_chunk(deflate.compress(self.text) + deflate.flush(zlib.Z_FULL_FLUSH))


def encode_event(name: str, data: str | bytes, id: str = "") -> bytes:
    """Encode one server-sent event; bytes are JSON, which has no line breaks."""
    head = f"event: {name}\nid: {id}\n" if id else f"event: {name}\n"
    if isinstance(data, bytes):
        return b"%bdata: %b\n\n" % (head.encode(), data)
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"{head}{lines}\n".encode()


def make_chunk(data: bytes) -> bytes:
    """Frame bytes as one chunk of a response."""
    return b"%x\r\n%b\r\n" % (len(data), data)


HEARTBEAT = StreamEvent("heartbeat")


def _send_now(line: socket.socket, chunk: bytes) -> int:
    """Send a chunk; return the number of bytes that the kernel has taken.

    Tornado would make a future, copy the chunk to its buffer and take it from there again: half of
    the time of each send. A line that is broken is found by Tornado.
    """
    try:
        return line.send(chunk)
    except OSError:
        return 0


class Viewer:
    """One open stream, as it was admitted, and the browser that it is counted as a page of."""

    def __init__(self, admission: Admission, connection: HTTP1Connection) -> None:
        self.admission, self.browser = admission, ""
        self.phone_holder: str | None = None
        self.seen = self._farewell = ""
        self.stalled_since: float | None = None
        self._connection, self._has_begun = connection, False
        connection.stream.set_nodelay(True)
        self._ended = asyncio.Event()

    def begin_stream(self, seen: str) -> None:
        """Send what comes before the first event, and the last event if the stream has been ended
        meanwhile; `seen` is the last one that the client has.
        Until then nothing can be sent, as the head of the response has not been."""
        self.seen, self._has_begun = seen, True
        if self.admission.takes_gzip:
            self._write_chunk(make_chunk(GZIP_HEAD))
        if self.admission.new_start:
            self._write_event(StreamEvent("start", self.admission.new_start))
        if self._farewell:
            self._write_event(StreamEvent(self._farewell))

    def send(self, event: StreamEvent) -> bool:
        """Send an event, unless the client has not yet taken the one before; whether it was."""
        if self.is_over or not self._has_begun or self._connection.stream.writing():
            return False
        self._write_event(event)
        return True

    def _write_event(self, event: StreamEvent) -> None:
        self._write_chunk(event.compressed if self.admission.takes_gzip else event.plain)

    def _write_chunk(self, chunk: bytes) -> None:
        """Hand a chunk to the kernel; Tornado keeps what that does not take at once."""
        stream = self._connection.stream
        taken = 0 if stream.closed() or stream.writing() else _send_now(stream.socket, chunk)
        if taken < len(chunk):
            try:
                stream.write(chunk[taken:])
            except StreamClosedError:
                self.release_handler()

    def end_stream(self, farewell: str) -> None:
        """End this stream with a last event, if there is one; the first reason given counts."""
        if farewell and not self.is_over:
            self._farewell = farewell
            if self._has_begun:
                self._write_event(StreamEvent(farewell))
            self.release_handler()

    def release_handler(self) -> None:
        """Let the handler of this stream go."""
        self._ended.set()

    def drop_client(self) -> None:
        """Disconnect a client that takes nothing."""
        self._connection.close()
        self.release_handler()

    @property
    def is_over(self) -> bool:
        """True once the last event has been sent."""
        return self._ended.is_set()

    async def wait_until_over(self) -> None:
        """Wait until this stream ends."""
        await self._ended.wait()

    def is_taking(self, now: float) -> bool:
        """Check that the client has taken everything so far; note since when it has not."""
        if not self._connection.stream.writing():
            self.stalled_since = None
            return True
        self.stalled_since = self.stalled_since or now
        return False

    async def wait_until_taken(self) -> None:
        """Wait until the client has taken everything, or is gone."""
        stream = self._connection.stream
        while stream.writing() and not stream.closed():
            await asyncio.sleep(0.01)


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
            newest = self.newest
            data = newest.text if isinstance(newest, ViewText) else newest.html if newest else ""
            self._state = StreamEvent("state", data, self.id)
        return self._state

    def publish(self, newest: State) -> bool:
        """Store this state, and send what has changed to the viewers, unless nothing has; return
        whether a viewer is behind now.

        The id is a hash of the state: a counter would tell of changes that are not shown.
        """
        before, was, id = self.newest, self.id, newest.digest
        if id == was:
            return False
        self.newest, self.id, self._state = newest, id, None
        news = encode_news(before, newest, id)
        for viewer in self.viewers:
            event = self.state if news is None else news
            if viewer.seen == was and viewer.send(event):
                viewer.seen = id
        return any(viewer.seen != id for viewer in self.viewers)

    def welcome(self, viewer: Viewer) -> bool:
        """Send a new viewer the whole state, or a heartbeat if it has that; return whether it is
        behind now."""
        if viewer.seen == self.id:
            viewer.send(HEARTBEAT)
        self._send_missed(viewer)
        return viewer.seen != self.id

    def _send_missed(self, viewer: Viewer) -> None:
        """Send the whole state to a viewer that has an older one."""
        if viewer.seen != self.id and viewer.send(self.state):
            viewer.seen = self.id

    def catch_up(self, now: float) -> bool:
        """Send the whole state to viewers that missed something, and drop those that take nothing;
        return whether there are some left."""
        for viewer in self.viewers:
            if viewer.is_taking(now):
                self._send_missed(viewer)
            elif now - (viewer.stalled_since or now) > SEND_TIMEOUT:
                viewer.drop_client()
        return any(self._is_behind(viewer) for viewer in self.viewers)

    def _is_behind(self, viewer: Viewer) -> bool:
        stalls = viewer.seen != self.id or viewer.stalled_since is not None
        return stalls and not viewer.is_over

    def send_heartbeats(self, now: float) -> bool:
        """Send every viewer a heartbeat; return whether one has not taken what came before."""
        for viewer in self.viewers:
            if viewer.is_taking(now):
                viewer.send(HEARTBEAT)
        return any(self._is_behind(viewer) for viewer in self.viewers)


def encode_news(before: State | None, newest: State, id: str) -> StreamEvent | None:
    """Encode the changes as an event: a version, and the blocks by their keys, null for a folded
    one; None if all did."""
    if not isinstance(before, LivePart) or not isinstance(newest, LivePart) or not newest.blocks:
        return None
    changed = newest.changes_since(before)
    if changed is None:
        return None
    news = {"version": newest.version, "blocks": changed}
    return StreamEvent("news", msgspec.json.encode(news), id)
