"""Pseudonyms: what stands for a player wherever the name is not kept.

Laws: a pseudonym says the seat and nothing else, so the same stands for everyone who ever sat
there; it is a name that every version of the companion accepts. Its sign is one that people do not
type, so that it is found in any finished text and worded for the reader: “Seat ③” is read as
“Platz 3”.
"""

import re
from collections.abc import Collection

from msgspec.structs import replace

from companion.core.events import Event, Started
from companion.core.i18n import N_, Language
from companion.core.json_values import JsonObject
from companion.core.table_events import Corrected

BEGINS = "Seat "
FIRST_SIGN = 0x2460
"""The sign of seat 1, ①; the others follow it."""
PSEUDONYM = re.compile(BEGINS + "([\u2460-\u2473])")
SEAT = N_("Seat {seat}")


def pseudonym(seat: int) -> str:
    """Return what stands for the player of this seat."""
    return BEGINS + chr(FIRST_SIGN + seat - 1)


def pseudonyms(count: int) -> tuple[str, ...]:
    """Return what stands for the players of so many seats."""
    return tuple(pseudonym(seat) for seat in range(1, count + 1))


def word_seats(text: str, words: Language) -> str:
    """Return a finished text in which each pseudonym is worded for its reader."""
    return PSEUDONYM.sub(
        lambda found: words.render(SEAT, {"seat": ord(found[1]) - FIRST_SIGN + 1}), text
    )


def hide_players(players: tuple[str, ...], seats: Collection[int] = ()) -> tuple[str, ...]:
    """Return the players with the names of these seats hidden; of all, where none are named."""
    return tuple(
        pseudonym(seat) if not seats or seat in seats else name
        for seat, name in enumerate(players, 1)
    )


def hide_names(event: Event, seats: Collection[int] = ()) -> Event:
    """Return an event without the names of these seats, or of all; a reason that people typed goes
    as a whole, since it may name anyone."""
    if isinstance(event, Started):
        return replace(event, players=hide_players(event.players, seats))
    if isinstance(event, Corrected):
        event = replace(event, instead=_without_reason(event.instead))
    return replace(event, reason="") if getattr(event, "reason", "") else event


def _without_reason(instead: JsonObject) -> JsonObject:
    return {**instead, "reason": ""} if instead.get("reason") else instead
