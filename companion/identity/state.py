"""Identity state: everything that the identity file holds, as it is in memory."""

import secrets
from collections.abc import Mapping

import msgspec

from companion.seating.seat_map import SeatHolder

COOKIE_KEY_SIZE, PUBLIC_KEY_SIZE = 32, 32
"""Bytes of the key that signs cookies, and of the public key of a browser."""


class StoredPin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The stored part of a PIN: its salt, its slow hash, and the id of its generation."""

    salt: str
    hash: str
    generation: str


class Browser(msgspec.Struct, frozen=True):
    """A browser that has a seat, has signed in, or has registered a key.

    `used` orders browsers by their last change. A browser without `public_key` has registered none.
    """

    used: int
    language: str = ""
    public_key: bytes = b""
    counter_ceiling: int = 0


class IdentityState(msgspec.Struct, frozen=True):
    """The content of the identity file. `changes` counts the writes to it.

    `host_sessions` holds the generation of the PIN with which a browser signed in; it is empty for
    a browser that signed out.
    """

    cookie_key: bytes
    changes: int = 0
    browsers: Mapping[str, Browser] = {}
    seats: Mapping[int, SeatHolder] = {}
    host_sessions: Mapping[str, str] = {}
    pin: StoredPin | None = None


def new_state() -> IdentityState:
    """Return an empty state with a new key for cookies."""
    return IdentityState(secrets.token_bytes(COOKIE_KEY_SIZE))
