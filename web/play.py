"""Play: the simulated table, on which a seat moves its own cards, tiles and figure.

Law: nothing here tells the game anything. A piece is moved, a reader sees it, and only that
counts, as on a real table. The page shows a hand, so it is for the browser of that seat alone.
"""

from flask import Blueprint, Response, abort, make_response, redirect, request

from companion.errors import Malformed, Refusal, refusal
from web import acts, answers, forms
from web.room import Pieces, room
from web.screens import Screen, my_screen, show

blueprint = Blueprint("play", __name__, url_prefix="/play", template_folder="templates")


@blueprint.get("")
def page() -> Response:
    """The simulated table as this seat sees it."""
    _page()
    screen = my_screen("play")
    return show(screen) if screen.seat else make_response(redirect("/", 303))


@blueprint.post("/move")
def move() -> Response:
    """Do something with the pieces."""
    _page()
    pieces, screen = _pieces(), my_screen("play")
    if not screen.seat:
        return answers.done("/")
    try:
        do, fields = forms.read(request.form)
    except Malformed as malformed:
        return answers.malformed(malformed, screen, request.form.get(forms.DO, ""))
    refused = _move(pieces, screen, do, fields)
    return answers.refused(refused, screen, do) if refused else answers.done("/play")


@blueprint.post("/deal")
def deal() -> Response:
    """Begin another game once this one is over."""
    pieces, screen = _pieces(), my_screen("play" if room().play_page else "phone")
    if not screen.seat:
        return answers.done("/")
    refused = pieces.deal()
    return answers.refused(refused, screen, "deal") if refused else answers.done(f"/{screen.page}")


def _page() -> None:
    """There is nothing here where the pieces have no page."""
    if not room().play_page:
        abort(404)


def _pieces() -> Pieces:
    return room().pieces or abort(404)


def _move(pieces: Pieces, screen: Screen, do: str, fields: dict[str, object]) -> Refusal | None:
    """Move the pieces if the game waits for it; a refusal leaves them where they are."""
    view = room().table.view(screen.seat)
    if view is None:
        return refusal("not_started", "", "No game has been started yet.")
    refused = acts.refuse(view, pieces.hand(screen.seat), do, fields)
    if refused is None and not pieces.move(screen.seat, do, **acts.named(do, fields)):
        text = "No reader noticed anything new. Try again, or tap it on the phone page."
        return refusal("unnoticed", "", text)
    return refused
