"""The pool: a few threads that do the work of strangers last.

Laws: strangers hold one thread at most, so that the others are always free for a seat; they wait in
a bounded line, and when it is full the newcomer is refused at once.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from web.browsers import Client

T = TypeVar("T")
FIRST_WAITING = 256
"""Work of those who come first that may wait; beyond it they are refused as well."""


class CrowdedError(Exception):
    """The line was full: the work was refused, and nothing of it was done."""


class Pool:
    """A pool of this many threads. Thread-safe."""

    def __init__(self, name: str, threads: int, strangers_waiting: int) -> None:
        self._threads = ThreadPoolExecutor(threads, name)
        self._first: deque[Callable[[], None]] = deque()
        self._strangers: deque[Callable[[], None]] = deque()
        self._strangers_waiting, self._serves_stranger = strangers_waiting, False
        self._lock = threading.Lock()

    def submit(self, client: Client, work: Callable[[], T]) -> "Future[T]":
        """Have the work done; the future raises CrowdedError if it was refused."""
        future: Future[T] = Future()
        most = FIRST_WAITING if client.comes_first else self._strangers_waiting
        with self._lock:
            line = self._first if client.comes_first else self._strangers
            is_refused = len(line) >= most
            if not is_refused:
                line.append(lambda: _run(work, future))
        if is_refused:
            future.set_exception(CrowdedError())
        else:
            self._threads.submit(self._do_next)
        return future

    def shutdown(self) -> None:
        """Refuse further work, and drop the waiting."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _do_next(self) -> None:
        """Do the most urgent work; else all waiting work of strangers, unless a thread does so."""
        while True:
            with self._lock:
                is_strangers = not self._first
                if is_strangers and (self._serves_stranger or not self._strangers):
                    return
                job = (self._strangers if is_strangers else self._first).popleft()
                self._serves_stranger |= is_strangers
            job()
            if is_strangers:
                with self._lock:
                    self._serves_stranger = False


def _run(work: Callable[[], Any], future: "Future[Any]") -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except Exception as error:  # noqa: BLE001 – it is raised where the result is awaited.
        future.set_exception(error)
