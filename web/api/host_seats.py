"""Seat operations of the host: free, take over, move and give seats; the pace of the bots.

Law: the host moves people between seats, and sees nothing of what they hold there.
"""

from msgspec import Struct

from companion.core.errors import Refusal, refusal
from web.api.operation import PACED, TAPPED, Api, Key, Paced, Tapped
from web.browsers import browser_id
from web.context import current_context
from web.pages.join import seat_names

api = Api(
    "sitting",
    "/api/host",
    "Who plays, as the host decides it: seats freed, taken over, moved, given away; bots' haste.",
)


class Moved(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat with which another one swaps its player."""

    key: Key
    to: int


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The guest who gets a seat."""

    key: Key
    guest: int


@api.post("/seats/<int:seat>/free", takes=Tapped, example=TAPPED, who="host", name="free")
def free_seat(seat: int, body: Tapped) -> None:
    """Free a seat."""
    current_context().seats.free_seat(seat)


@api.post("/seats/<int:seat>/take", takes=Tapped, example=TAPPED, who="host", name="take")
def take_over_seat(seat: int, body: Tapped) -> Refusal | None:
    """Take over any seat with this browser, even a taken one."""
    refused = check_seat(seat)
    if refused is None:
        current_context().seats.claim_seat(seat, browser_id(), _player_name(seat))
    return refused


@api.post(
    "/seats/<int:seat>/move",
    takes=Moved,
    example={"key": "6f2c1a", "to": 2},
    who="host",
    name="move",
)
def move_player(seat: int, body: Moved) -> Refusal | None:
    """Swap the players of two seats."""
    refused = check_seat(seat) or check_seat(body.to)
    if refused is None:
        current_context().seats.swap_seats(seat, body.to)
    return refused


@api.post(
    "/seats/<int:seat>/give",
    takes=Given,
    example={"key": "6f2c1a", "guest": 1},
    who="host",
    name="give",
)
def give_seat(seat: int, body: Given) -> Refusal | None:
    """Give a seat to a waiting guest."""
    return check_seat(seat) or current_context().seats.give_seat(seat, body.guest)


@api.post("/guests/<int:guest>/dismiss", takes=Tapped, example=TAPPED, who="host", name="dismiss")
def dismiss_guest(guest: int, body: Tapped) -> None:
    """Send a waiting guest away."""
    current_context().seats.dismiss_guest(guest)


@api.post("/bots", takes=Paced, example=PACED, who="host", name="bots")
def set_bot_pace(body: Paced) -> Refusal | None:
    """Set the speed of the bots."""
    simulation = current_context().simulation
    if simulation is None:
        return refusal("no_bots", "T.host", "No bots play at a real table.")
    simulation.bots.set_pace(body.pace)
    return None


def check_seat(seat: int) -> Refusal | None:
    """Return a refusal if this seat is not played."""
    if 1 <= seat <= len(seat_names(current_context())):
        return None
    return refusal("no_such_seat", "T.host", "No one plays at seat {seat}.", seat=seat)


def _player_name(seat: int) -> str:
    return seat_names(current_context())[seat - 1]
