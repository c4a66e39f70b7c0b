"""Viewers: from a request to the last of 6, 64 and 256 viewers, over real sockets.

They have the real pages of up to six phones and of table screens, in three languages; a quarter of
them are stalled in a second run. The peer is a bare broadcast of as many bytes to as many.
"""

import asyncio
import json
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec

from bench.measure import Figure, python_command
from bench.watched_table import seat_browser
from companion.core.events import Event, to_json
from tests.worlds.rulebook_players import Dice, Evening
from tests.worlds.signer import Signer, seed_of

BARS = {6: 3.0, 64: 8.0, 256: 25.0}
SEATS = 6
LAST = 4.0
"""How much longer the slowest of a hundred may take than the middle one."""
REQUESTS = 150


def figures() -> Iterator[Figure]:
    """Measure the wait of the viewer that hears last."""
    for viewers, bar in BARS.items():
        ours, peers = _request_waits("ours", viewers), _request_waits("peer", viewers)
        yield from _wait_figures(f"a request to the last of {viewers} viewers", ours, peers, bar)
    ours, peers = _request_waits("ours", 64, 4), _request_waits("peer", 64)
    yield from _wait_figures("… of 64, every fourth stalled", ours, peers, BARS[64])


def _wait_figures(
    what: str, ours: Sequence[float], peers: Sequence[float], bar: float
) -> Iterator[Figure]:
    middle, peer = statistics.median(ours), statistics.median(peers)
    yield Figure(f"{what}, p50", middle, "ms", bar, False, "a bare broadcast", middle / peer)
    last, peers_last = (statistics.quantiles(each, n=100)[98] for each in (ours, peers))
    yield Figure("… p99 by p50", last / middle, "×", LAST, False,
                 "a bare broadcast", last / middle / (peers_last / peer))  # fmt: skip


def _request_waits(who: str, viewers: int, stalled: int = 0) -> list[float]:
    """Return the milliseconds of each request, in a table of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = python_command("-m", "bench.watched_table", who, folder)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
            assert table.stdout is not None
            port, cookies = json.loads(table.stdout.readline())
            try:
                return asyncio.run(_send_requests(port, cookies, viewers, stalled))
            finally:
                table.terminate()


async def _send_requests(
    port: int, cookies: Sequence[str], viewers: int, stalled: int
) -> list[float]:
    idle = [_open_stalled(port, cookies[-1]) for _ in range(viewers // stalled if stalled else 0)]
    phones = min(SEATS, viewers // 2)
    watching = [
        await _start_viewer(port, cookies, n, n < phones) for n in range(viewers - len(idle))
    ]
    asking = await asyncio.open_connection("127.0.0.1", port)
    took = []
    for version, (seat, event) in enumerate(_recorded_requests(), 1):
        begun = time.perf_counter()
        await _send_request(asking, seat, cookies[seat - 1], version, event)
        took.append(1000 * (await _last_heard(watching) - begun))
    for line in idle:
        line.close()
    return took


def _recorded_requests() -> list[tuple[int, Event]]:
    """Return the requests of six players in a game, each with its seat."""
    evening = Evening("robby_solo", Dice(Random(3)), SEATS).play()
    asked = zip(evening.states[1:], evening.events[1 : REQUESTS + 1], strict=False)
    return [(getattr(event, "seat", before.active), event) for before, event in asked]


class ViewerProtocol(asyncio.Protocol):
    """A viewer that notes when it last heard a whole new state."""

    def __init__(self) -> None:
        self.heard = asyncio.Event()
        self.when = 0.0
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        tail = self._rest + data
        if b"\n\n" in data or b"\n\n" in tail[-len(data) - 2 :]:
            self.when = time.perf_counter()
            self.heard.set()
        self._rest = data[-2:]


async def _start_viewer(port: int, cookies: Sequence[str], n: int, phone: bool) -> ViewerProtocol:
    """Connect the phone of a seat, or a table screen."""
    path = f"/stream/phone/{n + 1}" if phone else "/stream/table"
    cookie = cookies[n] if phone else cookies[SEATS + n % 3]
    loop = asyncio.get_running_loop()
    sending, watching = await loop.create_connection(ViewerProtocol, "127.0.0.1", port)
    sending.write(_request_head("GET", path, cookie))
    await watching.heard.wait()
    watching.heard.clear()
    return watching


async def _last_heard(watching: Sequence[ViewerProtocol]) -> float:
    """Return when the last of them had heard."""
    for each in watching:
        await each.heard.wait()
        each.heard.clear()
    return max(each.when for each in watching)


def _open_stalled(port: int, cookie: str) -> socket.socket:
    """Connect a viewer that reads nothing."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", port))
    line.sendall(_request_head("GET", "/stream/table", cookie))
    return line


async def _send_request(asking: Any, seat: int, cookie: str, version: int, event: Event) -> None:
    reader, writer = asking
    fields: dict[str, Any] = msgspec.json.decode(to_json(event))
    fields.pop("seat", None)
    body = msgspec.json.encode({"event": fields, "version": version, "key": f"k{version}"})
    path = f"/api/seats/{seat}/requests"
    signed = _signer_of(seat).head(path, body).items()
    head = _request_head("POST", path, cookie, len(body))[:-2]
    writer.write(head + "".join(f"{name}: {value}\r\n" for name, value in signed).encode())
    writer.write(b"\r\n" + body)
    answer = await reader.readuntil(b"\r\n\r\n")
    assert b" 204 " in answer, (answer, event)


@cache
def _signer_of(seat: int) -> Signer:
    """Return the key of a seat's browser; every table knows it, and its counter goes on."""
    return Signer(seed_of(seat_browser(seat)))


def _request_head(method: str, path: str, cookie: str, length: int = 0) -> bytes:
    lines = [
        f"{method} {path} HTTP/1.1", "Host: localhost", f"Cookie: companion={cookie}",
        "Origin: http://localhost", "Content-Type: application/json", f"Content-Length: {length}",
    ]  # fmt: skip
    return "\r\n".join([*lines, "", ""]).encode()
