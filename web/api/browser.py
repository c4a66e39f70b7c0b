"""Operations of a browser: its key, and the names that came from it, which their owners or the host
erase, and show to strangers or not.

Laws: a registration is signed by the very key that it registers. A key that is known leads back to
its browser; a browser that comes with another key than its own is another browser from then on.
What is erased is erased on disk when this answers.
"""

from typing import Annotated

from flask import Response, session
from msgspec import Meta, Struct

from companion.core.errors import Refusal, refusal
from web import responses, security
from web.api.operation import Api, Key, Tapped
from web.browsers import BROWSER_KEY, NEW_KEY, browser_id, set_browser_id
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
        security.check_rate("", NEW_KEY)
    claimed = session.get(BROWSER_KEY, "")
    found = keys.register_key(claimed, public_key, security.signed_request(), signature)
    if found is None:
        return responses.permission_response("bad_signature")
    if found != claimed:
        set_browser_id(found)
    return None


names_api = Api(
    "names",
    "/api",
    "The names of players: erased by those whose they are, or by the host.",
)


class ErasedGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game whose names are to be erased; every game, where none is named."""

    key: Key
    game: str = ""


class ShownNames(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether everyone in the network sees names."""

    key: Key
    shown: bool


@names_api.post("/names/own/erase", takes=Tapped, name="erase_own")
def erase_own_names(body: Tapped) -> Refusal | None:
    """Erase every name that came from this browser, and those at its seats."""
    names = current_context().names
    if names is None:
        return _nothing_kept()
    names.erase_phone(browser_id())
    current_context().table.notify_watchers()
    return None


@names_api.post("/host/names/erase", takes=ErasedGame, who="host", name="erase")
def erase_names(body: ErasedGame) -> Refusal | None:
    """Erase all names of one game, or every name that this table keeps."""
    names = current_context().names
    if names is None:
        return _nothing_kept()
    if body.game:
        names.erase_game(body.game)
    else:
        names.erase_all()
    current_context().table.notify_watchers()
    return None


@names_api.post("/host/names/shown", takes=ShownNames, who="host", name="show")
def show_names(body: ShownNames) -> None:
    """Set whether everyone in the network sees names, or strangers see seats only."""
    current_context().set_shows_names(body.shown)


def _nothing_kept() -> Refusal:
    text = "This table keeps no names apart from its games."
    return refusal("no_names", "T.host", text)
