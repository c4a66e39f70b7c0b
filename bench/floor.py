"""How soon a change at one of twelve tables is on the page of the floor, beside bare paho.

A process of its own publishes as the tables do, each once in two seconds and with the time in the
place of its table. This one reads the stream of the page, and what a bare client hears at the same
broker. Needs Mosquitto; without it nothing is measured.
"""

import multiprocessing
import re
import statistics
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import msgspec
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from bench.floor_demo import MISSING, find_mosquitto
from bench.measure import Figure
from companion.floor.table_state import TableState
from tests.worlds.floor_page import FloorProgram
from tests.worlds.mosquitto import Mosquitto

TABLES, SECONDS, EVERY = 12, 40, 2.0
STAMP = re.compile(rb"at (\d+)")


def figures() -> Iterator[Figure]:
    """Yield the median delay to the page."""
    if find_mosquitto() is None:
        print(MISSING, file=sys.stderr)
        return
    with TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder))
        floor, page, bare = FloorProgram(broker), list[float](), list[float]()
        listener = Client(CallbackAPIVersion.VERSION2)
        listener.on_message = lambda _client, _data, told: _note(told, bare)
        listener.connect("127.0.0.1", broker.port)
        listener.subscribe("companion/+/state")
        listener.loop_start()
        Thread(target=_read_stream, args=(floor.address, page), daemon=True).start()
        tables = multiprocessing.get_context("spawn").Process(target=publish, args=(broker.port,))
        tables.start()
        tables.join()
        listener.loop_stop()
        floor.close()
        broker.kill()
    mine, peer = statistics.median(page[TABLES:]), statistics.median(bare[TABLES:])
    yield Figure(
        f"change to tile, {TABLES} tables, p50", mine, "ms", 2 * peer, False,
        f"bare paho ({peer:.2f} ms)", mine / peer,
    )  # fmt: skip


def _note(told: MQTTMessage | bytes, found: list[float]) -> None:
    stamp = STAMP.search(told if isinstance(told, bytes) else bytes(told.payload))
    if stamp is not None:
        found.append((time.monotonic_ns() - int(stamp[1])) / 1e6)


def _read_stream(address: str, found: list[float]) -> None:
    with urllib.request.urlopen(f"{address}stream", timeout=60) as stream:
        for line in stream:
            _note(line, found)


def publish(port: int) -> None:
    """Publish as all tables do, evenly apart."""
    client: Any = Client(CallbackAPIVersion.VERSION2)
    client.connect("127.0.0.1", port)
    client.loop_start()
    begun = time.monotonic()
    for n in range(round(TABLES * SECONDS / EVERY)):
        time.sleep(max(0.0, begun + n * EVERY / TABLES - time.monotonic()))
        name, place = f"Table {n % TABLES}", f"at {time.monotonic_ns()}"
        state = TableState(name=name, place=place, game="Box", phase="seal")
        client.publish(f"companion/{n % TABLES:012x}/state", msgspec.json.encode(state))
    client.disconnect()
    client.loop_stop()
