"""Why a finished game did not arrive at the league by itself, as its page says it."""

import msgspec

from companion.core.i18n import Message


class ArrivalNote(msgspec.Struct, frozen=True):
    """A table by name, the title of the box of its last game, and the reason in one sentence."""

    name: str
    game: str
    say: Message
