"""The shared phone: several players on one phone, handed from one to the next.

Laws: it shows nothing that only one seat may know; a cover lies between two seats' pages; all hands
of this browser's seats open here by themselves.
"""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, make_response, redirect

from web.browsers import browser_id
from web.context import current_context
from web.pages.join import LOBBY
from web.rendering import parts
from web.rendering.blocks import Block, Layout, lays_out
from web.rendering.parts import Opening, Score, Status, VerdictTold
from web.rendering.scene import Facts, of_game
from web.rendering.screens import render_screen, requested_screen

blueprint = Blueprint("share", __name__, url_prefix="/share")


@blueprint.get("")
def show_share() -> Response:
    """Show the player at turn among those on this phone."""
    if not current_context().seats.seats_of(browser_id()):
        return make_response(redirect("/", 303))
    return render_screen(requested_screen("share"))


class NextHand(Facts, frozen=True):
    """The next player on this phone, and the hands that open here by themselves."""

    phase: str = of_game(lambda s: s.phase)
    own: list[int] = of_game(lambda s: s.own_seats)
    waiting: tuple[int, ...] = of_game(lambda s: s.waiting)
    is_stopped: bool = of_game(lambda s: bool(s.table.frozen or s.table.paused))
    players: tuple[str, ...] = of_game(lambda s: s.players)
    all_seats: Sequence[Any] = of_game(lambda s: s.public.seats)
    status: Status = of_game(Status.find)
    opening: Opening = of_game(Opening.find)


class SharedResult(Facts, frozen=True):
    """The newest verdict, or the end of the game."""

    score: Score = of_game(Score.find)
    verdict: VerdictTold = of_game(VerdictTold.find)


class Covers(Facts, frozen=True):
    """The seats with a cover."""

    own: list[int] = of_game(lambda s: s.own_seats)
    players: tuple[str, ...] = of_game(lambda s: s.players)


@lays_out("share")
def lay_out_share(game: str) -> Layout:
    """Return the layout of a phone that several share."""
    around = Block("share/page.html")
    if not game:
        return Layout(around, Block("shared/lobby_frame.html"), {"lobby": LOBBY})
    blocks = {
        "urgent": parts.URGENT,
        "seats": parts.SEATS,
        "ask": Block("share/ask.html", NextHand.find),
        "result": Block("share/result.html", SharedResult.find),
    }
    return Layout(around, Block("share/live.html", Covers.find, held=True), blocks)
