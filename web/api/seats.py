"""What a seat may see and ask for: its view, and its requests to the table."""

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.table.permissions import Author
from companion.table.view import View
from web import forms
from web.api.asking import ASKED, Asked
from web.api.operation import Api
from web.context import room

api = Api("seats", "/api")


@api.get("/table", N_("What everyone at the table may know now."), gives=View)
def everyone() -> View | Refusal:
    """The view of the table screen."""
    return room().table.view() or none_yet()


@api.get("/seats/<int:seat>", N_("What a seat may know now."), gives=View, who="seat")
def seat(seat: int) -> View | Refusal:
    """The view of a seat, for the browser that holds it."""
    return room().table.view(seat) or none_yet(seat)


def none_yet(seat: int = 0) -> Refusal:
    """There is nothing to see before the first game, nor at a seat from which nobody plays."""
    if seat and seat > room().table.seats > 0:
        return refusal("no_such_seat", "", "Nobody plays at seat {seat}.", seat=seat)
    return refusal("not_started", "", "No game has been started yet.")


@api.post(
    "/seats/<int:seat>/requests",
    N_("Ask for something to happen, in the name of a seat."),
    takes=Asked,
    who="seat",
    example=ASKED,
)
def ask(seat: int, body: Asked) -> Refusal | None:
    """Through the door of the table; its journal remembers the key."""
    table = room().table
    event = forms.event(body.event, seat, table.rules)
    return table.request(event, Author(seat, f"phone {seat}"), body.version, body.key)
