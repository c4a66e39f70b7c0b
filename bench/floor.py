"""How soon a change at a table is on the floor page, beside a bare subscriber of the same broker.

A process of its own publishes as so many tables do, each once in two seconds and with the time in
the place of its table; the floor is a process too. This one reads the stream of its page, and what
a bare paho client hears. Needs Mosquitto (Debian's package); without it nothing is measured.
"""

import multiprocessing
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from typing import Any

import msgspec
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from bench.floor_demo import MISSING, free_port, start_broker, start_floor
from bench.measure import Figure
from companion.floor.table_state import TableState

SECONDS, RUNS, EVERY = 6.0, 5, 2.0
STAMP = re.compile(rb"at (\d+)")
MIB = 1 << 20
SIZES = {12: 60, 100: 60, 1000: 120}
"""So many tables, and the most MiB of the floor."""
MOST_TIMES = 2.0


def figures() -> Iterator[Figure]:
    """Yield p50 and p99 at each size, and the memory of the floor."""
    mosquitto = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if mosquitto is None:
        print(MISSING, file=sys.stderr)
        return
    for tables, most in SIZES.items():
        runs = [_measure(mosquitto, tables) for _ in range(RUNS)]
        seen = sorted(each for floor, _bare, _memory in runs for each in floor)
        bare = sorted(each for _floor, bare, _memory in runs for each in bare)
        for percent in (50, 99):
            mine, peer = _percentile(seen, percent), _percentile(bare, percent)
            bar = MOST_TIMES * peer if percent == 50 else 1e4
            what = f"change to floor page, {tables} tables, p{percent}"
            yield Figure(what, mine, "ms", bar, False, f"bare paho ({peer:.1f} ms)", mine / peer)
        memory = statistics.median(memory for _floor, _bare, memory in runs)
        yield Figure(f"memory of the floor, {tables} tables", memory, "MiB", most, False, "bar", 1)


def _percentile(sorted_values: list[float], percent: int) -> float:
    return sorted_values[min(len(sorted_values) * percent // 100, len(sorted_values) - 1)]


def _measure(mosquitto: str, tables: int) -> tuple[list[float], list[float], float]:
    """Return the milliseconds to the page and to a bare subscriber, and the floor's MiB."""
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="floor-")))
        broker = start_broker(mosquitto, folder, running)
        port = int(broker.rpartition(":")[2])
        page, process = start_floor(broker, free_port(), folder, running)
        seen, bare, ends = list[float](), list[float](), Event()
        wait_for_page(page)
        reader = Thread(target=_read_stream, args=(page, seen, ends), daemon=True)
        subscriber = _subscribe(port, bare)
        reader.start()
        every = max(EVERY, tables / 50)
        job = multiprocessing.get_context("spawn").Process(
            target=publish, args=(port, tables, every, SECONDS)
        )
        job.start()
        job.join()
        time.sleep(1)
        ends.set()
        memory = _resident(process)
        subscriber.disconnect()
        subscriber.loop_stop()
        skipped = tables  # The first of each table: the floor draws its tile for the first time.
        return seen[skipped:], bare[skipped:], memory


def wait_for_page(page: str) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(page, timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the floor does not answer")


def _read_stream(page: str, seen: list[float], ends: Event) -> None:
    with urllib.request.urlopen(f"{page}stream", timeout=20) as stream:
        for line in stream:
            if line.startswith(b"data: {"):
                _note(line, seen)
            if ends.is_set():
                return


def _subscribe(port: int, bare: list[float]) -> Client:
    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)

    def hear(_client: Client, _data: Any, told: MQTTMessage) -> None:
        _note(bytes(told.payload), bare)

    def subscribe(client: Client, *_connected: Any) -> None:
        client.subscribe("companion/+/state")

    client.on_message = hear
    client.on_connect = subscribe
    client.connect("127.0.0.1", port)
    client.loop_start()
    return client


def _note(told: bytes, found: list[float]) -> None:
    stamp = STAMP.search(told)
    if stamp is not None:
        found.append((time.monotonic_ns() - int(stamp[1])) / 1e6)


def _resident(process: "subprocess.Popen[bytes]") -> float:
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) * 1024 / MIB if found else 0.0


def publish(port: int, tables: int, every: float, seconds: float) -> None:
    """Publish as so many tables, each once in `every` seconds, evenly apart."""
    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    for n in range(tables):
        client.publish(f"companion/{n:012x}/online", b"1", retain=True)
    begun, sent = time.monotonic(), 0
    rounds = max(2, int(seconds / every))
    while sent < rounds * tables:
        due = begun + sent * every / tables
        time.sleep(max(0.0, due - time.monotonic()))
        table = sent % tables
        state = TableState(
            name=f"Table {table}", place=f"at {time.monotonic_ns()}", game="Box", phase="seal"
        )
        client.publish(f"companion/{table:012x}/state", msgspec.json.encode(state), retain=True)
        sent += 1
    client.disconnect()
    client.loop_stop()
