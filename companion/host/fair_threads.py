"""Fair threads: a few threads that do the work of known claimants first.

Laws: the work of a known claimant waits only for what is running and for other known claimants.
Strangers hold at most some of the threads, and their waiting line is bounded. Within each line the
claimants take turns, so that one who asks a hundred times delays the others by one turn. When a
line is full, the newest work of the claimant with the most waiting is refused, never that of a
claimant with less.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")

STRANGERS_REST = 2.0
"""How long a thread rests after the work of a stranger, as a multiple of the time it took: under a
flood the threads would otherwise never leave the interpreter to the event loop."""


class CrowdedError(Exception):
    """The line was full: the work was refused, and nothing of it was done."""


class Claimant(NamedTuple):
    """The browser or source that work is done for, and whether it is a known one."""

    key: str
    is_known: bool = False


class FairLine(Generic[T]):
    """A bounded waiting line in which claimants take turns."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, key: str, item: T) -> T | None:
        """Add an item; return the one that has to go for it, which may be the item itself."""
        self._waiting.setdefault(key, deque()).append(item)
        self._length += 1
        if self._length <= self._limit:
            return None
        greediest = max(self._waiting, key=lambda each: (len(self._waiting[each]), each == key))
        return self._remove(greediest, self._waiting[greediest].pop)

    def take(self) -> T | None:
        """Take the oldest item of the claimant whose turn it is; None if the line is empty."""
        if not self._waiting:
            return None
        key = next(iter(self._waiting))
        item = self._remove(key, self._waiting[key].popleft)
        if key in self._waiting:
            self._waiting.move_to_end(key)
        return item

    def _remove(self, key: str, pop: Callable[[], T]) -> T:
        item = pop()
        self._length -= 1
        if not self._waiting[key]:
            del self._waiting[key]
        return item


class _Job(NamedTuple):
    work: Callable[[], Any]
    future: "Future[Any]"

    def run(self) -> None:
        """Do the work unless it was cancelled, and hand its result or exception over."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            self.future.set_result(self.work())
        except Exception as error:  # noqa: BLE001 – it is raised where the result is awaited.
            self.future.set_exception(error)


class FairThreads:
    """Threads with a line for known claimants and one for strangers. Thread-safe."""

    def __init__(
        self, name: str, threads: int, *, known_waiting: int, strangers: int, strangers_waiting: int
    ) -> None:
        self._known, self._strangers = (
            FairLine[_Job](known_waiting),
            FairLine[_Job](strangers_waiting),
        )
        self._threads_for_strangers = strangers
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(threads, name)

    def submit(self, claimant: Claimant, work: Callable[[], T]) -> "Future[T]":
        """Have the work done; the future raises CrowdedError if it was refused."""
        job = _Job(work, Future())
        with self._lock:
            line = self._known if claimant.is_known else self._strangers
            refused = line.add(claimant.key, job)
        if refused is not None and refused.future.set_running_or_notify_cancel():
            refused.future.set_exception(CrowdedError())
        if refused is not job:
            self._pool.submit(self._work)
        return job.future

    def shutdown(self) -> None:
        """Refuse further work, and drop what waits."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _work(self) -> None:
        """Do what is waiting, known claimants first, until nothing may be taken."""
        while (taken := self._take()) is not None:
            job, is_strangers = taken
            begun = time.monotonic()
            job.run()
            if is_strangers:
                time.sleep(STRANGERS_REST * (time.monotonic() - begun))
                with self._lock:
                    self._threads_for_strangers += 1

    def _take(self) -> tuple[_Job, bool] | None:
        with self._lock:
            job = self._known.take()
            if job is not None:
                return job, False
            if not self._threads_for_strangers:
                return None
            job = self._strangers.take()
            if job is not None:
                self._threads_for_strangers -= 1
            return None if job is None else (job, True)
