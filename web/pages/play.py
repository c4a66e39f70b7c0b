"""Play: the simulated table, on which a seat moves its own cards, tiles and figure.

Law: nothing here tells the game anything. A piece is moved, a reader sees it, and only that
counts, as on a real table. The page shows a hand, so it is for the browser of that seat alone.
"""

from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect

from web.context import AppContext, current_context
from web.pages.join import sit_down
from web.pages.phone import unheard
from web.rendering.screens import Screen, adds, my_screen, show
from web.sessions import browser_id

blueprint = Blueprint("play", __name__, url_prefix="/play", template_folder="templates")


@blueprint.before_request
def only_simulated() -> None:
    """There is nothing here where the pieces are real."""
    if not current_context().is_simulated:
        abort(404)


@blueprint.get("")
def mine() -> Response:
    """The way to one's own pieces; whoever has none yet may sit down."""
    own = current_context().seats.moved_by(browser_id())
    return make_response(redirect(f"/play/{own[0]}", 303)) if own else sit_down()


@blueprint.get("/<int:seat>")
def page(seat: int) -> Response:
    """The simulated table as this seat sees it."""
    return show(my_screen("play", seat))


@adds("play")
def facts(here: AppContext, screen: Screen) -> dict[str, Any]:
    """The one page with cards that no reader has seen: for the seat that may see them."""
    pieces, table = here.pieces, here.table
    if pieces is None:
        return {}
    hands = here.seats.hands(screen.seat)
    away = hands != here.seats.holder(screen.seat)
    spots = {spot.name: spot for spot in pieces.visible_spots(screen.seat)}
    fingers = spots.get("fingers")
    return {
        "spots": spots,
        "fingers": fingers.lies[0] if fingers and fingers.lies else None,
        "lamps": {seat: table.lamp(seat) for seat in range(1, table.seats + 1)},
        "faults": pieces.faults,
        "pace": pieces.pace,
        "bots": pieces.played_by_bots(),
        "mine": [n for n in here.seats.moved_by(hands) if n <= table.seats],
        "phone_away": away,
        "settles": not away,
        "offers": pieces.game_sizes(),
        "unheard": unheard(here, screen.seat),
    }
