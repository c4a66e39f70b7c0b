"""The machine of a table: its addresses, its Wi-Fi and its power.

Laws: we answer to our own addresses and names and to no others, so that no foreign page can pass
for ours by renaming us (DNS rebinding). One change of the Wi-Fi at a time, in a thread of its own,
so that no page waits for it; the power is switched at any time. What may be done is decided by
polkit, whose rules for the service's user the Debian package brings. A service that no network
reaches for a minute makes a Wi-Fi of its own, so a router that restarts is waited for; never where
a cable or a Wi-Fi is.
"""

import subprocess
import time
from collections.abc import Callable, Sequence
from threading import Lock, Thread
from typing import Literal

from msgspec import Struct

from companion.core.errors import ExplainedError, Refusal, refusal
from companion.core.i18n import Message
from companion.hotspot import network
from companion.hotspot.addresses import TABLE_ADDRESS, answered_hosts, own_addresses, page_addresses
from companion.hotspot.network import Wifi

LOOPBACK = ("localhost", "127.0.0.1")
Power = Literal["off", "restart"]
EVERY = 5.0
"""Seconds after which the addresses are read again."""
ALONE = 60.0
"""Seconds without an address after which the table makes its own Wi-Fi."""
AGAIN = 300.0
"""Seconds until it is tried once more, if it did not come."""


class MachineStatus(Struct, frozen=True):
    """Status of the machine, as pages show it."""

    version: str
    """The version that runs."""
    doing: Literal["", "off", "restart", "wifi"] = ""
    """Change under way."""
    failed: Message | None = None
    """The reason the last change of the Wi-Fi failed."""


class Machine:
    """The machine of one table, which listens at this address and port.

    Its power and Wi-Fi are changed only where a `version` runs there as a service.
    """

    def __init__(
        self,
        address: str = LOOPBACK[1],
        port: int = 8000,
        version: str = "",
        *,
        name: Callable[[], str] = str,
        own: Callable[[], Sequence[str]] = own_addresses,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.address, self.port, self._name = address, port, name
        self.status = MachineStatus(version) if version else None
        """Change under way; None where nothing may be changed."""
        self.hosts = [*LOOPBACK]
        """The names and addresses under which pages may be requested; it is changed in place."""
        self.wifi: Wifi | None = None
        """The Wi-Fi of the table's own, while it is on the air."""
        self._own, self._clock, self._lock = own, clock, Lock()
        self._found: Sequence[str] = ()
        self.addresses = page_addresses(address, port, own())
        """The pages' addresses for a phone: by number first, then by name."""
        self._next, self._alone_since, self._tried = 0.0, clock(), -AGAIN
        self._watchers: list[Callable[[], object]] = []

    def watch(self, callback: Callable[[], object]) -> None:
        """Call `callback`, from any thread, whenever the machine's state on the pages has
        changed."""
        self._watchers.append(callback)

    def _notify(self) -> None:
        for callback in self._watchers:
            callback()

    # Addresses.

    @property
    def is_on_air(self) -> bool:
        """Whether the table's own Wi-Fi is on the air."""
        return TABLE_ADDRESS in self._found

    def refresh(self) -> None:
        """Read the addresses if it is time to: answer to them, show them and the Wi-Fi that is on
        the air, and make one where there is no network."""
        now = self._clock()
        if now < self._next:
            return
        self._next, self._found = now + EVERY, self._own()
        self.addresses = page_addresses(self.address, self.port, self._found)
        hosts = list(dict.fromkeys((*LOOPBACK, *answered_hosts(self.address, self._found))))
        if hosts != self.hosts:
            self.hosts[:] = hosts
            if self.is_on_air:
                Thread(target=self._read_wifi, name="wifi", daemon=True).start()
            else:
                self.wifi = None
                self._notify()
        if self._found:
            self._alone_since = now
        elif now - self._alone_since >= ALONE and now - self._tried >= AGAIN:
            self._tried = now
            self.open_hotspot()

    def _read_wifi(self) -> None:
        """Show the Wi-Fi that is on the air; NetworkManager takes its time to say the password."""
        self.wifi = network.read_wifi()
        self._notify()

    # Power and Wi-Fi.

    def switch_power(self, power: Power) -> Refusal | None:
        """Switch the machine off, or restart it; no game is lost by that."""
        if self.status is None:
            return refuse_elsewhere()
        command = ("systemctl", "--no-ask-password", "poweroff" if power == "off" else "reboot")
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return refusal("no_power", "T.host", "This machine does not let the table do that.")
        self._tell(MachineStatus(self.status.version, power))
        return None

    def join_wifi(self, wifi: Wifi) -> Refusal | None:
        """Begin to join a Wi-Fi."""
        return self._begin(lambda: network.join_wifi(wifi))

    def open_hotspot(self) -> Refusal | None:
        """Begin to put the table's own Wi-Fi on the air, named after the table, until the next
        start or until a Wi-Fi is joined. Its password is the same each time, as there may be no
        screen that shows a new one."""

        def open_it() -> None:
            kept, table = network.read_wifi(), self._name()
            usual = kept.name if kept else network.DEFAULT_NAME
            name = network.name_after(table) if table else usual
            wifi = Wifi(name, kept.password if kept else network.new_password())
            network.open_hotspot(wifi, stays=False)

        return self._begin(open_it)

    def _begin(self, change: Callable[[], None]) -> Refusal | None:
        """Begin to change the Wi-Fi, unless another change is under way."""
        with self._lock:
            if self.status is None:
                return refuse_elsewhere()
            if self.status.doing:
                text = "This Pi is at something else just now; wait a moment."
                return refusal("busy", "T.host", text)
            version = self.status.version
            self.status = MachineStatus(version, "wifi")
        self._notify()

        def work() -> None:
            failed: Message | None = None
            try:
                change()
            except ExplainedError as wrong:
                failed = wrong.say
            self._tell(MachineStatus(version, failed=failed))

        Thread(target=work, name="wifi", daemon=True).start()
        return None

    def _tell(self, status: MachineStatus) -> None:
        with self._lock:
            self.status = status
        self._notify()


def refuse_elsewhere() -> Refusal:
    """Return the refusal where no service runs."""
    text = "Power and Wi-Fi are changed here only at a table that runs as a service."
    return refusal("no_machine", "T.host", text)
