"""Browser operations: register the key with which a browser or program signs what it writes.

Law: the request is signed by the very key that it registers. A key that is known leads back to its
browser; a browser that comes with another key than its own is another browser from then on.
"""

from typing import Annotated

from flask import Response, session
from msgspec import Meta, Struct

from web import responses, security
from web.api.operation import Api, Key
from web.browsers import BROWSER_KEY, set_browser_id
from web.context import current_context

api = Api("browser", "/api/browser", "The browser or program itself: the key that it signs with.")

PublicKey = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class NewKey(Struct, frozen=True, forbid_unknown_fields=True):
    """An Ed25519 public key, 32 bytes in hexadecimal."""

    key: Key
    public_key: PublicKey


@api.post("/key", takes=NewKey)
def register_key(body: NewKey) -> Response | None:
    """Register the public key of this browser; the request is signed with it."""
    signature, keys = security.sent_signature(), current_context().browsers.identity
    assert signature is not None  # Checked with all other writes.
    public_key = bytes.fromhex(body.public_key)
    if keys.browser_of_key(public_key) is None:
        security.check_new_key_rate()
    claimed = session.get(BROWSER_KEY, "")
    found = keys.register_key(claimed, public_key, security.signed_request(), signature)
    if found is None:
        return responses.permission_response("bad_signature")
    if found != claimed:
        set_browser_id(found)
    return None
