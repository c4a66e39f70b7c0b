"""Seat keys read as names: what a table says, with the names of the story put in."""

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.i18n import get_language
from companion.seating.seats import Seats

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emma", "Finn")


def with_names(value: Any, names: Sequence[str]) -> Any:
    """The same value, with each seat key in it as its name."""
    if isinstance(value, str):
        return get_language("en").with_names(names).name_player(value)
    if isinstance(value, dict):
        return {with_names(key, names): with_names(one, names) for key, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(with_names(one, names) for one in value)
    if isinstance(value, msgspec.Struct):
        fields = {name: with_names(getattr(value, name), names) for name in value.__struct_fields__}
        return type(value)(**fields)
    return value


def named_seats(names: Sequence[str] = NAMES, game: str = "g1", **how: Any) -> Seats:
    """The seats of a table at which a game of these people is played."""
    seats = Seats(**how)
    seats.names.keep_names(game, ((seat, name, "") for seat, name in enumerate(names, 1)))
    return seats
