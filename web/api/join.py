"""Sitting down: a seat for a browser, and the language it reads."""

from flask import session
from msgspec import Struct

from companion.errors import Malformed, Refusal, refusal
from companion.texts import N_
from web import words
from web.api.operations import Api
from web.api.seats import Key, none_yet
from web.room import room
from web.seats import my_browser

api = Api("join", "/api/join")


class Taken(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser sits down; `also`: in addition to the seats that it holds."""

    key: Key
    also: bool = False


class Spoken(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser chooses its language."""

    key: Key
    language: str


@api.post("/seats/<int:seat>", N_("Sit down at a seat."), takes=Taken, example={"key": "6f2c1a"})
def take(seat: int, body: Taken) -> Refusal | None:
    """A seat is taken, if somebody plays from it and nobody holds it."""
    here = room()
    view = here.table.view()
    if view is None:
        return none_yet()
    if not 1 <= seat <= len(view.public.seats):
        return refusal("no_such_seat", "", "Nobody plays at seat {seat}.", seat=seat)
    return here.seats.take(seat, my_browser(), body.also)


@api.post(
    "/language",
    N_("Choose the language of this browser."),
    takes=Spoken,
    example={"key": "6f2c1a", "language": "de"},
)
def speak(body: Spoken) -> None:
    """The cookie remembers it."""
    if body.language not in words.offered():
        text = N_("The field “{field}” is one of {options}.")
        raise Malformed("language", text, options=", ".join(words.offered()))
    session[words.LANGUAGE] = body.language
