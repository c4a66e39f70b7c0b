"""Handing a seat over: a guest who goes home gives it to the next newcomer, or to a bot.

Laws: everyone sees that a seat is offered and that it has changed hands, but nothing of its hand,
which the new holder alone gets to see. A hand that only the old phone can open stays with it.
"""

from typing import Literal

from msgspec import Struct

from companion.core.errors import Refusal, refusal
from web.api import host_seats, seats
from web.api.operation import Api, Key
from web.context import current_context

api = Api("handover", "/api", "Going home: a seat for the next newcomer, or for a bot.")


class HandedOver(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to play from a seat: the next newcomer, a bot, or as before its present player."""

    key: Key
    to: Literal["newcomer", "bot", "stay"]


EXAMPLE = {"key": "6f2c1a", "to": "newcomer"}


@api.post(
    "/join/seats/<int:seat>/handover",
    takes=HandedOver,
    who="seat",
    example=EXAMPLE,
    name="own",
)
def hand_over_own_seat(seat: int, body: HandedOver) -> Refusal | None:
    """Offer the own seat to the next newcomer or to a bot, or keep it."""
    return _hand_over(seat, body.to)


@api.post(
    "/host/seats/<int:seat>/handover",
    takes=HandedOver,
    who="host",
    example=EXAMPLE,
    name="any",
)
def hand_over_any_seat(seat: int, body: HandedOver) -> Refusal | None:
    """Offer a seat to the next newcomer, hand it to a bot, or leave it as it is."""
    return host_seats.check_seat(seat) or _hand_over(seat, body.to)


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
