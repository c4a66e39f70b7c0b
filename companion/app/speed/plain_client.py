"""The client of `viewers.c` in Python, for a machine without a C compiler: same words, same lines.

Law: as there, nothing is done between a request and its last news but to read, to look at the clock
and to store. Its share of the processor is larger, and is printed with the figures.
"""

import contextlib
import re
import selectors
import socket
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

AT_ONCE, ROOM, SMALL = 32, 1 << 16, 4096
SILENT = (b":", b"event: heartbeat")


class JobItem(NamedTuple):
    """A viewer, a stalled viewer or a request of the job."""

    kind: str
    counted: bool
    data: bytes


class Failed(Exception):
    """The job cannot be done; the sentence says why."""


class Body:
    """Takes apart an answer: its head, its chunks, and what is compressed of them."""

    def __init__(self) -> None:
        self._raw, self._in_head, self._left = b"", True, 0
        self._chunked, self._inflating = False, zlib.decompressobj(47)
        self.is_compressed = False

    def decode(self, data: bytes) -> bytes:
        """Return the text that these further bytes complete."""
        self._raw += data
        if self._in_head and not self._take_head():
            return b""
        body = b"".join(self._take_chunks()) if self._chunked else self._take_all()
        return self._inflating.decompress(body) if self.is_compressed else body

    def _take_head(self) -> bool:
        head, end, rest = self._raw.partition(b"\r\n\r\n")
        if not end:
            return False
        if head.split(b" ", 2)[1:2] != [b"200"]:
            raise Failed(f"A viewer was not let in: {head.decode(errors='replace')}")
        self._chunked = b"\ntransfer-encoding: chunked" in head.lower()
        self.is_compressed = b"\ncontent-encoding: " in head.lower()
        self._raw, self._in_head = rest, False
        return True

    def _take_all(self) -> bytes:
        taken, self._raw = self._raw, b""
        return taken

    def _take_chunks(self) -> Iterator[bytes]:
        """Yield what there is of the chunks; a chunk may come in pieces."""
        while True:
            if not self._left:
                size, end, rest = self._raw.removeprefix(b"\r\n").partition(b"\r\n")
                if not end:
                    return
                self._left, self._raw = int(size, 16), rest
            if not self._raw or not self._left:
                return
            taken, self._raw = self._raw[: self._left], self._raw[self._left :]
            self._left -= len(taken)
            yield taken


class PlainViewer:
    """An open stream: what arrived and when, and when it had its last whole event."""

    def __init__(self, line: socket.socket) -> None:
        self.line, self.heard, self.body = line, 0, Body()
        self.arrived: list[tuple[int, bytes]] = []
        self._text = b""

    def take_apart(self) -> None:
        """Find the events that ended in what arrived."""
        for at, data in self.arrived:
            *events, self._text = (self._text + self.body.decode(data)).split(b"\n\n")
            if any(event and not event.startswith(SILENT) for event in events):
                self.heard = at
        self.arrived.clear()


