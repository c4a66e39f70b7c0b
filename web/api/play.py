"""What hands do at a simulated table: move a piece, deal again.

Law: nothing here tells the game anything. A piece is moved, and only what a reader sees counts.
"""

from flask import abort

from companion.errors import Refusal, refusal
from companion.texts import N_
from web import acts
from web.api.asking import ASKED, TAPPED, Asked, Tapped
from web.api.operations import Api
from web.api.seats import none_yet
from web.room import Pieces, room

api = Api("play", "/api/play")


@api.post(
    "/<int:seat>/moves",
    N_("Move the pieces of a simulated table, in the place of a seat."),
    takes=Asked,
    who="seat",
    example=ASKED,
)
def move(seat: int, body: Asked) -> Refusal | None:
    """Move them if the game waits for it; a refusal leaves them where they are."""
    pieces, view, fields = _moved(), room().table.view(seat), dict(body.event)
    if view is None:
        return none_yet(seat)
    do = str(fields.pop("event", ""))
    refused = acts.refuse(view, pieces.hand(seat), do, fields)
    if refused is None and not pieces.move(seat, do, **acts.named(do, fields)):
        text = "No reader noticed anything new. Try again, or tap it on the phone page."
        return refusal("unnoticed", "", text)
    return refused


@api.post(
    "/<int:seat>/deal",
    N_("Deal another game at a simulated table, once the last one is over."),
    takes=Tapped,
    who="seat",
    example=TAPPED,
)
def deal(seat: int, body: Tapped) -> Refusal | None:
    """Any seat may have the cards dealt again."""
    return _pieces().deal()


def _pieces() -> Pieces:
    return room().pieces or abort(404)


def _moved() -> Pieces:
    """The pieces that are moved on a page of their own."""
    return _pieces() if room().play_page else abort(404)
