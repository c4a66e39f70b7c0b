"""The event loop: the pages, the steps of each turn, the line to systemd, and chores beside it.

Laws: all ends within a second of a signal, however many pages are open. A step that fails ends
everything with a word, because a table that has gone deaf must not look like a quiet one. A chore
has a thread of its own, one at a time, so that the loop never waits for the disk.
"""

import asyncio
import logging
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from functools import partial

from tornado.ioloop import PeriodicCallback

from companion.app.process import SystemdNotifier
from companion.core.log_lines import log_line
from companion.host.table_source import LoopBusy, RunOnLoop, T
from companion.table.table import Table
from web.server.server import Server

TURN_MS = 30
CALL_TIMEOUT = 2.0
"""Seconds that a page waits for the loop to begin its call."""
LOG = logging.getLogger("companion.app")

Step = Callable[[], object]
"""One step of the turn that the loop takes every 30 ms."""


class Loop:
    """The loop of one program; the thread that makes it runs it, and no other touches the table."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._loop = self._runner.get_loop()
        self.call = make_run_on_loop(self._loop)
        self._ended = asyncio.Event()
        self._status = 0
        self.restarts = False
        """Whether the same table begins anew after the end."""

    def close(self) -> None:
        """Close the loop, which has ended."""
        self._runner.close()

    def restart(self) -> None:
        """End, and begin anew, unless the end has come already; call it from any thread."""
        self._loop.call_soon_threadsafe(self._end_to_restart)

    def _end_to_restart(self) -> None:
        self.restarts = not self._ended.is_set()
        self._ended.set()

    def run(
        self,
        open_server: Callable[[], Server],
        steps: Sequence[Step],
        notifier: SystemdNotifier,
        greet: Callable[[], object],
    ) -> int:
        """Serve pages and take the steps in turn until a signal or a failed step; the status."""

        async def serve() -> int:
            is_nohup = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN  # No terminal ends it.
            for number in (signal.SIGINT, signal.SIGTERM, *(() if is_nohup else (signal.SIGHUP,))):
                self._loop.add_signal_handler(number, self._ended.set)
            server = open_server()
            turns = PeriodicCallback(partial(self._take_turn, steps), TURN_MS)
            turns.start()
            greet()
            notifier.notify_ready()
            await self._ended.wait()
            if self.restarts:
                await server.wait_until_answered()  # The page that asked for it is among them.
            else:
                notifier.notify_stopping()
            turns.stop()
            await server.stop()
            return self._status

        return self._runner.run(serve())

    def _take_turn(self, steps: Sequence[Step]) -> None:
        try:
            for step in steps:
                step()
        except Exception:  # Whatever it is: say it, and be started again.
            LOG.exception(log_line("turn_failed"))
            self._status = 1
            self._ended.set()


def make_run_on_loop(loop: asyncio.AbstractEventLoop) -> RunOnLoop:
    """Return a function that runs other functions on this thread, the thread of the loop.

    A call that has not begun in time is withdrawn, and LoopBusy raised; one that has begun is
    waited for, so that its caller never has to guess whether it was made.
    """
    loop_thread = threading.get_ident()

    def run_on_loop(act: Callable[[], T], /) -> T:
        if threading.get_ident() == loop_thread:
            return act()
        call = Future[T]()
        try:
            loop.call_soon_threadsafe(_run_call, call, act)
        except RuntimeError:  # The loop is closed: the program ends.
            raise LoopBusy from None
        wait([call], CALL_TIMEOUT)
        if call.cancel():
            raise LoopBusy
        return call.result()

    return run_on_loop


def _run_call(call: "Future[T]", act: Callable[[], T]) -> None:
    """Run a call, unless it was withdrawn."""
    if call.set_running_or_notify_cancel():
        try:
            call.set_result(act())
        except Exception as error:  # noqa: BLE001 - its caller raises it
            call.set_exception(error)


# Chores: slow work beside the loop.


class Chore:
    """A job that the event loop begins in its turn whenever it is due."""

    def __init__(self, name: str, work: Callable[[], object], is_due: Callable[[], bool]) -> None:
        self._name, self._work, self._is_due = name, work, is_due
        self._thread: threading.Thread | None = None

    def begin_when_due(self) -> None:
        """Begin the work if it is due, and not still being done."""
        is_working = self._thread is not None and self._thread.is_alive()
        if not is_working and self._is_due():
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Wait for the work in progress, so that its result is on disk."""
        if self._thread is not None:
            self._thread.join()


def every(seconds: float) -> Callable[[], bool]:
    """Return a condition that is due at once, then this many seconds after each start."""
    due_at = float("-inf")

    def is_due() -> bool:
        nonlocal due_at
        now = time.monotonic()
        if now < due_at:
            return False
        due_at = now + seconds
        return True

    return is_due


def after_each_game(table: Table) -> Callable[[], bool]:
    """Return a condition that becomes due once after each game."""
    done = table.history if table.history.is_over else None

    def is_due() -> bool:
        nonlocal done
        history = table.history
        if history.state is None or not history.is_over or history is done:
            return False
        done = history
        return True

    return is_due
