"""Join: pick a seat and a language. The first page of every phone."""

from typing import Any

from flask import Blueprint, Response

from web import words
from web.room import Room
from web.screens import Screen, adds, my_screen, show

blueprint = Blueprint("join", __name__, template_folder="templates")


@blueprint.get("/")
def page() -> Response:
    """Who sits where, and which seats are free."""
    return show(my_screen("join"))


@adds("join")
def facts(here: Room, screen: Screen) -> dict[str, Any]:
    """Who holds which seat, and the languages one may choose."""
    languages = {code: words.NAMES[code] for code in words.offered()}
    own = here.seats.of(screen.browser)
    return {"taken": here.seats.taken(), "own": own, "languages": languages}
