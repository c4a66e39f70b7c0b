"""A table that no network reaches makes a Wi-Fi of its own, and says so by its lamps.

Laws: only after a minute without any address, so a router that restarts is waited for; and never
where a cable or a Wi-Fi is. The Wi-Fi is named after the table. The lamps of free seats blink
slowly while that Wi-Fi is on the air and no one has come yet; a game that is under way has its own
lamps.
"""

from collections.abc import Callable, Sequence

from companion.core.sensor_events import ButtonHeldOff, Evidence, Lamp
from companion.host.host import Host
from companion.hotspot.machine import Machine
from companion.hotspot.wifi import TABLE_ADDRESS

ALONE = 60.0
"""Seconds without an address after which the table makes its own Wi-Fi."""
AGAIN = 300.0
"""Seconds until it is tried once more, if it did not come."""
EVERY = 5.0


class OwnNetwork:
    """Watches the addresses of this machine, and opens the hotspot when there are none."""

    def __init__(
        self,
        machine: Machine,
        host: Host,
        own: Callable[[], Sequence[str]],
        clock: Callable[[], float],
        name: Callable[[], str] = str,
    ) -> None:
        self._machine, self._host, self._own, self._clock = machine, host, own, clock
        self._name = name
        self._next, self._alone_since, self._tried = 0.0, clock(), -AGAIN
        self.is_on_air = False

    def refresh(self) -> None:
        """Look at the addresses if it is time to, and open the hotspot when it is due."""
        now = self._clock()
        if now < self._next:
            return
        self._next = now + EVERY
        addresses = self._own()
        self.is_on_air = TABLE_ADDRESS in addresses
        if addresses:
            self._alone_since = now
        elif now - self._alone_since >= ALONE and now - self._tried >= AGAIN:
            self._tried = now
            self._machine.open_hotspot(self._name())

    def lamp_of(self, _seat: int, lamp: Lamp) -> Lamp:
        """Return what a lamp shows for what the game has there."""
        waits = self.is_on_air and self._host.table.history.is_over
        return "slow" if waits and lamp == "off" and not self._host.seats.taken_seats() else lamp

    def hear(self, evidence: Evidence) -> None:
        """Have the machine shut down when a button was held for ten seconds."""
        if isinstance(evidence, ButtonHeldOff):
            self._machine.switch_power("off")
