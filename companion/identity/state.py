"""Identity state: everything that the identity file holds, as it is in memory."""

import secrets
from collections.abc import Mapping
from typing import Literal

import msgspec

from companion.seating.seat_map import SeatHolder

HostBy = Literal["pass", "button"]
"""What made a browser a host: a pass, until it signs out; a button, until the next group."""
COOKIE_KEY_SIZE, PUBLIC_KEY_SIZE = 32, 32
"""Bytes of the key that signs cookies, and of the public key of a browser."""


class Browser(msgspec.Struct, frozen=True):
    """A browser that has a seat, is a host's, or has registered a key.

    `used` orders browsers by their last change. A browser without `public_key` has registered none.
    """

    used: int
    language: str = ""
    public_key: bytes = b""
    counter_ceiling: int = 0


class IdentityState(msgspec.Struct, frozen=True):
    """The content of the identity file. `changes` counts the writes to it; `hosts` holds by what
    each browser of a host became one."""

    cookie_key: bytes
    changes: int = 0
    browsers: Mapping[str, Browser] = {}
    seats: Mapping[int, SeatHolder] = {}
    hosts: Mapping[str, HostBy] = {}


def new_state() -> IdentityState:
    """Return an empty state with a new key for cookies."""
    return IdentityState(secrets.token_bytes(COOKIE_KEY_SIZE))
