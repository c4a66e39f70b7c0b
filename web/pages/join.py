"""Join: language, name, seat. The first page of every phone, and the way to another seat.

The lobby: who has come, and how more people come in.

Laws: during a game the players are those of the game, and joining is to pair with one of their
seats; before it there are as many seats as the largest box has, with the names of those who came.
A browser is told who it is itself, and of the others their names and nothing else.

Gathering: the boxes with which bots wait to play, where the table is simulated.

Law: on a table with real cards, and while a game is under way, nobody is offered this.

Sit: the first page of a simulated table, for whoever has just started it: one tap, one plays.

Law: this page gives nobody a seat; its one button asks for a free one, as the join page does.
"""

from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response, has_request_context, make_response, redirect, request

from companion.games import RULEBOOKS, make_rulebook
from companion.seating.waiting import Guest
from web.context import AppContext, current_context
from web.rendering import templates
from web.rendering.invite import invited, joining
from web.rendering.screens import Screen, adds, my_screen, show
from web.sessions import is_direct_visit


class Chair(msgspec.Struct, frozen=True):
    """A seat as everyone sees it: its number, who sits there, whether a phone plays from it."""

    seat: int
    name: str
    phone: bool


@cache
def most_seats() -> int:
    """As many as the largest box is for."""
    return max(make_rulebook(game).box.players.most for game in RULEBOOKS)


def lobby(here: AppContext) -> list[Chair]:
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


def wanting(here: AppContext, seat: int) -> tuple[Guest, ...]:
    """Who asks the phone that holds this seat for it."""
    return here.seats.wanting(seat) if seat in here.seats.taken() else ()


@adds("table")
def of_the_table(here: AppContext, screen: Screen) -> dict[str, Any]:
    """Who has come, for everyone to see, and how one comes in."""
    return {
        "troubles": here.table.troubles(),
        "lobby": lobby(here),
        "guests": here.seats.guests(),
        "invite": invited(here, screen),
        "wifi": joining(here, screen.language) if screen.inside else None,
        "titles": [make_rulebook(game).box.title for game in RULEBOOKS],
        "hosted": here.host is not None,
        "starts": starts(here),
        "fresh": here.setup is not None and not here.setup.set_up,
    }


@adds("play")
def of_a_simulated_table(here: AppContext, screen: Screen) -> dict[str, Any]:
    """How a real phone comes in, and what the boxes are called that may lie there."""
    titles = {game: make_rulebook(game).box.title for game in RULEBOOKS}
    return {"invite": invited(here, screen), "titles": titles}


@adds("phone")
@adds("share")
@adds("play")
def of_a_phone(here: AppContext, screen: Screen) -> dict[str, Any]:
    """Whose new phone asks for this seat; before a game, who has come."""
    return {"wanted": wanting(here, screen.seat), "lobby": lobby(here)}


def starts(here: AppContext) -> dict[str, str]:
    """The title of each box."""
    if here.pieces is None or not here.table.history.over:
        return {}
    return {game: make_rulebook(game).box.title for game in RULEBOOKS}


blueprint = Blueprint("join", __name__, template_folder="templates")


@blueprint.get("/")
def page() -> Response:
    """Who sits where, and how one gets a seat."""
    if is_direct_visit():
        current_context().note_visitor()
    return show(my_screen("join"))


@adds("join")
def facts(here: AppContext, screen: Screen) -> dict[str, Any]:
    """Who holds which seat, what this browser waits for, the languages one may choose."""
    seats, chairs = here.seats, lobby(here)
    own = tuple(seat for seat in seats.of(screen.browser) if seat <= len(chairs))
    return {
        "chairs": chairs,
        "own": own,
        "left_out": left_out(chairs, own),
        "guest": seats.guest(screen.browser),
        "asked": seats.asked(screen.browser),
        "open_house": seats.open_house,
        "hosted": here.host is not None,
        "fresh": here.setup is not None and not here.setup.set_up,
        "languages": templates.languages(),
        "typed": request.form.get("name", "") if has_request_context() else "",
        "invite": invited(here, screen),
        "starts": starts(here),
    }


def sit_down() -> Response:
    """The page with the one button; the choice of a seat where none waits for anybody."""
    context = current_context()
    context.note_visitor()
    return show(my_screen("quick_start")) if _free(context) else make_response(redirect("/", 303))


def _free(here: AppContext) -> Chair | None:
    """The first seat of the game that no browser holds."""
    chairs = lobby(here) if here.table.view() is not None else []
    return next((chair for chair in chairs if not chair.phone), None)


@adds("quick_start")
def sit_facts(here: AppContext, screen: Screen) -> dict[str, Any]:
    """The seat that waits, who else plays, the languages, and how a phone comes in."""
    return {
        "free": _free(here),
        "languages": templates.languages(),
        "invite": invited(here, screen),
    }
