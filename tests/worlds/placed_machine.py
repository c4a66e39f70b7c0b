"""A machine that is reached at the addresses that a test says."""

from companion.hotspot.machine import Machine
from companion.hotspot.wifi import Wifi


class PlacedMachine(Machine):
    """A machine with these addresses, a Wi-Fi of its own, and more hosts that it answers to."""

    def __init__(self, *typed: str, wifi: Wifi | None = None, hosts: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.addresses, self.wifi = typed, wifi
        self.hosts += hosts
