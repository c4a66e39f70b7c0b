"""Names: erased by those whose they are, or by the host, and shown to strangers or not.

Law: a browser erases what came from it, the host everything; what is erased is erased on disk when
this answers.
"""

from msgspec import Struct

from companion.core.errors import Refusal, refusal
from web.api.operation import Api, Key, Tapped
from web.browsers import browser_id
from web.context import current_context

api = Api(
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


@api.post("/names/own/erase", takes=Tapped, name="erase_own")
def erase_own_names(body: Tapped) -> Refusal | None:
    """Erase every name that came from this browser, and those at its seats."""
    names = current_context().names
    if names is None:
        return _nothing_kept()
    names.erase_phone(browser_id())
    current_context().table.notify_watchers()
    return None


@api.post("/host/names/erase", takes=ErasedGame, who="host", name="erase")
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


@api.post("/host/names/shown", takes=ShownNames, who="host", name="show")
def show_names(body: ShownNames) -> None:
    """Set whether everyone in the network sees names, or strangers see seats only."""
    current_context().set_shows_names(body.shown)


def _nothing_kept() -> Refusal:
    text = "This table keeps no names apart from its games."
    return refusal("no_names", "T.host", text)
