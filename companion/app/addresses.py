"""Addresses: what a phone types to find us, and the names by which we answer.

Laws: we answer to our own addresses and names and to no others, so that no foreign page can pass
for ours by renaming us. Addresses come and go with the networks; what is asked here is so now, and
asking sends nothing and waits for nobody.
"""

import re
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from companion.hotspot.wifi import TABLE_ADDRESS, Wifi

ANYWHERE = ("0.0.0.0", "::")
FAR = ("192.0.2.1", 9)
"""An address that nobody has; asking which way it lies sends nothing."""
ROUTES = Path("/proc/net/fib_trie")
EVERY = 5.0
"""Seconds after which it is asked again under which addresses we answer."""
LOOPBACK = ("localhost", "127.0.0.1")

OwnAddresses = Callable[[], Sequence[str]]


def own_addresses() -> list[str]:
    """The addresses of this machine, that of its own network first, then the one that leads
    outside; no loopback.
    """
    found = list[str]()
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(FAR)
        found.append(line.getsockname()[0])
    with suppress(OSError):
        found += parse_local_addresses(ROUTES.read_text("ascii", "replace"))
    return sort_addresses(found)


def sort_addresses(found: Sequence[str]) -> list[str]:
    """Each address once; first that of our own network, where guests are if there is one."""
    return sorted(dict.fromkeys(found), key=lambda address: address != TABLE_ADDRESS)


def parse_local_addresses(routes: str) -> list[str]:
    """The addresses that the kernel's routes call this machine's own."""
    found = re.findall(r"\|-- ([0-9.]+)\n\s+/32 host LOCAL", routes)
    return [address for address in found if not address.startswith("127.")]


def answered_hosts(address: str, own: OwnAddresses = own_addresses) -> tuple[str, ...]:
    """The hosts under which pages served at this address may be asked for."""
    if address not in ANYWHERE:
        return (address,)
    return tuple(dict.fromkeys([*own(), socket.gethostname(), _mdns_name()]))


def page_addresses(address: str, port: int, own: OwnAddresses = own_addresses) -> tuple[str, ...]:
    """What to type on a phone to get here: by number first, then by name.

    Beside a network of our own there may be another, whose guests have another number for us.
    """
    if address not in ANYWHERE:
        return (f"http://{address}:{port}/",)
    found = list(own())
    numbers = found[: 1 + (found[:1] == [TABLE_ADDRESS])]
    return tuple(f"http://{host}:{port}/" for host in (*numbers, _mdns_name()))


def is_for_phones(address: str) -> bool:
    """Whether anybody but this machine finds the pages served at this address."""
    return address != "localhost" and not address.startswith("127.")


def _mdns_name() -> str:
    return f"{socket.gethostname().partition('.')[0]}.local"


class AddressMonitor:
    """Refreshes the hosts to which we answer, and our own Wi-Fi; calls `on_change` with both."""

    def __init__(
        self,
        address: str,
        on_change: Callable[[tuple[str, ...], Wifi | None], None],
        own: OwnAddresses = own_addresses,
        wifi: Callable[[], Wifi | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address, self._on_change, self._own, self._wifi = address, on_change, own, wifi
        self._clock = clock
        self._last: tuple[tuple[str, ...], Wifi | None] = (), None
        self._next = 0.0

    def refresh(self) -> None:
        """Look again, if it is time to."""
        now = self._clock()
        if now < self._next:
            return
        self._next = now + EVERY
        hosts = tuple(dict.fromkeys((*LOOPBACK, *answered_hosts(self._address, self._own))))
        found = hosts, self._wifi()
        if found != self._last:
            self._last = found
            self._on_change(*found)
