"""Addresses: what a phone types to find us, and the names by which we answer.

Law: we answer to our own addresses and names and to no others, so that no foreign page can pass
for ours by renaming us.
"""

import socket
from contextlib import suppress

ANYWHERE = ("0.0.0.0", "::")
FAR = ("192.0.2.1", 9)
"""An address that nobody has; asking which way it lies sends nothing."""


def ours(address: str) -> tuple[str, ...]:
    """The hosts under which pages served at this address may be asked for."""
    if address not in ANYWHERE:
        return (address,)
    name = socket.gethostname()
    return tuple(dict.fromkeys([*_own(), name, f"{name.partition('.')[0]}.local"]))


def to_type(address: str) -> str:
    """What to type on a phone to get here."""
    return ours(address)[0]


def invited(address: str) -> tuple[str, ...]:
    """What phones are told to ask for: the number first, then the name."""
    if address not in ANYWHERE:
        return (address,)
    found = ours(address)
    far = [host for host in _own() if not host.startswith("127.")]
    return (*far[:1], found[-1])


def _own() -> list[str]:
    """The addresses of this machine, the one that leads outside first."""
    found = list[str]()
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(FAR)
        found.append(line.getsockname()[0])
    with suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return found
