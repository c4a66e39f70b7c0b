"""Older files that the identity file has replaced: cookie key, seats, hash of the PIN.

Law: they are read once, into a new identity file. What cannot be read of them is left out.
"""

from pathlib import Path

import msgspec

from companion.identity.state import (
    COOKIE_KEY_SIZE,
    Browser,
    IdentityState,
    StoredPin,
    new_state,
)
from companion.seating.seat_map import SeatHolder

COOKIE_KEY, SEATS, PIN = "cookie.key", "seats.json", "host.pin"
OLD_FILES = (COOKIE_KEY, SEATS, PIN)
UNREADABLE = (OSError, ValueError, RecursionError)
"""The exceptions of reading a file that is missing or damaged."""


def read_old_files(folder: Path) -> IdentityState:
    """Return what the older files in this folder hold; a new key where there is none."""
    state = new_state()
    seats = _read_seats(folder / SEATS)
    browsers = {b for holder in seats.values() for b in (holder.browser, holder.hands) if b}
    return msgspec.structs.replace(
        state,
        cookie_key=_read_cookie_key(folder / COOKIE_KEY) or state.cookie_key,
        browsers={browser: Browser(used=0) for browser in sorted(browsers)},
        seats=seats,
        pin=_read_pin(folder / PIN),
    )


def _read_cookie_key(path: Path) -> bytes:
    try:
        found = path.read_bytes()
    except OSError:
        return b""
    return found if len(found) >= COOKIE_KEY_SIZE else b""


def _read_seats(path: Path) -> dict[int, SeatHolder]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[int, SeatHolder])
    except UNREADABLE:
        return {}


def _read_pin(path: Path) -> StoredPin | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=StoredPin)
    except UNREADABLE:
        return None
