"""The addresses of this machine: the one to type on a phone, the accepted Host headers, and the
network of a request.

Laws: addresses come and go with the networks; they are read again each time, without sending
anything or waiting. The password of the hotspot is shown on the Pi itself, inside the hotspot, and
to a host who is signed in; never in another network. The address of the connection decides; headers
of a request can only revoke that.
"""

import re
import socket
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

ANYWHERE = ("0.0.0.0", "::")
FAR = ("192.0.2.1", 9)
"""A reserved address; to ask for the route to it sends nothing."""
ROUTES = Path("/proc/net/fib_trie")
ViewerPlace = Literal["machine", "hotspot", "elsewhere"]
"""The Pi itself, as its own table screen is; a device in its hotspot; any other network."""

TABLE_ADDRESS = "10.71.0.1"
"""The address of the table in its hotspot; home routers do not use this range."""
HOTSPOT_NETWORK = ip_network(f"{TABLE_ADDRESS}/24", strict=False)
LOCALHOST_NAMES = re.compile(
    r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?", re.IGNORECASE | re.ASCII
)
PROXY_HEADERS = ("forwarded", "via", "x-real-ip")
"""Headers that a proxy adds, besides those with the prefix below."""
PROXY_HEADER_PREFIX = "x-forwarded-"


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
    """Return the names and addresses that requests for our pages may use."""
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


# Where a viewer is.


@lru_cache(64)
def find_viewer(address: str, host: str, headers: tuple[str, ...]) -> ViewerPlace:
    """Return the network a request comes from; remembered, as the same few viewers ask again."""
    found = _direct_client(address, headers)
    if found is None:
        return "elsewhere"
    if found.is_loopback and LOCALHOST_NAMES.fullmatch(host):
        return "machine"
    return "hotspot" if found in HOTSPOT_NETWORK else "elsewhere"


def _direct_client(address: str, headers: Sequence[str]) -> IPv4Address | IPv6Address | None:
    """Return the address of a client that asks directly, None behind a proxy.

    Behind a proxy every request seems to come from the Pi: a proxy is recognised by the requested
    host name or by its headers.
    """
    names = map(str.lower, headers)
    if any(name in PROXY_HEADERS or name.startswith(PROXY_HEADER_PREFIX) for name in names):
        return None
    try:
        return ip_address(address)
    except ValueError:
        return None


def visible_addresses(addresses: Sequence[str], inside: bool) -> tuple[str, ...]:
    """Return the addresses that phones can type in the viewer's network."""
    ours = tuple(one for one in addresses if is_on_air([one]))
    others = tuple(one for one in addresses if one not in ours)
    return (*ours, *others[-1:]) if inside and ours else others


def is_on_air(addresses: Sequence[str]) -> bool:
    """Return whether the hotspot is on the air."""
    return any(urlsplit(one).hostname == TABLE_ADDRESS for one in addresses)
