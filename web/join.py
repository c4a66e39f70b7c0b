"""Join: pick a seat and a language. The first page of every phone."""

from flask import Blueprint, Response, abort, request, session

from web import answers, words
from web.room import room
from web.screens import Screen, my_screen, show
from web.seats import my_browser

blueprint = Blueprint("join", __name__, template_folder="templates")


@blueprint.get("/")
def page() -> Response:
    """Who sits where, and which seats are free."""
    return show(_screen())


@blueprint.post("/seats/<int:seat>")
def take(seat: int) -> Response:
    """Sit down at a seat."""
    here = room()
    view = here.table.view()
    if view is None or not 1 <= seat <= len(view.public.seats):
        abort(404)
    refused = here.seats.take(seat, my_browser())
    if refused is not None:
        return answers.refused(refused, _screen(), f"seat {seat}")
    return answers.done("/phone")


@blueprint.post("/language")
def speak() -> Response:
    """Choose the language of this browser."""
    code = request.form.get("language", "")
    if code not in words.offered():
        abort(400)
    session[words.LANGUAGE] = code
    return answers.done("/")


def _screen() -> Screen:
    return my_screen("join")
