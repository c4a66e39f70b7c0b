"""Strangers at 250 addresses: what a seated player notices, and what is left of it in memory.

A companion runs as users run it. From each address of 127.0.1.x come a stream, silent and half-open
connections, and a loop of requests as fast as they are answered; meanwhile one seated phone writes.
All of it comes twice: Python keeps the memory of as many connections as there are places for the
next ones, so that the first flood adds to it, and the second one must not. Before that, 8 addresses
send 10,000 wrong PINs, and the resident memory is read before and after. All traffic stays on this
machine, and each part ends after a time of its own.

`python -m bench.admission [--seconds N] [--pins N]` prints the figures, and fails if one is missed.
"""

import argparse
import asyncio
import http.client
import json
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from bench.measure import python_command
from tests.worlds.signer import Signer

HERE, PORT = "127.0.0.1", 18_800
SOURCES = [f"127.0.1.{n}" for n in range(1, 251)]
HEAD = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"
WORST, MOST_GROWTH = 1_000.0, 5.0
"""Milliseconds of a write at the 95th of 100, and MiB that wrong PINs or a second flood may add."""
WRITE_PAUSE, PAUSE, SETTLES = 0.25, 0.05, 5.0
"""Seconds between two writes of the phone, which may write five times a second for long, between
two tries of an attacker, and after a flood until the memory is read."""
ATTACK = "attack"


