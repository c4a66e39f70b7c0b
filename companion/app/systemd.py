"""Notify systemd (sd_notify): ready, watchdog, stopping, and why a start was refused.

Laws: the watchdog is fed by the loop that does the work, and only while the wires are still being
visited. A start that is refused each time is tried twice a minute, not as fast as possible. Without
systemd nothing is sent and nothing waits, and a systemd that is slow to read holds up no loop.
"""

import os
import socket
import time
from collections.abc import Callable, Mapping

AGAIN = 30.0
"""Seconds to wait after a refused start, before systemd tries the next one."""
START_PATIENCE, STOP_PATIENCE = 10.0, 0.5
"""Seconds for which what is said only once waits for systemd: while nothing runs yet, and when all
ends."""


class SystemdNotifier:
    """Sends notifications to systemd; silent when we were started by hand."""

    def __init__(self, clock: Callable[[], float], environ: Mapping[str, str] = os.environ) -> None:
        self._clock = clock
        self._address = environ.get("NOTIFY_SOCKET", "")
        watchdog = environ.get("WATCHDOG_USEC", "")
        ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self._often = int(watchdog) / 3e6 if watchdog.isdecimal() and ours else 0.0
        self._next = 0.0
        self._steps = -1

    def notify_ready(self) -> None:
        """Tell systemd that the first page can be requested."""
        self._send_line("READY=1", START_PATIENCE)

    def notify_refused(self, why: str, rest: Callable[[float], None] = time.sleep) -> None:
        """Tell the reason the start was refused, then wait; `systemctl restart` ends the wait."""
        if self._address:
            self._send_line(f"STATUS={why}", START_PATIENCE)
            rest(AGAIN)

    def notify_stopping(self) -> None:
        """Tell systemd that everything stops in good order."""
        self._send_line("STOPPING=1", STOP_PATIENCE)

    def notify_watchdog(self, steps: int) -> None:
        """Feed the watchdog, if `steps`, the count of visits to the wires, has changed."""
        now = self._clock()
        is_due = self._often and now >= self._next and steps != self._steps
        if is_due and self._send_line("WATCHDOG=1"):
            self._next, self._steps = now + self._often, steps

    def _send_line(self, line: str, patience: float = 0.0) -> bool:
        """Send a line; return whether systemd took it within this many seconds."""
        if not self._address:
            return False
        address = self._address
        if address.startswith("@"):  # an abstract socket, as systemd writes it
            address = "\0" + address[1:]
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line_out:
                line_out.settimeout(patience)
                line_out.sendto(line.encode(), address)
        except OSError:
            return False  # systemd does not listen any more, or not now; the game goes on.
        return True
