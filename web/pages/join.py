"""Join: language, name, seat. The first page of every phone, and the way to another seat."""

from typing import Any

from flask import Blueprint, Response, has_request_context, request

from web.browser import came
from web.context import Room, room
from web.pages.gathering import starts
from web.pages.lobby import left_out, lobby
from web.rendering import templates
from web.rendering.invite import invited
from web.rendering.screens import Screen, adds, my_screen, show

blueprint = Blueprint("join", __name__, template_folder="templates")


@blueprint.get("/")
def page() -> Response:
    """Who sits where, and how one gets a seat."""
    if came():
        room().touched()
    return show(my_screen("join"))


@adds("join")
def facts(here: Room, screen: Screen) -> dict[str, Any]:
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
        "hosted": here.house is not None,
        "fresh": here.first is not None and not here.first.set_up,
        "languages": templates.languages(),
        "typed": request.form.get("name", "") if has_request_context() else "",
        "invite": invited(here, screen),
        "starts": starts(here),
    }
