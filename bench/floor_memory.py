"""What a floor takes that asks its tables without a broker, and what the floor costs a table.

One process stands for all tables: each has a path of its own there, and tells a new state whenever
it is asked. The floor is the real program; its memory is read once every table was asked for some
time, its evenings included.

A table's client is measured in a process of its own: how much it adds to the memory, and how long a
change keeps the thread that makes it, and the one beside it.
"""

import json
import multiprocessing
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing.synchronize import Event
from pathlib import Path

from bench.floor import resident, wait_for_page
from bench.floor_demo import MISSING, start_broker, start_pulling_floor
from bench.measure import Figure, python_command
from tests.worlds.ports import free_port

SIZES = {100: 60, 1000: 120}
"""So many tables, and the most MiB of the floor."""
SECONDS = 45.0
PATIENCE = 120.0
MOST_MS, MOST_MIB = 1.0, 2.0


def figures() -> Iterator[Figure]:
    """Yield the memory of a floor that asks, at each size, and what a table's client costs."""
    for tables, most in SIZES.items():
        memory, bare = _measure_floor(tables)
        what = f"memory of a floor that asks {tables} tables"
        yield Figure(what, memory, "MiB", most, False, "before its first table", memory / bare)
    mosquitto = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if mosquitto is None:
        print(MISSING, file=sys.stderr)
        return
    cost = _measure_table(mosquitto)
    for what, name, unit, bar in (
        ("a change, in the thread of the table, median", "own_ms", "ms", MOST_MS),
        ("a change, in all threads of the table", "all_ms", "ms", MOST_MS),
        ("memory of a table's client", "mib", "MiB", MOST_MIB),
    ):
        yield Figure(what, cost[name], unit, bar, False, "bar", cost[name] / bar)


def _measure_floor(tables: int) -> tuple[float, float]:
    """Return the MiB of a floor with so many tables, and with none that answers yet."""
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="floor-")))
        port, open_doors = free_port(), multiprocessing.get_context("spawn").Event()
        job = multiprocessing.get_context("spawn").Process(
            target=serve_tables, args=(port, tables, open_doors), daemon=True
        )
        job.start()
        running.callback(job.join)
        running.callback(job.terminate)
        addresses = [f"http://127.0.0.1:{port}/{n}" for n in range(tables)]
        page, process = start_pulling_floor(addresses, free_port(), folder, running)
        wait_for_page(page)
        time.sleep(2)
        bare = resident(process)
        open_doors.set()
        end = time.monotonic() + PATIENCE
        while _count_tiles(page) < tables:
            assert time.monotonic() < end, "not every table came"
            time.sleep(1)
        time.sleep(SECONDS)
        return resident(process), bare


def _count_tiles(page: str) -> int:
    with urllib.request.urlopen(page, timeout=20) as answer:
        return int(answer.read().decode().count('data-look="playing"'))


def serve_tables(port: int, tables: int, open_doors: Event) -> None:
    """Answer as so many tables do, from when the doors are open; in a process of its own."""
    import asyncio  # noqa: PLC0415

    from tornado.httpserver import HTTPServer  # noqa: PLC0415
    from tornado.web import Application, HTTPError, RequestHandler  # noqa: PLC0415

    class TableHandler(RequestHandler):
        def get(self, n: str, what: str) -> None:
            if not open_doors.is_set():
                raise HTTPError(503)
            if what:
                self.finish({"games": [], "line": 0, "uptime": time.monotonic(), "readers": []})
                return
            seconds = int(time.monotonic())
            self.finish(
                {"table": f"{int(n):012x}", "name": f"Table {n}", "place": f"Row {n[-1]}",
                 "game": "Banküberfall", "phase": "seal", "players": 3, "waiting": [1, 2],
                 "seconds": seconds, "address": f"http://127.0.0.1:{port}/{n}/"}
            )  # fmt: skip

    async def serve() -> None:
        routes = [(r"/(\d+)/api/floor(/played/\d+)?", TableHandler)]
        server = HTTPServer(Application(routes, log_function=lambda _handler: None))
        server.listen(port, "127.0.0.1", backlog=tables + 128)
        await asyncio.Event().wait()

    asyncio.run(serve())


def _measure_table(mosquitto: str) -> dict[str, float]:
    """Return the milliseconds of a change, in its own thread and in all, and the client's MiB."""
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="floor-")))
        broker = start_broker(mosquitto, folder, running)
        done = subprocess.run(
            python_command("-m", "bench.floor_client", broker),
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        found: dict[str, float] = json.loads(done.stdout)
        return found
