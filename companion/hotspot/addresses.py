"""The addresses of this machine: what to type on a phone, and the Host headers that are accepted.

Law: addresses come and go with the networks; they are read anew each time, without sending anything
or waiting.
"""

import re
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from companion.hotspot.wifi import TABLE_ADDRESS

ANYWHERE = ("0.0.0.0", "::")
FAR = ("192.0.2.1", 9)
"""A reserved address; to ask for the route to it sends nothing."""
ROUTES = Path("/proc/net/fib_trie")
LOOPBACK = ("localhost", "127.0.0.1")


def own_addresses() -> list[str]:
    """Return the addresses of this machine without loopback: that of its own network first, then
    the one that leads outside.
    """
    found = list[str]()
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(FAR)
        found.append(line.getsockname()[0])
    with suppress(OSError):
        found += parse_local_addresses(ROUTES.read_text("ascii", "replace"))
    return sort_addresses(found)


def sort_addresses(found: Sequence[str]) -> list[str]:
    """Return each address once, first that of our own network, where guests are if there is one."""
    return sorted(dict.fromkeys(found), key=lambda address: address != TABLE_ADDRESS)


def parse_local_addresses(routes: str) -> list[str]:
    """Return the addresses that the kernel's routes call this machine's own."""
    found = re.findall(r"\|-- ([0-9.]+)\n\s+/32 host LOCAL", routes)
    return [address for address in found if not address.startswith("127.")]


def answered_hosts(address: str, own: Sequence[str]) -> tuple[str, ...]:
    """Return the names and addresses under which pages served here may be requested."""
    if address not in ANYWHERE:
        return (address,)
    return tuple(dict.fromkeys([*own, socket.gethostname().lower(), _mdns_name().lower()]))


def page_addresses(address: str, port: int, own: Sequence[str]) -> tuple[str, ...]:
    """Return the pages' addresses for a phone: by number first, then by name.

    Beside a network of our own there may be another, in which we have another number.
    """
    if address not in ANYWHERE:
        return (f"http://{address}:{port}/",)
    numbers = own[: 1 + (TABLE_ADDRESS in own[:1])]
    return tuple(f"http://{host}:{port}/" for host in (*numbers, _mdns_name()))


def is_for_phones(address: str) -> bool:
    """Check whether other machines can reach the pages served at this address."""
    return address != "localhost" and not address.startswith("127.")


def local_page_address(page: str, address: str, port: int) -> str:
    """Return the address of a page for a browser on this machine."""
    is_near = address in ANYWHERE or not is_for_phones(address)
    return f"http://{'localhost' if is_near else address}:{port}/{page}"


def _mdns_name() -> str:
    return f"{socket.gethostname().partition('.')[0]}.local"
