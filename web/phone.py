"""The phone: what is asked of the seat that this browser holds, and its answers."""

from flask import Blueprint, Response, make_response, redirect, request

from companion.door import Author
from companion.errors import Malformed
from web import answers, forms
from web.room import room
from web.screens import Screen, my_screen, show

blueprint = Blueprint("phone", __name__, url_prefix="/phone", template_folder="templates")


@blueprint.get("")
def page() -> Response:
    """The phone page, or the choice of a seat for whoever has none."""
    screen = my_screen("phone")
    return show(screen) if screen.seat else make_response(redirect("/", 303))


@blueprint.post("/do")
def do() -> Response:
    """Ask for an event in the name of this seat."""
    screen, form = _screen(), forms.name(request.form)
    if not screen.seat:
        return answers.done("/")
    table = room().table
    try:
        sent = forms.submission(request.form)
        event = forms.event(*forms.read(request.form), screen.seat, table.rules)
    except Malformed as malformed:
        return answers.malformed(malformed, screen, form)
    author = Author(screen.seat, f"phone {screen.seat}")
    refused = table.request(event, author, sent.version, sent.key)
    return answers.refused(refused, screen, form) if refused else answers.done(f"/{screen.page}")


def _screen() -> Screen:
    """The page whose form this is: the simulated table offers some of the phone's as well."""
    on_play = request.form.get(forms.PAGE) == "play" and room().play_page
    return my_screen("play" if on_play else "phone")
