"""The hotspot's name and password, and which viewers may see them.

Law: the password is shown on the Pi itself, inside the hotspot, and to a host who is signed in;
never in another network. The address of the connection decides; headers of a request can only
revoke that.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal
from urllib.parse import urlsplit

import msgspec

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


class Wifi(msgspec.Struct, frozen=True):
    """Name and password of a Wi-Fi."""

    name: str
    password: str

    @property
    def qr_text(self) -> str:
        """The text of a QR code with which a phone joins the Wi-Fi."""
        return f"WIFI:T:WPA;S:{_escape_qr(self.name)};P:{_escape_qr(self.password)};;"


def _escape_qr(text: str) -> str:
    return "".join(f"\\{sign}" if sign in '\\;,:"' else sign for sign in text)


@lru_cache(64)
def find_viewer(address: str, host: str, headers: tuple[str, ...]) -> ViewerPlace:
    """Return the network a request comes from; remembered, as the same few viewers ask again."""
    found = _direct_client(address, headers)
    if found is None:
        return "elsewhere"
    if _asks_for_loopback(found, host):
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


def _asks_for_loopback(found: IPv4Address | IPv6Address, host: str) -> bool:
    return found.is_loopback and LOCALHOST_NAMES.fullmatch(host) is not None


def visible_addresses(addresses: Sequence[str], inside: bool) -> tuple[str, ...]:
    """Return the addresses that phones can type in the viewer's network."""
    ours = tuple(one for one in addresses if is_on_air([one]))
    others = tuple(one for one in addresses if one not in ours)
    return (*ours, *others[-1:]) if inside and ours else others


def is_on_air(addresses: Sequence[str]) -> bool:
    """Return whether the hotspot is on the air."""
    return any(urlsplit(one).hostname == TABLE_ADDRESS for one in addresses)
