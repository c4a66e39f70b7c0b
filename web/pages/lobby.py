"""The lobby: who has come, and how more people come in.

Laws: during a game the players are those of the game, and joining is to pair with one of their
seats; before it there are as many seats as the largest box has, with the names of those who came.
A browser is told who it is itself, and of the others their names and nothing else.
"""

from functools import cache
from typing import Any

import msgspec

from companion.games import RULEBOOKS, rulebook
from companion.seating.waiting import Guest
from web.context import Room
from web.pages.gathering import starts
from web.rendering.invite import invited, joining
from web.rendering.screens import Screen, adds


class Chair(msgspec.Struct, frozen=True):
    """A seat as everyone sees it: its number, who sits there, whether a phone plays from it."""

    seat: int
    name: str
    phone: bool


@cache
def most_seats() -> int:
    """As many as the largest box is for."""
    return max(rulebook(game).box.players.most for game in RULEBOOKS)


def lobby(here: Room) -> list[Chair]:
    """Every seat of the game, or before the first one every seat of the table."""
    view, taken, names = here.table.view(), here.seats.taken(), here.seats.names()
    if view is not None:
        names = {n: player.name for n, player in enumerate(view.public.seats, 1)}
    seats = range(1, (len(names) if view is not None else most_seats()) + 1)
    return [Chair(seat, names.get(seat, ""), seat in taken) for seat in seats]


def left_out(chairs: list[Chair], own: tuple[int, ...]) -> list[int]:
    """The seats that nobody has taken although people sit at higher ones: a game has no gaps."""
    taken = [chair.seat for chair in chairs if chair.phone]
    return [c.seat for c in chairs if not c.phone and own and taken and c.seat < max(taken)]


def wanting(here: Room, seat: int) -> tuple[Guest, ...]:
    """Who asks the phone that holds this seat for it."""
    return here.seats.wanting(seat) if seat in here.seats.taken() else ()


@adds("table")
def of_the_table(here: Room, screen: Screen) -> dict[str, Any]:
    """Who has come, for everyone to see, and how one comes in."""
    return {
        "troubles": here.table.troubles(),
        "lobby": lobby(here),
        "guests": here.seats.guests(),
        "invite": invited(here, screen),
        "wifi": joining(here, screen.language) if screen.inside else None,
        "titles": [rulebook(game).box.title for game in RULEBOOKS],
        "hosted": here.house is not None,
        "starts": starts(here),
        "fresh": here.first is not None and not here.first.set_up,
    }


@adds("play")
def of_a_simulated_table(here: Room, screen: Screen) -> dict[str, Any]:
    """How a real phone comes in, and what the boxes are called that may lie there."""
    titles = {game: rulebook(game).box.title for game in RULEBOOKS}
    return {"invite": invited(here, screen), "titles": titles}


@adds("phone")
@adds("share")
@adds("play")
def of_a_phone(here: Room, screen: Screen) -> dict[str, Any]:
    """Whose new phone asks for this seat; before a game, who has come."""
    return {"wanted": wanting(here, screen.seat), "lobby": lobby(here)}
