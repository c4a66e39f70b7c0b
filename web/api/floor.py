"""Floor operations: what a floor may know of this table, its name, and the call for staff.

Laws: anyone at the table may call staff and take the call back; a call from a seat is that of the
browser that holds it. Only the host names the table, and has it paired with a floor. What a floor
reads has no names of people.
"""

from flask import Response
from msgspec import Struct

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.floor.pairing import PairingAnswer, PairingOffer
from companion.floor.table_on_floor import check_place
from companion.floor.table_state import TableState
from web.api.operation import Api
from web.body_validation import TAPPED, Key, Tapped
from web.context import current_context

api = Api(
    "floor",
    "/api",
    "The table among others: its name, its state for the floor, the call for staff.",
)


class Called(Struct, frozen=True, forbid_unknown_fields=True):
    """A call ends: that of this number, or with 0 any."""

    key: Key
    number: int = 0


class FloorCode(Struct, frozen=True, forbid_unknown_fields=True):
    """The code that the page of a floor shows."""

    key: Key
    code: str


class FloorToRemove(Struct, frozen=True, forbid_unknown_fields=True):
    """A floor by its id; without one, the code that was typed counts no more."""

    key: Key
    floor: str = ""


class TablePlace(Struct, frozen=True, forbid_unknown_fields=True):
    """The name of the table and its place in the room; no name: it is on no floor."""

    key: Key
    name: str
    place: str = ""


@api.get("/floor", N_("What a floor may know of this table now."), gives=TableState, name="state")
def get_floor_state() -> TableState:
    """Return the state of the table for the floor."""
    context = current_context()
    return context.floor.read_state(context.table)


@api.post(
    "/floor/call",
    N_("Call staff to the table."),
    takes=Tapped,
    example=TAPPED,
    name="call_staff",
)
def call_staff(body: Tapped) -> Refusal | None:
    """Call staff from the table screen; the call replaces an older one."""
    return _call_staff(0)


@api.post(
    "/floor/call/<int:seat>",
    N_("Call staff to a seat."),
    takes=Tapped,
    example=TAPPED,
    who="seat",
    name="call_staff_to_seat",
)
def call_staff_to_seat(seat: int, body: Tapped) -> Refusal | None:
    """Call staff from the phone of a seat; the call replaces an older one."""
    return _call_staff(seat)


def _call_staff(seat: int) -> Refusal | None:
    context = current_context()
    if not context.floor.place.name:
        text = "This table has no name on a floor: no staff would hear."
        return refusal("no_staff", "T.host", text)
    context.floor.calls.call(seat)
    context.table.notify_watchers()
    return None


@api.post(
    "/floor/call/end",
    N_("End the call for staff: it is answered, or no longer needed."),
    takes=Called,
    example={"key": "6f2c1a", "number": 3},
    name="end_call",
)
def end_call(body: Called) -> None:
    """End the call; a newer one than it was meant for stays."""
    context = current_context()
    if context.floor.calls.answer(body.number):
        context.table.notify_watchers()


@api.post(
    "/floor/pairing",
    N_("Pair with the floor whose code the host has typed; sent by that floor."),
    takes=PairingOffer,
    example={"floor": "0f1e2d3c4b5a", "name": "Bar", "public_key": "d75a980182b10ab7" * 4},
    gives=PairingAnswer,
    name="pair",
)
def pair(body: PairingOffer) -> PairingAnswer | Refusal:
    """Pair with this floor, if it is the one that is waited for; NotWritten on a full disk."""
    context = current_context()
    answer = context.floors.take_offer(body)
    if isinstance(answer, PairingAnswer):
        context.table.notify_watchers()
    return answer


@api.post(
    "/host/floors/await",
    N_("Wait for the floor whose page shows this code, to be paired with it."),
    takes=FloorCode,
    example={"key": "6f2c1a", "code": "ABCD-EFGH-JKLM-NPQR"},
    who="host",
    name="await_floor",
)
def await_floor(body: FloorCode) -> Refusal | None:
    """Wait for the floor of this code for some minutes."""
    context = current_context()
    refused = context.floors.await_floor(body.code)
    context.table.notify_watchers()
    return refused


@api.post(
    "/host/floors/remove",
    N_("Remove a floor: it may do nothing here any more."),
    takes=FloorToRemove,
    example={"key": "6f2c1a", "floor": "0f1e2d3c4b5a"},
    who="host",
    name="remove_floor",
)
def remove_floor(body: FloorToRemove) -> None:
    """Forget a floor and its key; NotWritten if that fails."""
    context = current_context()
    if body.floor:
        context.floors.revoke_floor(body.floor)
    else:
        context.floors.stop_waiting()
    context.table.notify_watchers()


@api.post(
    "/host/place",
    N_("Name the table, and say where in the room it stands."),
    takes=TablePlace,
    example={"key": "6f2c1a", "name": "Table 7", "place": "Window"},
    who="host",
    name="place",
)
def name_table(body: TablePlace) -> Response | Refusal | None:
    """Name the table; NotWritten if it cannot be kept."""
    context = current_context()
    if context.floor.is_fixed:
        return refusal("name_fixed", "T.host", "The config of this table says its name.")
    context.set_place(check_place(body.name, body.place))
    return None
