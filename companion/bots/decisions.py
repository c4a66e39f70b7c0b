"""The view on which a bot decides, and the decisions that it can come to.

Law: a decision names what its player decides, and never what only the table can show: the one who
moves the pieces sees which card or tile comes up, and says so.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

import msgspec

from companion.core.bot_pace import Strength
from companion.core.events import Event, Value
from companion.core.i18n import Message
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict


class Character(msgspec.Struct, frozen=True):
    """How strong a bot is, and its style from careful, 0, to bold, 1."""

    strength: Strength = "strong"
    style: float = 0.5


class SeatView(Protocol):
    """The view of a seat, as far as its bot reads it."""

    @property
    def seat(self) -> int: ...
    @property
    def public(self) -> object: ...
    @property
    def mine(self) -> object: ...
    @property
    def may(self) -> Sequence[Any]: ...


class BotView(msgspec.Struct, frozen=True):
    """The box, a view, the cards in hand, the verdicts announced in this game, the closed hand.

    The last one as far as the bot knows; its character, and the luck that decides where it
    hesitates.
    """

    box: Any
    view: SeatView
    hand: Sequence[str]
    past: Sequence[Verdict]
    held: Value | None
    random: Random
    character: Character = Character()

    @property
    def seat(self) -> int:
        return self.view.seat

    @property
    def public(self) -> Any:
        return self.view.public

    @property
    def mine(self) -> Any:
        return self.view.mine

    @property
    def name(self) -> str:
        """Return the bot's own name at the table."""
        return str(self.public.seats[self.seat - 1].name)

    @property
    def names(self) -> list[str]:
        """Return everyone's name, clockwise."""
        return [seat.name for seat in self.public.seats]

    def choices_for(self, do: str) -> list[JsonObject]:
        """Return the ways in which this seat may do something now; none if it may not."""
        return [dict(choice) for may in self.view.may if may.do == do for choice in may.choices]


class PieceMove(msgspec.Struct, frozen=True):
    """Something to do with cards on the table, by the name of its event."""

    do: str
    fields: JsonObject


class EventByName(msgspec.Struct, frozen=True):
    """An event of this seat, by its name."""

    do: str
    fields: JsonObject


class CloseHand(msgspec.Struct, frozen=True):
    """Close the hand around something, for a reason that is told after the game."""

    value: Value
    reason: Message | None = None


Decision = Event | EventByName | PieceMove | CloseHand | None
"""What a bot comes up with; None if there is nothing that it can do."""
