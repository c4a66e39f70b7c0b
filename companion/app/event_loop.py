"""The event loop: the pages, the steps of each turn and the line to systemd.

Laws: all ends within a second of a signal, however many pages are open. A step that fails ends
everything with a word, because a table that has gone deaf must not look like a quiet one.
"""

import asyncio
import logging
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from functools import partial

from tornado.ioloop import PeriodicCallback

from companion.app.systemd import SystemdNotifier
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.log_lines import log_line
from companion.host.run_on_loop import RunOnLoop, T, TableBusy
from web.server.server import Server, bind_sockets

TURN_MS = 30
CALL_TIMEOUT = 2.0
"""Seconds for which a page waits until the loop begins with its call."""
SLOW_STEP = 0.5
"""Seconds after which a step is reported as slow: pages and readers wait meanwhile."""
HOST_AND_PORT = re.compile(r"(?:https?://)?(?P<host>[^:/\[\]]+):(?P<port>\d{1,5})/?")
LOG = logging.getLogger("companion.app")

Step = Callable[[], object]
"""One step of the turn that the loop takes every 30 ms."""


def open_sockets(port: int, address: str = "127.0.0.1") -> Sequence[socket.socket]:
    """Open sockets at this port, or at the next one that is free."""
    try:
        return bind_sockets(port, address)
    except OSError as error:
        if (error.errno or 0) < 0:  # Of getaddrinfo, as create_server passes it on.
            raise _explain_address(address) from None
        text = N_("No port can be had at {field}: {reason}.")
        raise Malformed(address, text, reason=os.strerror(error.errno or 0)) from None


def _explain_address(address: str) -> Malformed:
    """Say what to write instead of this, which is no address; often a port stands behind it."""
    both = HOST_AND_PORT.fullmatch(address)
    if both is None:
        return Malformed(
            address,
            N_("{field} is no address here; write 127.0.0.1, or 0.0.0.0 to let phones in."),
        )
    text = N_(
        "{field} is an address with a port: write --address {name} --port {n}, "
        "or with make: ADDRESS={name} PORT={n}"
    )
    return Malformed(address, text, name=both["host"], n=both["port"])


class StopEvent(asyncio.Event):
    """Set when the program is to end; `restarts` if the same table then begins anew."""

    restarts = False

    def set_to_restart(self) -> None:
        """End, and begin anew, unless the end has come already."""
        self.restarts = not self.is_set()
        self.set()


async def serve_until_stopped(
    open_server: Callable[[], Server],
    steps: Sequence[Step],
    notifier: SystemdNotifier,
    greet: Callable[[], object],
    stop: StopEvent,
) -> int:
    """Serve pages and take the steps in turn until a signal or a failed step; the exit status."""
    loop, status = asyncio.get_running_loop(), 0
    is_nohup = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN  # It is to outlive its terminal.
    for number in (signal.SIGINT, signal.SIGTERM, *(() if is_nohup else (signal.SIGHUP,))):
        loop.add_signal_handler(number, stop.set)

    def take_turn() -> None:
        nonlocal status
        try:
            for step in steps:
                take_step(step)
        except Exception:  # Whatever it is: say it, and be started again.
            LOG.exception(log_line("turn_failed"))
            status = 1
            stop.set()

    server = open_server()
    turns = PeriodicCallback(take_turn, TURN_MS)
    turns.start()
    greet()
    notifier.notify_ready()
    await stop.wait()
    if not stop.restarts:
        notifier.notify_stopping()
    turns.stop()
    await server.stop()
    return status


def take_step(step: Step) -> None:
    """Take one step of the turn, and log it if it was slow."""
    begun = time.monotonic()
    step()
    seconds = time.monotonic() - begun
    if seconds > SLOW_STEP:
        name = _name_step(step)
        LOG.info(log_line("slow_turn", step=name, seconds=seconds))


def _name_step(step: Step) -> str:
    """Return the name of the function that a step calls in the end."""
    while isinstance(step, partial):
        step = next(filter(callable, reversed(step.args)), step.func)
    return getattr(step, "__qualname__", "step")


def make_run_on_loop(
    loop: asyncio.AbstractEventLoop, call_timeout: float = CALL_TIMEOUT
) -> RunOnLoop:
    """Return a function that runs another on the thread of this loop, which is the calling one.

    A call that has not begun in time is withdrawn, and TableBusy raised; one that has begun is
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
            raise TableBusy from None
        wait([call], call_timeout)
        if call.cancel():
            raise TableBusy
        return call.result()

    return run_on_loop


def _run_call(call: "Future[T]", act: Callable[[], T]) -> None:
    """Run a call, unless it was withdrawn."""
    if call.set_running_or_notify_cancel():
        try:
            call.set_result(act())
        except Exception as error:  # noqa: BLE001 - its caller raises it
            call.set_exception(error)
