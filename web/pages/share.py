"""Share: one phone from which several play, and how it goes from hand to hand.

Laws: it shows nothing that only one seat may know; a cover lies between two seats' pages; all
hands of this browser's seats open here by themselves.
"""

from typing import Any

from flask import Blueprint, Response, make_response, redirect

from web.context import AppContext, current_context
from web.rendering.screens import Screen, adds, my_screen, show
from web.sessions import browser_id

blueprint = Blueprint("share", __name__, url_prefix="/share", template_folder="templates")


@blueprint.get("")
def page() -> Response:
    """Whose turn it is among those who play from this phone."""
    if not current_context().seats.of(browser_id()):
        return make_response(redirect("/", 303))
    return show(my_screen("share"))


@adds("share")
def facts(here: AppContext, screen: Screen) -> dict[str, Any]:
    """The seats that are played from this browser."""
    return {"own": [n for n in here.seats.of(screen.browser) if n <= here.table.seats]}
