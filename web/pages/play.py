"""The simulated table, on which a seat moves its own cards, tiles and figure.

Law: nothing here tells the game anything. A piece is moved, a simulated reader sees it, and only
that counts, as on a real table. The page shows a hand, so it is for the browser of that seat alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from flask import Blueprint, Response, abort, make_response, redirect

from companion.core.i18n import Message
from companion.games import find_game
from companion.games.open_table import find_face_down
from companion.pieces.layout import FINGERS, OWN, ShownSpot
from companion.table.view import View
from web.browsers import browser_id
from web.context import AppContext, current_context
from web.pages.join import show_quick_start
from web.pages.phone import unheard_spots
from web.rendering.screens import Facts, Screen, provides_facts, render_screen, requested_screen

replace = msgspec.structs.replace

blueprint = Blueprint("play", __name__, url_prefix="/play", template_folder="templates")


class SpotName(NamedTuple):
    """A spot without what lies there; one that `is_own` belongs to the seat of its number."""

    name: str
    kind: str
    number: int
    is_own: bool


@blueprint.before_request
def check_simulated() -> None:
    """Send 404 where the pieces are real."""
    if not current_context().is_simulated:
        abort(404)


@blueprint.get("")
def redirect_to_own_pieces() -> Response:
    """Redirect to the pieces of this browser, or show the quick start."""
    own = current_context().seats.seats_moved_by(browser_id())
    return make_response(redirect(f"/play/{own[0]}", 303)) if own else show_quick_start()


@blueprint.get("/<int:seat>")
def show_play(seat: int) -> Response:
    """Show the simulated table as this seat sees it."""
    return render_screen(requested_screen("play", seat))


@provides_facts("play")
def play_facts(context: AppContext, screen: Screen) -> Facts:
    """Return the pieces as this seat sees them: the only facts with cards that no reader has
    seen."""
    simulation, table = context.simulation, context.table
    if simulation is None:
        return {}
    hands = context.seats.mover_of(screen.seat)
    away = hands != context.seats.holder_of(screen.seat)
    spots = {spot.name: spot for spot in simulation.hands.visible_spots(screen.seat)}
    fingers = spots.get("fingers")
    return {
        "spots": spots,
        "places": tuple(bare_spot(spot) for spot in spots.values() if spot.kind == "place"),
        "is_holding": bool(fingers and fingers.lies),
        **_board_facts(context, table.view(screen.seat), tuple(spots.values())),
        "fingers": fingers.lies[0] if fingers and fingers.lies else None,
        "lamps": {seat: table.lamp_state(seat) for seat in range(1, table.seats + 1)},
        "faults": simulation.faults.faults,
        "pace": simulation.bots.pace,
        "bots": simulation.bots.played_by_bots(),
        "mine": [n for n in context.seats.seats_moved_by(hands) if n <= table.seats],
        "phone_away": away,
        "can_settle": not away,
        "game_sizes": simulation.bots.game_sizes(),
        "unheard": unheard_spots(context, screen.seat),
        "lately": _last_moment(table.view(screen.seat)),
    }


def _last_moment(view: View | None) -> Message | None:
    """Return the last moment, in words."""
    told = () if view is None else [one.say for one in view.table.log if not one.struck]
    return told[-1] if told else None


def bare_spot(spot: ShownSpot) -> ShownSpot:
    """Return a spot without what lies there, for what only names it."""
    return replace(spot, lies=(), lifts=(), wanted=(), welcome=False)


def _board_facts(context: AppContext, view: View | None, spots: Sequence[ShownSpot]) -> Facts:
    """Return the facts of the spots, and whether cards are turned over just now."""
    if view is None:
        return {}
    game = find_game(context.table.rules.box.game)
    places = [spot.number for spot in spots if spot.kind == "place"]
    name_place = game.screens.name_place or (
        lambda _public, n: game.rulebook.tracking.name_place(n)
    )
    return {
        "spot_names": tuple(
            SpotName(spot.name, spot.kind, spot.number, spot.kind in OWN)
            for spot in spots
            if spot.kind != FINGERS
        ),
        "place_names": {place: name_place(view.public, place) for place in places},
        "face_down": find_face_down(view.public.places),
        "turns": game.pieces is not None
        and any(may.do in game.pieces.turning_events for may in view.may),
    }
