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
from web.rendering.invite import screen_invite, wifi_invite
from web.rendering.screens import Screen, provides_facts, render_screen, requested_screen
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


def lobby(context: AppContext) -> list[Chair]:
    """Every seat of the game, or before the first one every seat of the table."""
    view, taken, names = (
        context.table.view(),
        context.seats.taken_seats(),
        context.seats.holder_names(),
    )
    if view is not None:
        names = {n: player.name for n, player in enumerate(view.public.seats, 1)}
    seats = range(1, (len(names) if view is not None else most_seats()) + 1)
    return [Chair(seat, names.get(seat, ""), seat in taken) for seat in seats]


def seat_gaps(chairs: list[Chair], own: tuple[int, ...]) -> list[int]:
    """The seats that nobody has taken although people sit at higher ones: a game has no gaps."""
    taken = [chair.seat for chair in chairs if chair.phone]
    return [c.seat for c in chairs if not c.phone and own and taken and c.seat < max(taken)]


def seat_requests(context: AppContext, seat: int) -> tuple[Guest, ...]:
    """Who asks the phone that holds this seat for it."""
    return context.seats.guests_asking_for(seat) if seat in context.seats.taken_seats() else ()


@provides_facts("table")
def table_facts(context: AppContext, screen: Screen) -> dict[str, Any]:
    """Who has come, for everyone to see, and how one comes in."""
    return {
        "troubles": context.table.fault_messages(),
        "lobby": lobby(context),
        "guests": context.seats.waiting_guests(),
        "invite": screen_invite(context, screen),
        "wifi": wifi_invite(context, screen.language) if screen.is_local else None,
        "titles": [make_rulebook(game).box.title for game in RULEBOOKS],
        "hosted": context.host is not None,
        "startable_games": startable_games(context),
        "needs_setup": context.setup is not None and not context.setup.set_up,
    }


@provides_facts("play")
def simulated_table_facts(context: AppContext, screen: Screen) -> dict[str, Any]:
    """How a real phone comes in, and what the boxes are called that may lie there."""
    titles = {game: make_rulebook(game).box.title for game in RULEBOOKS}
    return {"invite": screen_invite(context, screen), "titles": titles}


@provides_facts("phone")
@provides_facts("share")
@provides_facts("play")
def phone_lobby_facts(context: AppContext, screen: Screen) -> dict[str, Any]:
    """Whose new phone asks for this seat; before a game, who has come."""
    return {"seat_requests": seat_requests(context, screen.seat), "lobby": lobby(context)}


def startable_games(context: AppContext) -> dict[str, str]:
    """The title of each box."""
    if context.pieces is None or not context.table.history.is_over:
        return {}
    return {game: make_rulebook(game).box.title for game in RULEBOOKS}


blueprint = Blueprint("join", __name__, template_folder="templates")


@blueprint.get("/")
def show_join() -> Response:
    """Who sits where, and how one gets a seat."""
    if is_direct_visit():
        current_context().note_visitor()
    return render_screen(requested_screen("join"))


@provides_facts("join")
def join_facts(context: AppContext, screen: Screen) -> dict[str, Any]:
    """Who holds which seat, what this browser waits for, the languages one may choose."""
    seats, chairs = context.seats, lobby(context)
    own = tuple(seat for seat in seats.seats_of(screen.browser) if seat <= len(chairs))
    return {
        "chairs": chairs,
        "own": own,
        "seat_gaps": seat_gaps(chairs, own),
        "guest": seats.guest_of(screen.browser),
        "asked": seats.asked_seats(screen.browser),
        "open_house": seats.open_house,
        "hosted": context.host is not None,
        "needs_setup": context.setup is not None and not context.setup.set_up,
        "languages": templates.language_names(),
        "typed": request.form.get("name", "") if has_request_context() else "",
        "invite": screen_invite(context, screen),
        "startable_games": startable_games(context),
    }


def show_quick_start() -> Response:
    """The page with the one button; the choice of a seat where none waits for anybody."""
    context = current_context()
    context.note_visitor()
    return (
        render_screen(requested_screen("quick_start"))
        if _first_free_seat(context)
        else make_response(redirect("/", 303))
    )


def _first_free_seat(context: AppContext) -> Chair | None:
    """The first seat of the game that no browser holds."""
    chairs = lobby(context) if context.table.view() is not None else []
    return next((chair for chair in chairs if not chair.phone), None)


@provides_facts("quick_start")
def quick_start_facts(context: AppContext, screen: Screen) -> dict[str, Any]:
    """The seat that waits, who else plays, the languages, and how a phone comes in."""
    return {
        "free": _first_free_seat(context),
        "languages": templates.language_names(),
        "invite": screen_invite(context, screen),
    }
