"""The phone: what is asked of a seat that this browser holds.

Law: what only this seat may know stands on this page alone, and is covered until it is held down.
A phone that several play from opens all their hands, whosever page lies open.

What the hands of a seat did where no reader heard it: its phone is told of that by a tap.

Law: this is read from what the seat sees anyway; it shows nobody anything.
"""

from typing import Any

from flask import Blueprint, Response, make_response, redirect

from web import responses
from web.context import AppContext, Spot, current_context
from web.pages import correction
from web.rendering import templates
from web.rendering.screens import (
    ASIDE,
    RefusedForm,
    Screen,
    is_denied,
    provides_facts,
    render_screen,
    requested_screen,
)
from web.sessions import browser_id


def unheard_spots(context: AppContext, seat: int) -> list[Spot]:
    """The places where this seat laid what is asked of it, and whose reader is deaf."""
    deaf = deaf_places(context)
    if context.pieces is None or not deaf:
        return []
    places = (spot for spot in context.pieces.visible_spots(seat) if spot.kind == "place")
    return [
        spot for spot in places if spot.number in deaf and spot.wanted and _has_stray_piece(spot)
    ]


def deaf_places(context: AppContext) -> set[int]:
    """The places that are played by hand, and those whose cable is pulled just now."""
    view = context.table.view()
    by_hand = view.table.by_hand if view is not None else ()
    pulled = context.pieces.faults.cable if context.pieces is not None else ()
    return {*by_hand, *pulled}


def _has_stray_piece(spot: Spot) -> bool:
    return any(piece.astray for piece in spot.lies)


blueprint = Blueprint("phone", __name__, url_prefix="/phone", template_folder="templates")


@blueprint.get("")
def redirect_to_own_seat() -> Response:
    """The way to one's own seat, to the hand-over where several play from here, or to the seats."""
    own = current_context().seats.seats_of(browser_id())
    if len(own) > 1:
        return make_response(redirect("/share", 303))
    return make_response(redirect(f"/phone/{own[0]}" if own else "/", 303))


@blueprint.get("/<int:seat>")
def show_phone(seat: int) -> Response:
    """The phone page of a seat."""
    screen = requested_screen("phone", seat)
    return _redirect_elsewhere() if is_denied(screen) else render_screen(screen)


@blueprint.get("/<int:seat>/correct/<int:at>")
def show_phone_correction(seat: int, at: int) -> Response:
    """What may have happened at a moment instead."""
    screen = requested_screen("phone", seat)
    return _redirect_elsewhere() if is_denied(screen) else correction.show_correction(screen, at)


@blueprint.get("/elsewhere")
def show_wrong_seat() -> Response:
    """The choice of a seat, and why this browser was led there."""
    status, sentence = responses.PERMISSION_ERRORS["not_your_seat"]
    said = templates.template_words(responses.request_language())["_"](sentence)
    return render_screen(requested_screen("join"), RefusedForm(ASIDE, said), status)


def _redirect_elsewhere() -> Response:
    return make_response(redirect("/phone/elsewhere", 303))


@provides_facts("phone")
def phone_facts(context: AppContext, screen: Screen) -> dict[str, Any]:
    """The seats of the same browser, whose hands open here as well; what its hands did unheard."""
    own = context.seats.seats_of(context.seats.holder_of(screen.seat))
    return {
        "own": [seat for seat in own if seat <= context.table.seats],
        "correction_url": f"/phone/{screen.seat}/correct",
        "deaf": deaf_places(context) if context.is_simulated else (),
        "unheard": unheard_spots(context, screen.seat),
    }
