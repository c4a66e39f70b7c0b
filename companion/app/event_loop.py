"""Serving: the pages, the daemon's turn and the line to systemd on one event loop.

Laws: what is started is stopped in mirrored order, within a second, however many pages are open;
a turn that fails ends everything with a word, because a table that has gone deaf must not look
like a quiet one.
"""

import asyncio
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, MutableMapping, Sequence
from typing import Any

from tornado.ioloop import PeriodicCallback

from companion.app.addresses import AddressMonitor
from companion.app.systemd import SystemdNotifier
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.host.calls import RunOnLoop, T
from companion.hotspot.plan import passed
from companion.hotspot.wifi import Wifi
from web.context import AppContext
from web.server.server import Server, bind_sockets

TURN_MS = 30
CALL_TIMEOUT = 2.0


def open_sockets(port: int, address: str = "127.0.0.1") -> Sequence[socket.socket]:
    """Sockets at this port, or at the next one that is free."""
    try:
        return bind_sockets(port, address)
    except OSError as error:
        text = N_("No port can be had at {field}: {reason}.")
        raise Malformed(address, text, reason=os.strerror(error.errno or 0)) from None


def quiet_tornado_logs() -> None:
    """No line in a log for what strangers send: a flood of it must not fill the disk."""
    logging.getLogger("tornado.access").setLevel(logging.CRITICAL)
    logging.getLogger("tornado.general").setLevel(logging.ERROR)


class StopEvent(asyncio.Event):
    """That it is over; `anew` where the same process opens the same table again at once."""

    restarts = False

    def set_to_restart(self) -> None:
        """Have it end, and begin again."""
        self.restarts = not self.is_set()
        self.set()


async def serve_until_stopped(
    opened: Callable[[], Server],
    turn: Callable[[], None],
    service: SystemdNotifier,
    greet: Callable[[int], None],
    stop: StopEvent,
) -> int:
    """Serve until it ends, by a polite signal at the latest, or a turn fails; the exit status."""
    loop, status = asyncio.get_running_loop(), 0
    nohup = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN  # It is to outlive its terminal.
    for sign in (signal.SIGINT, signal.SIGTERM, *(() if nohup else (signal.SIGHUP,))):
        loop.add_signal_handler(sign, stop.set)

    def guarded() -> None:
        nonlocal status
        try:
            turn()
        except Exception:  # Whatever it is: say it, and have somebody start us again.
            logging.exception("The table's turn has failed; the companion stops.")
            status = 1
            stop.set()

    server = opened()
    turns = PeriodicCallback(guarded, TURN_MS)
    turns.start()
    greet(server.port)
    service.notify_ready()
    await stop.wait()
    if not stop.restarts:
        service.notify_stopping()
    turns.stop()
    await server.stop()
    return status


def answering(
    here: AppContext, config: MutableMapping[str, Any], address: str, turn: Callable[[], None]
) -> Callable[[], None]:
    """The turn, during which pages keep answering to the addresses that this machine has now, and
    showing the Wi-Fi that it has.
    """

    def told(hosts: Sequence[str], wifi: Wifi | None) -> None:
        config["TRUSTED_HOSTS"] = list(hosts)
        here.wifi = wifi
        here.table.notify_watchers()

    answered = AddressMonitor(address, told, wifi=passed)
    answered.refresh(time.monotonic())

    def turned() -> None:
        answered.refresh(time.monotonic())
        turn()

    return turned


def run_on_loop(loop: asyncio.AbstractEventLoop) -> RunOnLoop:
    """Has something done on the thread of this loop, which is the one that asks for this."""

    here = threading.get_ident()

    def call(act: Callable[[], T], /) -> T:
        if threading.get_ident() == here:
            return act()

        async def there() -> T:
            return act()

        return asyncio.run_coroutine_threadsafe(there(), loop).result(CALL_TIMEOUT)

    return call
