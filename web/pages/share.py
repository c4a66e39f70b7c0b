"""The shared phone: several players on one phone, handed from one to the next.

Laws: it shows nothing that only one seat may know; a cover lies between two seats' pages; all hands
of this browser's seats open here by themselves. What every page
of a seat knows at the end of a game stands here as well.
"""

from flask import Blueprint, Response, make_response, redirect

from web.context import AppContext, current_context
from web.rendering.screens import Facts, Screen, provides_facts, render_screen, requested_screen
from web.sessions import browser_id

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


@provides_facts("table", at_end=True)
@provides_facts("phone", at_end=True)
@provides_facts("play", at_end=True)
@provides_facts("share", at_end=True)
def end_facts(context: AppContext, screen: Screen) -> Facts:
    """Return the line with which the game ended, and whether this page signs it: only the page of
    a phone that plays for one seat."""
    own = context.seats.seats_of(context.seats.holder_of(screen.seat)) if screen.seat else ()
    end = context.table.played.end_line()
    return {"end_line": end, "signs_end": screen.page == "phone" and len(own) == 1}


@provides_facts("phone")
@provides_facts("play")
def next_game_facts(context: AppContext, screen: Screen) -> Facts:
    """Return whether the browser of this seat is signed in as the host, who may begin a game."""
    sessions, holder = context.host_sessions, context.seats.holder_of(screen.seat)
    return {"may_begin": bool(sessions and holder and sessions.is_signed_in(holder))}
