"""The phone page: what is asked of a seat that this browser holds.

Law: what only this seat may know is on this page alone, covered until it is held down. On a phone
that holds several seats all their hands open, whichever page is shown. Pieces laid where no reader
works are read from what the seat sees anyway, so that its phone can report them by a tap.
"""

import msgspec
from flask import Blueprint, Response, make_response, redirect

from companion.pieces.layout import ShownSpot
from companion.table.wishes import offered_things
from web import responses
from web.browsers import browser_id
from web.context import AppContext, current_context
from web.pages import correction
from web.rendering import templates
from web.rendering.screens import (
    Facts,
    Screen,
    is_denied,
    provides_facts,
    render_screen,
    requested_screen,
)

blueprint = Blueprint("phone", __name__, url_prefix="/phone", template_folder="templates")


def unheard_spots(context: AppContext, seat: int) -> list[ShownSpot]:
    """Return the places where this seat laid what is asked of it, but no reader works."""
    if context.simulation is None:
        return []
    deaf = deaf_places(context)
    if not deaf:
        return []
    places = (spot for spot in context.simulation.hands.visible_spots(seat) if spot.kind == "place")
    return [
        spot for spot in places if spot.number in deaf and spot.wanted and _has_stray_piece(spot)
    ]


def deaf_places(context: AppContext) -> set[int]:
    """Return the places without a working reader, and those whose cable is pulled just now."""
    view = context.table.view()
    by_hand = view.table.by_hand if view is not None else ()
    pulled = context.simulation.faults.faults.cable if context.simulation is not None else ()
    return {*by_hand, *pulled}


def _has_stray_piece(spot: ShownSpot) -> bool:
    return any(piece.astray for piece in spot.lies)


@blueprint.get("")
def redirect_to_own_seat() -> Response:
    """Redirect to the browser's seat, to the shared phone if it holds several, else to the
    seats."""
    own = current_context().seats.seats_of(browser_id())
    if len(own) > 1:
        return make_response(redirect("/share", 303))
    return make_response(redirect(f"/phone/{own[0]}" if own else "/", 303))


@blueprint.get("/<int:seat>")
def show_phone(seat: int) -> Response:
    """Show the phone page of a seat."""
    screen = requested_screen("phone", seat)
    return _redirect_elsewhere() if is_denied(screen) else render_screen(screen)


@blueprint.get("/<int:seat>/correct/<int:at>")
def show_phone_correction(seat: int, at: int) -> Response:
    """Show the possible corrections of a moment."""
    screen = requested_screen("phone", seat)
    return _redirect_elsewhere() if is_denied(screen) else correction.show_correction(screen, at)


@blueprint.get("/<int:seat>/count")
def show_phone_count(seat: int) -> Response:
    """Show this seat's things by the log, to be counted."""
    screen = requested_screen("phone", seat)
    return _redirect_elsewhere() if is_denied(screen) else correction.show_count(screen)


@blueprint.get("/elsewhere")
def show_wrong_seat() -> Response:
    """Show the choice of a seat, and why this browser was redirected to it.

    The page itself says so if the browser has lost its seat while it was not heard.
    """
    status, sentence = responses.PERMISSION_ERRORS["not_your_seat"]
    if current_context().seats.handovers.former_seat(browser_id()) is not None:
        return render_screen(requested_screen("join"), status=status)
    text = templates.template_words(responses.request_language())["_"](sentence)
    return render_screen(requested_screen("join"), text, status)


def _redirect_elsewhere() -> Response:
    return make_response(redirect("/phone/elsewhere", 303))


class ShownWishes(msgspec.Struct, frozen=True):
    """The order in which this seat wants to take, and whether the table takes by it."""

    order: tuple[str, ...]
    is_active: bool


def show_wishes(context: AppContext, seat: int) -> ShownWishes | None:
    """Return the wish of a seat, or one to begin with while it is asked for one; else None."""
    rules, state, view = context.table.rules, context.table.state, context.table.view(seat)
    if state is None or view is None or state.phase == "over" or view.table.ended:
        return None
    wish = context.wishes.read(state.id, seat)
    is_active = bool(wish and wish.is_active)
    if not is_active and not offered_things(rules, state, seat):
        return None
    return ShownWishes(context.wishes.order_things(rules, state, seat), is_active)


@provides_facts("phone")
def phone_facts(context: AppContext, screen: Screen) -> Facts:
    """Return the other seats of this browser, the pieces that no reader sees, whether bots do what
    all seats are asked to do, and whom a held button let in, as far as it concerns this phone."""
    own = context.seats.seats_of(context.seats.holder_of(screen.seat))
    wishes = show_wishes(context, screen.seat)
    return {
        "admitted": _admission(context, screen.seat),
        "wishes": wishes,
        "is_taken_for": wishes is not None and wishes.is_active,
        "own": [seat for seat in own if seat <= context.table.seats],
        "correction_url": f"/phone/{screen.seat}/correct",
        "deaf": deaf_places(context) if context.is_simulated else (),
        "unheard": unheard_spots(context, screen.seat),
        "bots_help": bool(context.simulation and context.simulation.bots.played_by_bots()),
    }


def _admission(context: AppContext, seat: int) -> str:
    """Return whether the held button of this seat made its phone the host's, or none did because
    several have asked."""
    shown = context.host.host_pass.shown_pass() if context.host else None
    if shown is None or (shown.admitted == "sitter" and shown.seat != seat):
        return ""
    return shown.admitted


@provides_facts("phone")
@provides_facts("play")
def next_game_facts(context: AppContext, screen: Screen) -> Facts:
    """Return whether the browser of this seat is signed in as the host, who may begin a game."""
    holder = context.seats.holder_of(screen.seat)
    return {"may_begin": holder is not None and context.browsers.is_host(holder)}
