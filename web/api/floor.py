"""Floor operations: the name of this table, and the call for staff.

Laws: anyone at the table may call staff and take the call back; a call from a seat is that of the
browser that holds it. Only the host names the table.
"""

from msgspec import Struct

from companion.core.errors import Refusal, refusal
from companion.host.settings import check_place
from web.api.operation import Api, Key, Tapped
from web.context import current_context

api = Api("floor", "/api", "The table among others: its name, the call for staff.")


class Called(Struct, frozen=True, forbid_unknown_fields=True):
    """A call ends: that of this number, or with 0 any."""

    key: Key
    number: int = 0


class TablePlace(Struct, frozen=True, forbid_unknown_fields=True):
    """The name of the table and its place in the room; no name: it is on no floor."""

    key: Key
    name: str
    place: str = ""


@api.post("/floor/call", takes=Tapped, name="call_staff")
def call_staff(body: Tapped) -> Refusal | None:
    """Call staff to the table."""
    return _call_staff(0)


@api.post("/floor/call/<int:seat>", takes=Tapped, who="seat", name="call_staff_to_seat")
def call_staff_to_seat(seat: int, body: Tapped) -> Refusal | None:
    """Call staff to a seat."""
    return _call_staff(seat)


def _call_staff(seat: int) -> Refusal | None:
    context = current_context()
    if not context.settings.place.name:
        text = "This table has no name on a floor: no staff would hear."
        return refusal("no_staff", "T.host", text)
    context.floor.calls.call(seat)
    context.table.notify_watchers()
    return None


@api.post("/floor/call/end", takes=Called, name="end_call")
def end_call(body: Called) -> None:
    """End the call for staff."""
    context = current_context()
    if context.floor.calls.answer(body.number):
        context.table.notify_watchers()


@api.post("/host/place", takes=TablePlace, who="host", name="place")
def name_table(body: TablePlace) -> Refusal | None:
    """Set the table's name and its place in the room."""
    context = current_context()
    if context.settings.is_place_fixed:
        text, name = "The config of this table says its name: {name}.", context.settings.place.name
        return refusal("name_fixed", "T.host", text, name=name)
    context.set_place(check_place(body.name, body.place))
    return None
