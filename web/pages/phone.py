"""The phone: what is asked of a seat that this browser holds.

Law: what only this seat may know stands on this page alone, and is covered until it is held down.
A phone that several play from opens all their hands, whosever page lies open.
"""

from typing import Any

from flask import Blueprint, Response, make_response, redirect

from web import responses
from web.browser import my_browser
from web.context import Room, room
from web.pages import correction
from web.pages.unheard import deaf_places, unheard
from web.rendering import templates
from web.rendering.screens import ASIDE, Refused, Screen, adds, lost, my_screen, show

blueprint = Blueprint("phone", __name__, url_prefix="/phone", template_folder="templates")


@blueprint.get("")
def mine() -> Response:
    """The way to one's own seat, to the hand-over where several play from here, or to the seats."""
    own = room().seats.of(my_browser())
    if len(own) > 1:
        return make_response(redirect("/share", 303))
    return make_response(redirect(f"/phone/{own[0]}" if own else "/", 303))


@blueprint.get("/<int:seat>")
def page(seat: int) -> Response:
    """The phone page of a seat."""
    screen = my_screen("phone", seat)
    return _elsewhere() if lost(screen) else show(screen)


@blueprint.get("/<int:seat>/correct/<int:at>")
def correct(seat: int, at: int) -> Response:
    """What may have happened at a moment instead."""
    screen = my_screen("phone", seat)
    return _elsewhere() if lost(screen) else correction.show(screen, at)


@blueprint.get("/elsewhere")
def stranger() -> Response:
    """The choice of a seat, and why this browser was led there."""
    status, sentence = responses.STRANGERS["not_your_seat"]
    said = templates.words(responses.my_language())["_"](sentence)
    return show(my_screen("join"), Refused(ASIDE, said), status)


def _elsewhere() -> Response:
    return make_response(redirect("/phone/elsewhere", 303))


@adds("phone")
def facts(here: Room, screen: Screen) -> dict[str, Any]:
    """The seats of the same browser, whose hands open here as well; what its hands did unheard."""
    own = here.seats.of(here.seats.holder(screen.seat))
    return {
        "own": [seat for seat in own if seat <= here.table.seats],
        "corrects_at": f"/phone/{screen.seat}/correct",
        "deaf": deaf_places(here) if here.simulated else (),
        "unheard": unheard(here, screen.seat),
    }