class Phone:
    """The browser of a seat, at an address of its own: one connection, and one cookie."""

    def __init__(self, port: int, source: str = "127.0.2.1") -> None:
        self._port, self._source, self._cookie = port, source, ""
        self._origin, self._signer = f"http://{HERE}:{port}", Signer()
        self._line = self._connect()

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(
            HERE, self._port, timeout=30, source_address=(self._source, 0)
        )

    def send(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """Send a request, connecting again if the connection was closed meanwhile."""
        for attempt in range(3):
            try:
                return self._send_once(method, path, body)
            except (OSError, http.client.HTTPException):
                self._line.close()
                self._line = self._connect()
                if attempt == 2:
                    raise
        raise AssertionError

    def _send_once(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        headers = {
            "Accept": "application/problem+json", "Origin": self._origin,
            "Content-Type": "application/json", "Cookie": self._cookie,
        }  # fmt: skip
        data = json.dumps(body).encode() if body else b""
        if data:
            headers |= self._signer.head(path, data)
        self._line.request(method, path, data or None, headers)
        answer = self._line.getresponse()
        given = answer.getheader("Set-Cookie")
        self._cookie = given.split(";")[0] if given else self._cookie
        return answer.status, answer.read()

    def register(self) -> None:
        """Get a cookie, and register the key that signs what is sent from then on."""
        self.send("GET", "/")
        self.send("POST", "/api/browser/key", json.loads(self._signer.registration()))

    def sit_down(self) -> None:
        self.register()
        status, text = self.send("POST", "/api/join/seats/1", {"key": secrets.token_hex(4)})
        assert status == 204, (status, text)

    def write(self) -> tuple[int, float]:
        """Freeze or thaw the table; return the status and the milliseconds."""
        _, text = self.send("GET", "/api/seats/1")
        view = json.loads(text)
        event = {"event": "thawed"} if view["table"].get("frozen") else {"event": "frozen"}
        body = {"event": event, "version": view["at"], "key": secrets.token_hex(4)}
        begun = time.perf_counter()
        status, _ = self.send("POST", "/api/seats/1/requests", body)
        return status, 1000 * (time.perf_counter() - begun)


@contextmanager
def running_companion(folder: str) -> Iterator[tuple[int, int]]:
    """Run a companion with a simulated table; yield its port and the id of its process."""
    command = python_command(
        "-m", "companion", "run", "--sim", "--data", folder, "--port", str(PORT),
        "bankueberfall", "--players", "Ana,Ben,Cleo",
    )  # fmt: skip
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as table:
        assert table.stdout is not None
        try:
            line = ""
            while not (found := re.search(r"http://\S+?:(\d+)", line)):
                line = table.stdout.readline()
                assert line, "the companion did not start"
            yield int(found[1]), table.pid
        finally:
            table.terminate()


def resident_mebibytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


# The attack, in a process of its own.


async def _hold(port: int, source: str, sent: bytes) -> None:
    """Hold a connection, and connect again whenever it is closed."""
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection(HERE, port, local_addr=(source, 0))
            writer.write(sent)
            while await reader.read(65_536):
                pass
            writer.close()
        await asyncio.sleep(PAUSE)


async def _flood(port: int, source: str) -> None:
    """Send one request after the other, each as soon as the last was answered."""
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection(HERE, port, local_addr=(source, 0))
            while True:
                writer.write(HEAD % (b"/table", port))
                head = await reader.readuntil(b"\r\n\r\n")
                size = re.findall(rb"(?i)content-length: (\d+)", head)
                await reader.readexactly(int(size[0]) if size else 0)
        await asyncio.sleep(PAUSE)


async def _attack(port: int, seconds: float) -> None:
    half, slow = (
        b"GET / HTTP/1.1\r\nHo",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n",
    )
    stream = HEAD % (b"/stream/table", port)
    held = [_hold(port, source, sent) for source in SOURCES for sent in (b"", half, slow, stream)]
    everyone = asyncio.gather(*held, *(_flood(port, source) for source in SOURCES))
    with suppress(TimeoutError):
        await asyncio.wait_for(everyone, seconds)


def measure_writes(phone: Phone, port: int, seconds: float) -> tuple[list[float], int]:
    """Return the milliseconds of each write during the attack, and how many were refused."""
    took, refused = list[float](), 0
    command = python_command("-m", "bench.admission", ATTACK, str(port), str(seconds))
    with subprocess.Popen(command) as attack:
        time.sleep(3)
        while attack.poll() is None:
            status, milliseconds = phone.write()
            took.append(milliseconds)
            refused += status != 204
            time.sleep(WRITE_PAUSE)
    return took, refused


class Flood(NamedTuple):
    """Whether all writes during a flood were granted in time, and MiB that are left after it."""

    is_well: bool
    memory: float


def measure_flood(phone: Phone, port: int, process: int, seconds: float) -> Flood:
    """Measure one flood, and print its figures."""
    took, refused = measure_writes(phone, port, seconds)
    time.sleep(SETTLES)
    memory, last = resident_mebibytes(process), statistics.quantiles(took, n=20)[18]
    print(f"{len(took)} writes of a seat while {len(SOURCES)} addresses attack: {refused} refused; "
          f"p50 {statistics.median(took):.0f} ms, p95 {last:.0f} ms, most {max(took):.0f} ms; "
          f"{memory:.1f} MiB after it")  # fmt: skip
    return Flood(refused == 0 and last <= WORST, memory)


# Wrong PINs.


def send_wrong_pins(port: int, pins: int) -> dict[int, int]:
    """Send so many wrong PINs from 8 addresses, in turn; return how often each status came."""
    guessers = [Phone(port, f"127.0.3.{n}") for n in range(1, 9)]
    statuses: dict[int, int] = {}
    for guesser in guessers:
        guesser.register()
    for n in range(pins):
        body = {"key": secrets.token_hex(4), "pin": f"x{n:05}"}
        status, _ = guessers[n % 8].send("POST", "/api/host/session", body)
        statuses[status] = statuses.get(status, 0) + 1
    return statuses


def main() -> int:
    """Print the figures; return 1 if one is missed."""
    if sys.argv[1:2] == [ATTACK]:
        asyncio.run(_attack(int(sys.argv[2]), float(sys.argv[3])))
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--pins", type=int, default=10_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_companion(folder) as (port, process):
        time.sleep(2)
        start = resident_mebibytes(process)
        statuses = send_wrong_pins(port, chosen.pins)
        after_pins = resident_mebibytes(process)
        print(f"{chosen.pins} wrong PINs from 8 addresses, by status {statuses}: "
              f"{start:.1f} MiB before, {after_pins:.1f} after")  # fmt: skip
        phone = Phone(port)
        phone.sit_down()
        floods = [measure_flood(phone, port, process, chosen.seconds) for _ in range(2)]
    grew = max(after_pins - start, floods[1].memory - floods[0].memory)
    return int(not all(flood.is_well for flood in floods) or grew > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
