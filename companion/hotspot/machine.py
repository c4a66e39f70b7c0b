"""Power and Wi-Fi of the machine, as the host's page and the buttons of the table change them.

Laws: one change of the Wi-Fi at a time, in a thread of its own, so that no page waits for it; the
power is switched at any time. What may be done is decided by polkit, whose rules for the service's
user the Debian package brings.
"""

import subprocess
from collections.abc import Callable
from threading import Lock, Thread
from typing import Literal

from msgspec import Struct

from companion.core.errors import ExplainedError, Refusal, refusal
from companion.core.i18n import Message
from companion.hotspot import network
from companion.hotspot.wifi import Wifi

Power = Literal["off", "restart"]


class MachineStatus(Struct, frozen=True):
    """What the pages show of the machine."""

    version: str
    """The version that runs."""
    doing: Literal["", "off", "restart", "wifi"] = ""
    """What is under way."""
    failed: Message | None = None
    """Why the last change of the Wi-Fi failed."""


class Machine:
    """The machine of one table; `on_change` is called whenever its status changes."""

    def __init__(self, version: str, on_change: Callable[[], object] = lambda: None) -> None:
        self.status, self._on_change, self._lock = MachineStatus(version), on_change, Lock()

    def switch_power(self, power: Power) -> Refusal | None:
        """Switch the machine off, or restart it; no game is lost by that."""
        command = ("systemctl", "--no-ask-password", "poweroff" if power == "off" else "reboot")
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return refusal("no_power", "T.host", "This machine does not let the table do that.")
        self._tell(MachineStatus(self.status.version, power))
        return None

    def join_wifi(self, wifi: Wifi) -> Refusal | None:
        """Begin to join a Wi-Fi."""
        return self._begin(lambda: network.join_wifi(wifi))

    def open_hotspot(self, table: str) -> Refusal | None:
        """Begin to put the table's own Wi-Fi on the air, named after the table, until the next
        start or until a Wi-Fi is joined. Its password is the same each time, as there may be no
        screen that shows a new one."""

        def open_it() -> None:
            kept = network.read_wifi()
            usual = kept.name if kept else network.DEFAULT_NAME
            name = network.name_after(table) if table else usual
            wifi = Wifi(name, kept.password if kept else network.new_password())
            network.open_hotspot(wifi, stays=False)

        return self._begin(open_it)

    def _begin(self, change: Callable[[], None]) -> Refusal | None:
        """Begin to change the Wi-Fi, unless another change is under way."""
        with self._lock:
            if self.status.doing:
                text = "This Pi is at something else just now; wait a moment."
                return refusal("busy", "T.host", text)
            self.status = MachineStatus(self.status.version, "wifi")
        self._on_change()

        def work() -> None:
            failed: Message | None = None
            try:
                change()
            except ExplainedError as wrong:
                failed = wrong.say
            self._tell(MachineStatus(self.status.version, failed=failed))

        Thread(target=work, name="wifi", daemon=True).start()
        return None

    def _tell(self, status: MachineStatus) -> None:
        with self._lock:
            self.status = status
        self._on_change()
