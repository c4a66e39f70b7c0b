"""Clients: whom a request counts for, a known browser or the source that it comes from.

Law: an IPv4 address is a source, and so is an IPv6 network of 64 bits, because one device can take
any address in it. 127.0.0.1 and ::1, and no other address, are the machine itself.
"""

from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

LOOPBACK = "loopback"
"""The source of every request from the machine itself."""
LOOPBACK_ADDRESSES = ("127.0.0.1", "::1")
IPV6_PREFIX = 64


class Client(NamedTuple):
    """Whom requests and connections count for; seats, hosts and the machine itself come first."""

    key: str
    comes_first: bool = False


@lru_cache(1024)
def source_of(address: str) -> str:
    """Return the source of an address; an address that cannot be read is a source of its own."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found
    if str(found) in LOOPBACK_ADDRESSES:
        return LOOPBACK
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found, IPV6_PREFIX), strict=False))
    return str(found)
