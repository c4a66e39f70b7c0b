"""Sources: what counts as one place where requests come from.

Law: an IPv4 address is a source, and so is an IPv6 network of 64 bits, because one device can take
any address in it. 127.0.0.1 and ::1, and no other address, are the machine itself.
"""

from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

LOOPBACK = "loopback"
"""The source of every request from the machine itself."""
LOOPBACK_ADDRESSES = ("127.0.0.1", "::1")
IPV6_PREFIX = 64


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
