"""Sit: the first page of a simulated table, for whoever has just started it: one tap, one plays.

Law: this page gives nobody a seat; its one button asks for a free one, as the join page does.
"""

from typing import Any

from flask import Response, make_response, redirect

from web.context import Room, room
from web.pages.lobby import Chair, lobby
from web.rendering import templates
from web.rendering.invite import invited
from web.rendering.screens import Screen, adds, my_screen, show


def sit_down() -> Response:
    """The page with the one button; the choice of a seat where none waits for anybody."""
    room().touched()
    return show(my_screen("sit")) if _free(room()) else make_response(redirect("/", 303))


def _free(here: Room) -> Chair | None:
    """The first seat of the game that no browser holds."""
    chairs = lobby(here) if here.table.view() is not None else []
    return next((chair for chair in chairs if not chair.phone), None)


@adds("sit")
def facts(here: Room, screen: Screen) -> dict[str, Any]:
    """The seat that waits, who else plays, the languages, and how a phone comes in."""
    return {
        "free": _free(here),
        "languages": templates.languages(),
        "invite": invited(here, screen),
    }