class PlainClient:
    """All viewers of a job, and the connection of its requests."""

    def __init__(self, port: int, pause_ms: int, timeout_ms: int) -> None:
        self._port, self._pause, self._timeout = port, pause_ms * 10**6, timeout_ms * 10**6
        self._selector, self._last_arrival = selectors.DefaultSelector(), 0
        self.viewers: list[PlainViewer] = []
        self.received, self._stalled = 0, [socket.socket()]
        self._answer, self._answered_at = b"", 0

    def open_viewers(self, parts: Sequence[JobItem]) -> None:
        """Connect all viewers, some at a time, and wait for the first state of each."""
        begun, opening = time.monotonic_ns(), list[PlainViewer]()
        for n, part in enumerate(parts, 1):
            line = self._open_line(part)
            if part.kind == "viewer":
                opening.append(PlainViewer(line))
                self._selector.register(line, selectors.EVENT_READ, opening[-1])
            if (len(opening) == AT_ONCE or n == len(parts)) and opening:
                if self._await_news(begun, opening, len(opening), is_request=False) < len(opening):
                    raise Failed("Not every viewer was sent a first state.")
                self.viewers += opening
                begun, opening = time.monotonic_ns(), []
        self._asking = self._open_line(JobItem("request", False, b""))
        self._selector.register(self._asking, selectors.EVENT_READ, None)

    def _open_line(self, part: JobItem) -> socket.socket:
        line = socket.socket()
        if part.kind == "stalled":
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
            self._stalled.append(line)
        line.connect(("127.0.0.1", self._port))
        line.sendall(part.data)
        return line

    def send_request(self, part: JobItem, clock: int) -> str:
        """Send a request, wait until all have heard, and return its line."""
        used, self.received, self._answer = time.clock_gettime_ns(clock), 0, b""
        begun = time.monotonic_ns()
        self._asking.sendall(part.data)
        wanted = len(self.viewers) if part.counted else 0
        reached = self._await_news(begun, self.viewers, wanted, is_request=True)
        heard = [viewer.heard - begun for viewer in self.viewers if viewer.heard > begun] or [-1]
        answer = self._answered_at - begun if self._answer else -1
        if not 200 <= self._status < 300:
            said = self._answer.decode(errors="replace") or "no answer"
            raise Failed(f"A request was not granted: {said}")
        spent = time.clock_gettime_ns(clock) - used
        figures = (part.counted + 0, self._status, answer, min(heard), max(heard), reached, spent)
        return " ".join(map(str, (*figures, self.received)))

    def _await_news(
        self, begun: int, viewers: Sequence[PlainViewer], wanted: int, is_request: bool
    ) -> int:
        """Read until so many of the viewers have heard, and return how many did."""
        self._last_arrival, deadline, is_quiet, heard = begun, begun + self._timeout, False, 0
        while True:
            now, until = time.monotonic_ns(), self._last_arrival + self._pause
            until = deadline if is_quiet else until
            if now < until:
                ready = self._selector.select((until - now) / 1e9)
                for key, _ in ready:
                    self._read_socket(key)
                is_quiet = is_quiet and not ready
                continue
            for viewer in viewers:
                viewer.take_apart()
            heard, is_quiet = sum(viewer.heard > begun for viewer in viewers), True
            is_told = heard >= wanted or (is_request and self._status >= 300)
            is_done = is_told and (not is_request or self._is_answered())
            if is_done or now >= deadline:
                return heard

    def _read_socket(self, key: selectors.SelectorKey) -> None:
        assert isinstance(key.fileobj, socket.socket)
        data, at = b"", 0
        with contextlib.suppress(ConnectionError):
            data, at = key.fileobj.recv(ROOM), time.monotonic_ns()
        if not data:
            self._selector.unregister(key.fileobj)
            if key.data is None:
                raise Failed("The connection of the requests was closed.")
        elif key.data is None:
            self._answered_at = self._answered_at if self._answer else at
            self._answer += data
        else:
            key.data.arrived.append((at, data))
            self.received += len(data)
            self._last_arrival = at

    @property
    def _status(self) -> int:
        return int(self._answer[9:12] or 0)

    def _is_answered(self) -> bool:
        head, end, body = self._answer.partition(b"\r\n\r\n")
        told = re.search(rb"(?i)\ncontent-length: (\d+)", head)
        return bool(end) and len(body) >= int(told.group(1) if told else 0)


def read_job(path: Path) -> Iterator[JobItem]:
    """Yield the parts of a job."""
    with path.open("rb") as file:
        while head := file.readline().split():
            yield JobItem(head[0].decode(), head[1] == b"1", file.read(int(head[2])))


def watch_table(port: int, process: int, path: Path, pause_ms: int, timeout_ms: int) -> None:
    """Do a job, and print what was heard."""
    clock = (~process << 3) | 2  # The clock of the processor time of a process, as in <time.h>.
    parts, client = list(read_job(path)), PlainClient(port, pause_ms, timeout_ms)
    client.open_viewers([part for part in parts if part.kind != "request"])
    compressed = any(viewer.body.is_compressed for viewer in client.viewers)
    lines = [f"opened {len(client.viewers)} {client.received} {compressed:d}"]
    own = time.process_time_ns()
    lines += [client.send_request(part, clock) for part in parts if part.kind == "request"]
    sys.stdout.write("\n".join([*lines, f"client {time.process_time_ns() - own}", ""]))


if __name__ == "__main__":
    numbers = sys.argv
    try:
        watch_table(int(numbers[1]), int(numbers[2]), Path(numbers[3]), *map(int, numbers[4:6]))
    except (Failed, OSError, zlib.error) as error:
        sys.exit(str(error))
