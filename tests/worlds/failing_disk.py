"""A disk that fails at the n-th write, sync, truncation, rename or removal of what one thread does.

Nothing below a folder that is not named is touched.
"""

import os
import queue
import select
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.worlds.disk_calls import (
    DiskCall,
    answer_call,
    receive_call,
    require_disk_calls,
    watch_own_calls,
)

LOOK_EVERY = 10
"""Milliseconds after which it is seen that a thread is done that has started another one."""


class Fault(NamedTuple):
    """Which call fails, counted from 1, with which error number, and whether all later ones do."""

    at: int
    error: int
    lasting: bool = False

    def hits(self, n: int) -> bool:
        return n == self.at or (self.lasting and n > self.at)


class FailingDisk:
    """The disk below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder.resolve())

    def require(self) -> None:
        """Skip the test where the kernel cannot do this; on the servers that test, never."""
        require_disk_calls()

    def run(self, act: Callable[[], object], fault: Fault) -> int:
        """Run this in a thread whose disk fails so; return how many calls it made."""
        listener: queue.SimpleQueue[int] = queue.SimpleQueue()
        done = threading.Event()

        def work() -> None:
            listener.put(watch_own_calls())
            try:
                act()
            finally:
                done.set()

        worker = threading.Thread(target=work)
        worker.start()
        asked = listener.get()
        try:
            return self._answer(asked, fault, done)
        finally:
            worker.join()
            os.close(asked)

    def _answer(self, asked: int, fault: Fault, done: threading.Event) -> int:
        """Answer the thread, and those that it starts, until it is done."""
        poll, n = select.poll(), 0
        poll.register(asked, select.POLLIN)
        while True:
            if not poll.poll(LOOK_EVERY):
                if done.is_set():
                    return n
                continue
            if not poll.poll(0)[0][1] & select.POLLIN:
                return n
            call = receive_call(asked)
            is_ours = call.name != "openat" and self._is_below(call)
            n += is_ours
            answer_call(asked, call, fault.error if is_ours and fault.hits(n) else 0)

    def _is_below(self, call: DiskCall) -> bool:
        """Whether a call is about the folder."""
        try:
            return call.path.startswith(self._folder)
        except OSError:
            return False
