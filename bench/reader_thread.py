"""The thread that visits the readers, beside one that draws pages without a pause.

A simulated round of eight readers with two cards each is recorded, then replayed in a thread of its
own: the driver runs as on a Pi, and each transfer and each wait takes the time that it would take,
without the interpreter, as in the kernel. So what is counted is our driver's share of a processor,
and how long the two threads keep each other waiting.
"""

import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.hardware_driver import ROUND_MS, DriverTable
from bench.measure import RUNS, Figure
from companion.seating.seats import Seats
from hardware.drivers import open_readers
from hardware.rc522.transcript import Replay, Transfer, read_transcript, record_transfers
from hardware.reader_loop import Readers
from hardware.simulated_table import build_world
from hardware.wiring import load_profile
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext
from web.server.server import SWITCH_INTERVAL

READERS, WARM_ROUNDS, ROUNDS = 8, 12, 25
MOST_CPU = 40.0
"""Per cent of one processor that the thread of the readers may use."""


class TimedReplay(Replay):
    """A transcript that is played back in as much time as its transfers take on the bus."""

    def __init__(self, transfers: Sequence[Transfer]) -> None:
        super().__init__(transfers)
        self._sent = [bytes.fromhex(line.sent) for line in transfers]
        self._got = [[*bytes.fromhex(line.got)] for line in transfers]
        self.is_timed = False

    def sleep(self, seconds: float, /) -> None:
        super().sleep(seconds)
        if self.is_timed:
            time.sleep(seconds)

    def answer_transfer(self, name: str, hertz: int, values: Sequence[int]) -> list[int]:
        """Return the answer to the next transfer, once the bus has carried it."""
        n, self._next = self._next, self._next + 1
        assert bytes(values) == self._sent[n], f"transfer {n + 1}"
        if self.is_timed:
            time.sleep(8 * len(values) / hertz)
        self._now = self._transfers[n].at
        return self._got[n]


class ThreadCost(NamedTuple):
    """What a thread took for the measured rounds: processor and time, in seconds."""

    cpu: float
    passed: float

    @property
    def share(self) -> float:
        return self.cpu / self.passed

    @property
    def round_ms(self) -> float:
        return self.passed / ROUNDS * 1e3


def figures() -> Iterator[Figure]:
    """Measure the reader thread alone, the page thread alone, and both at a time: the best of a
    few runs each."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        yield from _measure_threads()
    finally:
        sys.setswitchinterval(before)


def _measure_threads() -> Iterator[Figure]:
    transfers = record_rounds()
    alone = min((visit_readers(transfers) for _ in range(RUNS)), key=lambda cost: cost.passed)
    with busy_pages() as count_pages:
        pages_alone = max(_rate(count_pages, lambda: time.sleep(3)) for _ in range(RUNS))
        costs: list[ThreadCost] = []
        pages = max(
            _rate(count_pages, lambda: costs.append(visit_readers(transfers))) for _ in range(RUNS)
        )
    beside = min(costs, key=lambda cost: cost.passed)
    yield Figure("CPU of the reader thread beside a busy web thread", beside.share * 100, "%",
                 MOST_CPU, False, "alone", beside.share / alone.share)  # fmt: skip
    yield Figure("… a round of 8 readers with 2 cards meanwhile", beside.round_ms, "ms",
                 2 * ROUND_MS[1_000_000][300], False,
                 "alone", beside.round_ms / alone.round_ms)  # fmt: skip
    yield Figure("… pages drawn meanwhile", pages, "a second",
                 0.5 * pages_alone, True, "without readers", pages / pages_alone)  # fmt: skip


def record_rounds() -> list[Transfer]:
    """Return the transfers of a table with two cards at each reader, from its start."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rounds.jsonl"
        with record_transfers(path):
            table = DriverTable.build()
            for reader in range(READERS):
                table.lay_cards(random.Random(reader), reader, 2)
            for _ in range(READERS * (WARM_ROUNDS + ROUNDS)):
                table.hardware.readers.step()
        table.simulated.close()
        return read_transcript(path)


def visit_readers(transfers: Sequence[Transfer]) -> ThreadCost:
    """Replay the rounds in a thread, and return what the measured ones cost."""
    wiring, replay = load_profile("eight-readers"), TimedReplay(transfers)
    world = build_world(wiring)
    with world.install_stand_ins(), replay.answer_transfers():
        opened = open_readers(wiring, replay)
        readers = Readers(opened.by_place, replay, opened.reset_lines)
        readers.start()
        for _ in range(READERS * WARM_ROUNDS):
            readers.step()
        replay.is_timed = True
        with ThreadPoolExecutor(1) as thread:
            cost = thread.submit(_take_rounds, readers).result()
        replay.is_timed = False
        return cost


def _take_rounds(readers: Readers) -> ThreadCost:
    cpu, begun = time.thread_time(), time.monotonic()
    for _ in range(READERS * ROUNDS):
        readers.step()
    return ThreadCost(time.thread_time() - cpu, time.monotonic() - begun)


@contextmanager
def busy_pages() -> Iterator[Callable[[], int]]:
    """Draw the table's page over and over in a thread; yield what counts the pages so far."""
    done, stop = [0], threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        table = Watched(Path(folder) / "journal.sqlite3")
        client = create_app(AppContext(table.table, Seats(open_house=True))).test_client()

        def draw_pages() -> None:
            while not stop.is_set():
                n = done[0] = done[0] + 1
                address = f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}"  # Each a guest of its own.
                client.delete_cookie("companion")
                page = client.get("/table", environ_overrides={"REMOTE_ADDR": address})
                assert page.status_code == 200, page.status

        with closing(table.journal), ThreadPoolExecutor(1) as thread:
            drawing = thread.submit(draw_pages)
            yield lambda: done[0]
            stop.set()
            drawing.result()


def _rate(count: Callable[[], int], meanwhile: Callable[[], object]) -> float:
    """Return the counts per second while something else runs."""
    before, begun = count(), time.monotonic()
    meanwhile()
    return (count() - before) / (time.monotonic() - begun)
