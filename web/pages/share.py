"""The shared phone: several players on one phone, handed from one to the next.

Laws: it shows nothing that only one seat may know; a cover lies between two seats' pages; all hands
of this browser's seats open here by themselves.
"""

from flask import Blueprint, Response, make_response, redirect

from web.browsers import browser_id
from web.context import AppContext, current_context
from web.rendering.screens import Facts, Screen, provides_facts, render_screen, requested_screen

blueprint = Blueprint("share", __name__, url_prefix="/share", template_folder="templates")


@blueprint.get("")
def show_share() -> Response:
    """Show whose turn it is among those who play from this phone."""
    if not current_context().seats.seats_of(browser_id()):
        return make_response(redirect("/", 303))
    return render_screen(requested_screen("share"))


@provides_facts("share")
def share_facts(context: AppContext, screen: Screen) -> Facts:
    """Return the seats that are played from this browser."""
    return {"own": [n for n in context.seats.seats_of(screen.browser) if n <= context.table.seats]}
