"""Events: facts about a game, in the past tense, never refused once they are written.

Law: an event is frozen, holds all it needs (what the dice, the readers and the clock said is
inside it or in the journal line around it), and is written as JSON that reads back.
"""

import re
from collections.abc import Callable
from types import UnionType
from typing import ClassVar

import msgspec

from companion.core.errors import JsonObject, Malformed, show_safely
from companion.core.i18n import N_

Value = int | str | dict[str, int]
"""Contents of a closed hand: coins, a bank, or chips by colour."""


class Event(
    msgspec.Struct,
    frozen=True,
    tag_field="event",
    tag=lambda name: re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(),  # card_placed
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """A fact about a game.

    `sentence` is all that everyone may hear of it: its gaps are the only fields shown. An event is
    `on_button` if a short press can say it where nothing is left to choose, `with_pieces` if it is
    made with cards, tiles or a figure: where the table has readers they see it, and a phone offers
    it only for places without one. One that `shows` reveals something hidden to someone.
    """

    sentence: ClassVar[str] = ""
    on_button: ClassVar[bool] = False
    with_pieces: ClassVar[bool] = False
    shows: ClassVar[bool] = False


class Started(Event, frozen=True):
    """The table agreed how many play, who begins (perhaps by lot), and which house rules hold; by
    this version of the rules, so that it is not replayed by others."""

    id: str
    players: int
    first: int = 1
    house_rules: dict[str, str] = {}
    drawn: bool = False
    rules: int = 1
    sentence: ClassVar[str] = N_("The game begins.")


class Sealed(Event, frozen=True):
    """A seat closed its hand: only the seal is known, not the value inside."""

    seat: int
    seal: str
    sentence: ClassVar[str] = N_("{who} seals a choice.")


class Opened(Event, frozen=True):
    """A seat opened its hand; the nonce proves that the value is the sealed one."""

    seat: int
    value: Value
    nonce: str
    sentence: ClassVar[str] = N_("{who} reveals the choice.")
    shows: ClassVar[bool] = True


class Entered(Event, frozen=True):
    """The table entered a value for a hand that cannot be opened: believed, not proven."""

    seat: int
    value: Value
    sentence: ClassVar[str] = N_("The table enters what {who} had chosen.")
    shows: ClassVar[bool] = True


class Resealed(Event, frozen=True):
    """The table decided that all hands are closed again."""

    sentence: ClassVar[str] = N_("The table asks everyone to seal again.")


class Passed(Event, frozen=True):
    """A player skipped a step that was optional."""

    seat: int
    sentence: ClassVar[str] = N_("{who} passes.")
    on_button: ClassVar[bool] = True


EventTypes = type[Event] | UnionType
"""An event class, or a union of them."""

LONGEST_NAME, LONGEST_REASON = 40, 120
"""Most characters quoted of an invalid event and of its fault."""


def from_fields(fields: JsonObject, event_type: EventTypes) -> Event:
    """Convert fields to the event of their class; raise Malformed."""
    try:
        event: Event = msgspec.convert(fields, event_type)
        to_json(event)
    except (ValueError, msgspec.MsgspecError, OverflowError, RecursionError) as error:
        name = show_safely(fields.get("event", ""), LONGEST_NAME)
        text = N_("“{field}” is not an event: {reason}.")
        is_plain = isinstance(error, msgspec.ValidationError)  # All others quote the value.
        reason = show_safely(error, LONGEST_REASON) if is_plain else type(error).__name__
        raise Malformed(name, text, reason=reason) from None
    return event


to_json: Callable[[msgspec.Struct], bytes] = msgspec.json.Encoder().encode
"""Encode an event, or another struct, as one JSON object."""
