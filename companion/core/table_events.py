"""Table events: agreements of the table about the game, besides moves of it.

Law: nothing is deleted. An undo or a correction is a fact of its own that names its target and its
reason; who made it stands in its line of the journal. They are the same in every game.
"""

from typing import ClassVar, Literal

import msgspec

from companion.core.errors import JsonObject
from companion.core.events import Event
from companion.core.i18n import N_

SettleWay = Literal["cards", "log", "hand", "reader"]
"""The cards are right; the log is right; this place by hand from now on; the reader again."""


REASONS = {
    "misread": N_("The reader misread it."),
    "mistyped": N_("Someone mistyped it."),
    "mislaid": N_("A card lay in the wrong place."),
    "agreed": N_("The table agreed on it."),
    "abandoned": N_("Nobody plays any more."),
}
"""Reasons for a correction or an early end; never free text, which could hold a name."""


class Undone(Event, frozen=True):
    """A moment of the game was struck out; an undo or a correction can be struck out as well."""

    target: int
    reason: str = ""
    sentence: ClassVar[str] = N_("Moment {target} is struck out.")


class Corrected(Event, frozen=True):
    """A moment of the game was noted wrong: this event replaces it.

    A hand that was open is corrected to a value that the table enters, which is not proven.
    """

    target: int
    instead: JsonObject
    reason: str = ""
    sentence: ClassVar[str] = N_("Moment {target} is corrected.")


class Found(Event, frozen=True):
    """The cards were right: these lie at a place, against the log."""

    place: int
    cards: tuple[str | None, ...]
    reason: str = ""
    sentence: ClassVar[str] = N_("{use} was counted again.")


class Counted(Event, frozen=True):
    """A player counted their own things in sight of all.

    `owns` is the count, by name; `more` is the difference from what was noted until then, which the
    table works out. A later correction of an earlier moment leaves the difference as it is.
    """

    seat: int
    owns: dict[str, int]
    more: dict[str, int] = msgspec.field(default_factory=dict)
    reason: str = ""
    sentence: ClassVar[str] = N_("{who} counted: {things}.")


class Settled(Event, frozen=True):
    """The table settled a difference between the cards at a place and the log."""

    place: int
    way: SettleWay
    sentence: ClassVar[str] = N_("{use}: the difference is settled.")


class PlaceChosen(Event, frozen=True):
    """A player said where the next card is laid: the one reader waits for a card for this place."""

    place: int
    sentence: ClassVar[str] = N_("{use}: the next card held to the reader is laid there.")


class Frozen(Event, frozen=True):
    """A player held their button: the judge is called, and the game stands still."""

    seat: int
    sentence: ClassVar[str] = N_("{who} calls the judge.")


class Thawed(Event, frozen=True):
    """The table plays on."""

    sentence: ClassVar[str] = N_("The table plays on.")


class Paused(Event, frozen=True):
    """The host has the game stand still, until the host has it go on."""

    sentence: ClassVar[str] = N_("The host pauses the game.")


class Ended(Event, frozen=True):
    """The table agreed to end this game before its end."""

    reason: str = ""
    sentence: ClassVar[str] = N_("The table ends the game.")


class Cleared(Event, frozen=True):
    """The game is put away: the table is free for others, and shows nothing of it any more."""

    sentence: ClassVar[str] = N_("The table is cleared for the next group.")


AMENDMENTS = (
    Undone,
    Corrected,
    Found,
    Counted,
    Settled,
    PlaceChosen,
    Frozen,
    Paused,
    Thawed,
    Ended,
    Cleared,
)
REPLAYED = (Found, Counted)
"""Amendments that have their effect at their own place in the game, whatever else is amended."""
