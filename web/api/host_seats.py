"""Seats that change hands: by the host, who frees, takes over, moves and gives them, and by a guest
who goes home and leaves one to the next newcomer, or to a bot; the pace of the bots.

Laws: the host sees nothing of what is held at a seat. Everyone sees that a seat is offered and that
it has changed hands, but nothing of its hand, which the new holder alone gets to see. A hand that
only the old phone can open stays with it.
"""

from typing import Literal

from msgspec import Struct

from companion.core.errors import Refusal, refusal
from web.api import seats
from web.api.operation import Api, Key, Paced, Tapped
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


@api.post("/seats/<int:seat>/free", takes=Tapped, who="host", name="free")
def free_seat(seat: int, body: Tapped) -> None:
    """Free a seat."""
    current_context().seats.free_seat(seat)


@api.post("/seats/<int:seat>/take", takes=Tapped, who="host", name="take")
def take_over_seat(seat: int, body: Tapped) -> Refusal | None:
    """Take over any seat with this browser, even a taken one."""
    refused = check_seat(seat)
    if refused is None:
        current_context().seats.claim_seat(seat, browser_id(), _player_name(seat))
    return refused


@api.post("/seats/<int:seat>/move", takes=Moved, who="host", name="move")
def move_player(seat: int, body: Moved) -> Refusal | None:
    """Swap the players of two seats."""
    refused = check_seat(seat) or check_seat(body.to)
    if refused is None:
        current_context().seats.swap_seats(seat, body.to)
    return refused


@api.post("/seats/<int:seat>/give", takes=Given, who="host", name="give")
def give_seat(seat: int, body: Given) -> Refusal | None:
    """Give a seat to a waiting guest."""
    return check_seat(seat) or current_context().seats.give_seat(seat, body.guest)


@api.post("/guests/<int:guest>/dismiss", takes=Tapped, who="host", name="dismiss")
def dismiss_guest(guest: int, body: Tapped) -> None:
    """Send a waiting guest away."""
    current_context().seats.dismiss_guest(guest)


@api.post("/bots", takes=Paced, who="host", name="bots")
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


handover_api = Api("handover", "/api", "Going home: a seat for the next newcomer, or for a bot.")


class HandedOver(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to play from a seat: the next newcomer, a bot, or as before its present player."""

    key: Key
    to: Literal["newcomer", "bot", "stay"]


@handover_api.post("/join/seats/<int:seat>/handover", takes=HandedOver, who="seat", name="own")
def hand_over_own_seat(seat: int, body: HandedOver) -> Refusal | None:
    """Offer the own seat to the next newcomer or to a bot, or keep it."""
    return _hand_over(seat, body.to)


@handover_api.post("/host/seats/<int:seat>/handover", takes=HandedOver, who="host", name="any")
def hand_over_any_seat(seat: int, body: HandedOver) -> Refusal | None:
    """Offer a seat to the next newcomer, hand it to a bot, or leave it as it is."""
    return check_seat(seat) or _hand_over(seat, body.to)


def _hand_over(seat: int, to: str) -> Refusal | None:
    if to == "bot":
        return _give_to_bot(seat)
    current_context().seats.offer_seat(seat, on=to == "newcomer")
    return None


def _give_to_bot(seat: int) -> Refusal | None:
    simulation = current_context().simulation
    if simulation is None:
        return refusal("no_bots", "T.host", "No bots play at a real table.")
    refused = seats.check_hand(seat)
    if refused is None:
        simulation.bots.leave_seat(seat)
    return refused
