"""What a request may beside what its cookie says: by a key of a program, or by the socket here.

Laws: nothing may more than what is named here; a right to read changes nothing, and whatever tells
what lies face down is read by the host alone. The group of the file decides who may use the socket.
A key is sent in a header that no page of another site can add, so its writes need neither an Origin
nor a signature; it makes no PIN and ends no session, so that a lost key is worth nothing once it is
revoked.
"""

from typing import Literal

from flask import request

from companion.host.fair_threads import Claimant
from companion.host.pin_guesses import LOOPBACK
from companion.identity.api_keys import ApiKey
from web.context import KEY_SCHEME, Who, current_context, has_key
from web.sources import source_of

Right = Literal["read", "host"]
LOCAL = "companion.local"
"""The key in the WSGI environment of what came through the socket of the program."""
FOUND = "companion.api_key"
"""The key in the WSGI environment of what was found for the key of a program."""
NOT_BY_KEY = ("host_new_pin", "host_sign_out", "host_sign_all_out")
"""Operations for a person alone."""
HERE_TOO = ("glance_metrics",)
"""Operations that this machine itself may ask for without a right."""


def find_key() -> ApiKey | None:
    """Return the key of the program that asks; None if it has none that counts."""
    if FOUND not in request.environ:
        written = request.headers.get("Authorization", "").removeprefix(KEY_SCHEME)
        request.environ[FOUND] = current_context().api_keys.find_key(written.strip())
    found: ApiKey | None = request.environ[FOUND]
    return found


def find_right() -> Right | None:
    """Return the right of the request that is answered; None if its cookie alone counts."""
    if has_key():
        key = find_key()
        return None if key is None else key.may
    return "read" if request.environ.get(LOCAL) else None


def is_granted(who: Who, operation: str) -> bool:
    """Check whether a right grants an operation that is for these, whatever its cookie says."""
    if operation in HERE_TOO and source_of(request.remote_addr or "") == LOOPBACK:
        return True
    right = find_right()
    if who == "reader":
        return right is not None
    return who == "host" and right == "host" and operation not in NOT_BY_KEY


def is_denied(who: Who, operation: str, *, writes: bool) -> bool:
    """Check whether a key of a program is asked for more than it grants: then no cookie counts."""
    asks_for_more = writes or who in ("host", "reader")
    return has_key() and asks_for_more and not is_granted(who, operation)


def find_claimant() -> Claimant | None:
    """Return whom a request with a key counts for; None for one without a key that counts."""
    key = find_key() if has_key() else None
    return None if key is None else Claimant(f"key {key.name}", is_known=True)
