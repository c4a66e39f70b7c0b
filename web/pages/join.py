"""Joining: the first page of every phone (language, name, seat), the lobby, and the quick start.

Laws: during a game the seats are those of its players, and joining means to pair with one of
them; before it there are as many seats as the largest box has. A browser is told which guest it
is, and of the others their names only. Games with bots are offered at a simulated table alone, and
not during a game. The quick start of a simulated table is one button that requests a free seat, as
the page with the seats does.
"""

from collections.abc import Sequence
from functools import cache

import msgspec
from flask import Blueprint, Response, make_response, redirect

from companion.core.cards import Box
from companion.core.i18n import Message, get_language, seat_key
from companion.games import find_game, game_names
from companion.seating.waiting import FormerSeat, Guest
from web.browsers import is_direct_visit
from web.context import AppContext, current_context
from web.rendering.blocks import Block, Layout, lay_out
from web.rendering.invite import Invite
from web.rendering.parts import SeatNews, Status
from web.rendering.scene import Facts, GameScene, Scene, Screen, of
from web.rendering.screens import render_screen, requested_screen

blueprint = Blueprint("join", __name__)


class ShownSeat(msgspec.Struct, frozen=True):
    """A seat as everyone sees it: its number, its player, and whether a phone plays from it."""

    seat: int
    name: str
    phone: bool


def all_boxes() -> tuple[Box, ...]:
    """Return the box of each game, as it is sold or as its owner has it."""
    return _boxes_of(game_names())


@cache
def _boxes_of(games: tuple[str, ...]) -> tuple[Box, ...]:
    return tuple(find_game(game).standard_box() for game in games)


def most_seats() -> int:
    """Return the number of seats of the largest box."""
    return max(box.players.most for box in all_boxes())


def box_titles() -> dict[str, str]:
    """Return the title of the box of each game."""
    return {box.game: box.title for box in all_boxes()}


def count_seats(context: AppContext) -> int:
    """Return the number of seats of the game, or before the first game of the table."""
    return context.table.seats or most_seats()


def seat_names(context: AppContext) -> list[str]:
    """Return the name at every seat of the game, or before the first game of the table; "" where
    none is known."""
    is_playing, seated = context.table.seats > 0, context.seats.holder_names()
    known = dict(enumerate(context.shown_names(True), 1)) if is_playing else seated
    return [known.get(seat, "") for seat in range(1, count_seats(context) + 1)]


def lobby(context: AppContext, screen: Screen) -> list[ShownSeat]:
    """Return these seats, with the names that a viewer may know."""
    names, taken = seat_names(context), context.seats.taken_seats()
    known = names if screen.sees_names(context) else ()
    words = get_language(screen.language).with_names(known)
    return [
        ShownSeat(
            seat,
            words.name_player(seat_key(seat)) if context.table.seats or seat in taken else "",
            seat in taken,
        )
        for seat in range(1, len(names) + 1)
    ]


def seat_gaps(chairs: list[ShownSeat], own: tuple[int, ...]) -> list[int]:
    """Return the free seats below taken ones, for a browser that has a seat: a game has no gaps."""
    taken = [chair.seat for chair in chairs if chair.phone]
    return [c.seat for c in chairs if not c.phone and own and taken and c.seat < max(taken)]


class SeatLobby(Facts, frozen=True):
    """People in seats before a game, and the guests asking for this seat."""

    lobby: list[ShownSeat] = of(lambda s: lobby(s.context, s.screen))
    news: SeatNews = of(SeatNews.find)
    game_fault: Message | None = of(lambda s: s.context.table.faults.game_fault)


LOBBY = Block("shared/lobby.html", SeatLobby.find)


class Startable(Facts, frozen=True):
    """The boxes that can be started with bots now, with their titles."""

    startable_games: dict[str, str] = of(
        lambda s: box_titles() if s.bots and s.context.table.history.is_over else {}
    )


@blueprint.get("/")
def show_join() -> Response:
    """Show the seats and the way to get one."""
    if is_direct_visit():
        current_context().note_visitor()
    return render_screen(requested_screen("join"))


def needs_setup(context: AppContext) -> bool:
    """Return whether the table has yet to be set up."""
    return context.setup is not None and not context.setup.is_set_up


class JoinSeats(Facts, frozen=True):
    """The seats and their holders; those of this browser, and those that it may take over."""

    chairs: list[ShownSeat]
    own: tuple[int, ...]
    seat_gaps: list[int]
    claimable: list[int]


def join_seats(scene: Scene) -> JoinSeats:
    """Return the seats as this browser sees them."""
    seats, browser = scene.context.seats, scene.screen.browser
    chairs = lobby(scene.context, scene.screen)
    own = tuple(seat for seat in seats.seats_of(browser) if seat <= len(chairs))
    claimable = [chair.seat for chair in chairs if seats.can_claim(browser, chair.seat)]
    return JoinSeats(chairs, own, seat_gaps(chairs, own), claimable)


class JoinPage(Facts, frozen=True):
    """This browser's wish, and the ways on."""

    seats: JoinSeats = of(join_seats)
    former: FormerSeat | None = of(
        lambda s: s.context.seats.handovers.former_seat(s.screen.browser)
    )
    guest: Guest | None = of(lambda s: s.context.seats.guest_of(s.screen.browser))
    asked: Sequence[int] = of(lambda s: s.context.seats.asked_seats(s.screen.browser))
    open_house: bool = of(lambda s: s.context.seats.open_house)
    keeps_names: bool = of(lambda s: s.context.names is not None)
    needs_setup: bool = of(lambda s: needs_setup(s.context))
    invite: Invite | None = of(lambda s: s.invite)
    startable: Startable = of(Startable.find)
    status: Status | None = of(lambda s: Status.find(s) if isinstance(s, GameScene) else None)
    """State of the game, if there is one."""


lay_out("join", Layout(Block("join/page.html"), Block("join/live.html", JoinPage.find)))


def show_quick_start(screen: Screen) -> Response:
    """Show the page with the one button, or redirect to the seats if none is free."""
    context = current_context()
    context.note_visitor()
    is_full = _first_free_seat(context, screen) is None
    return make_response(redirect("/", 303)) if is_full else render_screen(screen)


def _first_free_seat(context: AppContext, screen: Screen) -> ShownSeat | None:
    """Return the first seat that no phone holds; None if none is free."""
    chairs = lobby(context, screen) if context.table.view() is not None else []
    return next((chair for chair in chairs if not chair.phone), None)


class QuickStart(Facts, frozen=True):
    """The free seat, the languages, and how a phone joins."""

    free: ShownSeat | None = of(lambda s: _first_free_seat(s.context, s.screen))
    invite: Invite | None = of(lambda s: s.invite)


lay_out("quick_start", Layout(Block("quick_start/page.html", QuickStart.find)))
