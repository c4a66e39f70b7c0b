"""The daemon: time to its first page, weight with 64 viewers, time to end while they watch.

A quarter of the viewers are stalled. It is `companion run --sim`, as a process of its own.
"""

import asyncio
import http.client
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence

from bench.measure import Figure, python_command
from bench.watched_table import resident_mebibytes

COMPANION = "import sys; from companion.cli import main; sys.exit(main())"
PEER = "import flask, tornado.web, msgspec"
WAITS = "import signal; print(flush=True); signal.pause()"
VIEWERS = 64
LOOK = b"GET /stream/table HTTP/1.1\r\nHost: localhost\r\n\r\n"
RUNS = 3


def figures() -> Iterator[Figure]:
    """Measure starting, weight and ending."""
    runs = [_run_daemon() for _ in range(RUNS)]
    starting, weight, ending = (min(each) for each in zip(*runs, strict=True))
    imports = min(_best_seconds(python_command("-c", PEER)) for _ in range(RUNS))
    yield Figure("start of the daemon to its first page", starting, "s", 1.5, False,
                 "its bare libraries", starting / imports)  # fmt: skip
    bare = subprocess.run(
        python_command("-c", "from bench.watched_table import *; print(resident_mebibytes())"),
        capture_output=True, check=True,
    )  # fmt: skip
    yield Figure(f"its memory with {VIEWERS} viewers", weight, "MiB", 90, False,
                 "its code alone", weight / float(bare.stdout))  # fmt: skip
    yield Figure("its end with as many, every fourth stalled", ending, "s", 1.0, False,
                 "a bare Python", ending / _seconds_to_end())  # fmt: skip


def _best_seconds(command: Sequence[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - begun


def _run_daemon() -> tuple[float, float, float]:
    """Return the seconds to the first page, the MiB with all viewers, the seconds to the end."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("run", "--sim", "--data", folder, "--port", "18800")
        begun = time.perf_counter()
        command = python_command("-c", COMPANION, *words)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
            assert daemon.stdout is not None
            port = int(daemon.stdout.readline().rstrip("/\n").rpartition(":")[2])
            _first_page(port)
            starting = time.perf_counter() - begun
            return starting, *asyncio.run(_watch_daemon(port, daemon))


async def _watch_daemon(port: int, daemon: "subprocess.Popen[str]") -> tuple[float, float]:
    loop = asyncio.get_running_loop()
    lines = [
        await loop.create_connection(ViewerConnection, "127.0.0.1", port) for _ in range(VIEWERS)
    ]
    reading = [line for _, line in lines[VIEWERS // 4 :]]
    for sending, _ in lines[: VIEWERS // 4]:
        sending.pause_reading()
    for line in reading:
        await line.heard.wait()
    weight = resident_mebibytes(daemon.pid)
    begun = time.perf_counter()
    daemon.send_signal(signal.SIGTERM)
    assert await loop.run_in_executor(None, daemon.wait) == 0
    ending = time.perf_counter() - begun
    assert all(b"event: stop" in line.last for line in reading)
    return weight, ending


class ViewerConnection(asyncio.Protocol):
    """A viewer, and the last it heard."""

    def __init__(self) -> None:
        self.heard = asyncio.Event()
        self.last = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(LOOK)

    def data_received(self, data: bytes) -> None:
        self.last = (self.last + data)[-200:]
        self.heard.set()


def _first_page(port: int) -> None:
    asking = http.client.HTTPConnection("localhost", port)
    asking.request("GET", "/")
    assert asking.getresponse().status == 200
    asking.close()


def _seconds_to_end() -> float:
    with subprocess.Popen(python_command("-c", WAITS), stdout=subprocess.PIPE) as bare:
        assert bare.stdout is not None
        bare.stdout.readline()
        begun = time.perf_counter()
        bare.terminate()
        bare.wait()
        return time.perf_counter() - begun
