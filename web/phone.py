"""The phone: what is asked of the seat that this browser holds, and its answers."""

from flask import Blueprint, Response, make_response, redirect, request

from companion.door import Author
from companion.errors import Malformed
from web import answers, forms
from web.room import room
from web.screens import my_screen, show

blueprint = Blueprint("phone", __name__, url_prefix="/phone", template_folder="templates")


@blueprint.get("")
def page() -> Response:
    """The phone page, or the choice of a seat for whoever has none."""
    screen = my_screen("phone")
    return show(screen) if screen.seat else make_response(redirect("/", 303))


@blueprint.post("/do")
def do() -> Response:
    """Ask for an event in the name of this seat."""
    screen, asked = my_screen("phone"), request.form.get(forms.DO, "")
    if not screen.seat:
        return answers.done("/")
    table = room().table
    try:
        event = forms.event(*forms.read(request.form), screen.seat, table.rules)
    except Malformed as malformed:
        return answers.malformed(malformed, screen, asked)
    refused = table.request(event, Author(screen.seat, f"phone {screen.seat}"))
    return answers.refused(refused, screen, asked) if refused else answers.done("/phone")
