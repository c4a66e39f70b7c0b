"""How soon a change at a table is on the floor page, beside a bare subscriber of the same broker.

A process of its own publishes as so many tables do, each once in two seconds and with the time in
the place of its table; the floor is a process too. This one reads the stream of its page, and what
a bare paho client hears. The publishing process notes how late it was itself with each document:
if it was saturated, the run tells of it and not of the floor, and that is said. Each of five runs
is told by itself. Needs Mosquitto (Debian's package); without it nothing is measured.
"""

import json
import math
import multiprocessing
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

import msgspec
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from bench.floor_demo import MISSING, start_broker, start_floor
from bench.measure import Figure
from companion.floor.table_state import TableState
from tests.worlds.ports import free_port

SECONDS, RUNS, EVERY = 20.0, 5, 2.0
STAMP = re.compile(rb"at (\d+)")
MIB = 1 << 20
SIZES = {12: 60, 100: 60, 1000: 120}
"""So many tables, and the most MiB of the floor."""
MOST_TIMES = 2.0
MOST_LATE_MS = 20.0
"""Milliseconds behind its plan, in the median, from which a publishing process is saturated."""


class Run(NamedTuple):
    """The milliseconds to the page, to a bare subscriber, and behind the plan; the floor's MiB."""

    page: list[float]
    bare: list[float]
    late: list[float]
    memory: float

    def __str__(self) -> str:
        told = [
            f"{name} p50 {percentile(found, 50):.1f} p99 {percentile(found, 99):.1f}"
            for name, found in (("page", self.page), ("bare", self.bare))
        ]
        late = percentile(self.late, 50)
        state = "SATURATED" if late > MOST_LATE_MS else "unsaturated"
        behind = f"p50 {late:.2f} p99 {percentile(self.late, 99):.1f} ms behind, {state}"
        return f"{', '.join(told)} ms; {len(self.page)} changes; the tables were {behind}"


def figures() -> Iterator[Figure]:
    """Yield p50 and p99 of each run at each size, and the memory of the floor."""
    mosquitto = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if mosquitto is None:
        print(MISSING, file=sys.stderr)
        return
    for tables, most in SIZES.items():
        runs = list[Run]()
        for n in range(RUNS):
            runs.append(_measure(mosquitto, tables))
            print(f"  {tables} tables, run {n + 1}: {runs[-1]}", flush=True)
        for percent in (50, 99):
            yield from _compare_runs(tables, percent, runs)
        late = max(percentile(run.late, 50) for run in runs)
        what = f"how late {tables} simulated tables were, p50"
        yield Figure(
            what, late, "ms", MOST_LATE_MS, False, "where they are saturated", late / MOST_LATE_MS
        )
        memory = statistics.median(run.memory for run in runs)
        yield Figure(f"memory of the floor, {tables} tables", memory, "MiB", most, False, "bar", 1)


def _compare_runs(tables: int, percent: int, runs: Sequence[Run]) -> Iterator[Figure]:
    """Yield the median run of a percentile, and the worst; only p50 has a bar."""
    found = sorted((percentile(run.page, percent), percentile(run.bare, percent)) for run in runs)
    for word, (mine, peer) in (("median run", found[len(found) // 2]), ("worst run", found[-1])):
        bar = MOST_TIMES * peer if (percent, word) == (50, "median run") else math.inf
        what = f"change to page, {tables} tables, p{percent}, {word}"
        yield Figure(what, mine, "ms", bar, False, f"bare paho ({peer:.1f} ms)", mine / peer)


def percentile(found: Sequence[float], percent: int) -> float:
    """Return a percentile of what was measured."""
    return sorted(found)[min(len(found) * percent // 100, len(found) - 1)]


def _measure(mosquitto: str, tables: int) -> Run:
    """Measure one run with so many tables."""
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
        every, late = max(EVERY, tables / 50), folder / "late"
        job = multiprocessing.get_context("spawn").Process(
            target=publish, args=(port, tables, every, SECONDS, late)
        )
        job.start()
        job.join()
        time.sleep(1)
        ends.set()
        memory = resident(process)
        subscriber.disconnect()
        subscriber.loop_stop()
        skipped = tables  # The first of each table: the floor draws its tile for the first time.
        behind: list[float] = json.loads(late.read_text("ascii"))
        return Run(seen[skipped:], bare[skipped:], behind[skipped:], memory)


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


def resident(process: "subprocess.Popen[bytes]") -> float:
    """Return the memory of a process, in MiB."""
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) * 1024 / MIB if found else 0.0


def publish(port: int, tables: int, every: float, seconds: float, late: Path) -> None:
    """Publish as so many tables, each once in `every` seconds, evenly apart; write the milliseconds
    that each came behind that plan to a file."""
    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    for n in range(tables):
        client.publish(f"companion/{n:012x}/online", b"1", retain=True)
    begun, sent, behind = time.monotonic(), 0, list[float]()
    rounds = max(2, int(seconds / every))
    while sent < rounds * tables:
        due = begun + sent * every / tables
        time.sleep(max(0.0, due - time.monotonic()))
        behind.append(1000 * (time.monotonic() - due))
        table = sent % tables
        state = TableState(
            name=f"Table {table}", place=f"at {time.monotonic_ns()}", game="Box", phase="seal"
        )
        client.publish(f"companion/{table:012x}/state", msgspec.json.encode(state), retain=True)
        sent += 1
    client.disconnect()
    client.loop_stop()
    late.write_text(json.dumps(behind), "ascii")
