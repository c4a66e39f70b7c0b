"""The Wi-Fi of the table's own: what it is called, how one joins it, and who is told.

Law: its password is told to whoever sits at the Pi itself or is in that Wi-Fi already, and to a
host who is signed in; never to another network. Where somebody is, is told by where the connection
comes from; what a request says of itself can only take that away.
"""

import re
from collections.abc import Iterable, Sequence
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

import msgspec

TABLE_ADDRESS = "10.71.0.1"
"""Of the table, in a network of its own; no usual router has it."""
HOTSPOT_NETWORK = ip_network(f"{TABLE_ADDRESS}/24", strict=False)
LOCALHOST_NAMES = re.compile(
    r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?", re.IGNORECASE | re.ASCII
)
PROXY_HEADERS = ("forwarded", "via", "x-real-ip")
"""What whoever passes on the questions of others says of it; and all that begins as below."""
PROXY_HEADER_PREFIX = "x-forwarded-"


class Wifi(msgspec.Struct, frozen=True):
    """What one has to know to join it."""

    name: str
    password: str

    @property
    def qr_text(self) -> str:
        """What the camera of a phone reads as a Wi-Fi to join."""
        return f"WIFI:T:WPA;S:{_escape_qr(self.name)};P:{_escape_qr(self.password)};;"


def _escape_qr(text: str) -> str:
    return "".join(f"\\{sign}" if sign in '\\;,:"' else sign for sign in text)


def is_local_viewer(address: str, host: str, headers: Iterable[str]) -> bool:
    """Whether a question comes from the Pi itself, or from its own network.

    Behind something that passes questions on, everybody seems to be at the Pi: it is known by the
    name that they asked for, or by what it says of itself.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if any(
        name in PROXY_HEADERS or name.startswith(PROXY_HEADER_PREFIX)
        for name in map(str.lower, headers)
    ):
        return False
    return found in HOTSPOT_NETWORK or (
        found.is_loopback and LOCALHOST_NAMES.fullmatch(host) is not None
    )


def visible_addresses(addresses: Sequence[str], inside: bool) -> tuple[str, ...]:
    """What phones type that are where the viewer is: in our own network, or in another one."""
    ours = tuple(one for one in addresses if is_on_air([one]))
    others = tuple(one for one in addresses if one not in ours)
    return (*ours, *others[-1:]) if inside and ours else others


def is_on_air(addresses: Sequence[str]) -> bool:
    """Whether the table has a network of its own now."""
    return any(urlsplit(one).hostname == TABLE_ADDRESS for one in addresses)
