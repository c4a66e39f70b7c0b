"""Host operations: becoming the host, the table's language and calm mode; and handing seats over.

Laws: becoming the host is for anyone who answers a pass or asks for a button. The host sees nothing
of what is held at a seat. Everyone sees that a seat is offered and that it has changed hands, but
nothing of its hand, which the new holder alone gets to see. A hand that only the old phone can open
stays with it.
"""

from pathlib import Path
from typing import Annotated, Literal

from flask import Response
from msgspec import Meta, Struct

from companion.core.durable_files import MAYBE_SENTENCE, not_written
from companion.core.errors import MaybeWritten, Refusal, refusal
from companion.host.host_pass import FILE
from web.api import seats
from web.api.operation import Api, Key, Paced, Spoken, Tapped
from web.browsers import browser_id
from web.context import AppContext, current_context, require_host
from web.pages.join import seat_names
from web.rendering import languages
from web.rendering.invite import end_stale_offer

api = Api(
    "host",
    "/api/host",
    "The host: who is it, and the language of the table.",
)


class PassAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The SHA-256, in hexadecimal, of a pass and the public key of the asking browser."""

    key: Key
    answer: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Quiet(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the table is calm."""

    key: Key
    calm: bool


@api.post("/pass", takes=PassAnswer, name="use_pass")
def use_pass(body: PassAnswer) -> Response | Refusal:
    """Become the host by a one-time pass: send the hash of the pass and the own public key."""
    context, host, browser = current_context(), require_host(), browser_id()
    end_stale_offer(context)
    try:
        is_used = host.host_pass.use_answer(body.answer, _public_key(context, browser))
    except OSError as error:
        raise not_written(Path(FILE), error) from None
    if is_used:
        host.sessions.admit_by_pass(browser)
        end_stale_offer(context)
        host.table.notify_watchers()
    elif not host.sessions.is_host(browser):
        text = "This link no longer counts: it was used, or a newer one was made."
        return refusal("pass_gone", "T.host", text)
    return Response(status=204)


def _public_key(context: AppContext, browser: str) -> bytes:
    return context.browsers.identity.public_key(browser) or b""


@api.post("/ask", takes=Tapped)
def ask(body: Tapped) -> None:
    """Ask to become the host when a seat's button is held for six seconds."""
    require_host().sessions.ask(browser_id())


@api.post("/session/end", takes=Tapped, who="host")
def sign_out(body: Tapped) -> None:
    """Sign this browser out."""
    require_host().sessions.sign_out(browser_id())
    current_context().table.notify_watchers()


@api.post("/session/end-all", takes=Tapped, who="host")
def sign_all_out(body: Tapped) -> None:
    """Sign out every host, this one as well, and end every pass."""
    host = require_host()
    host.sessions.sign_all_out()
    try:
        host.host_pass.revoke_all()
    except OSError as error:
        raise MaybeWritten(FILE, MAYBE_SENTENCE) from error
    host.table.notify_watchers()


@api.post("/language", takes=Spoken, who="host", name="speak")
def set_table_language(body: Spoken) -> None:
    """Set the language of the table screen, and of browsers that ask for none of ours."""
    current_context().set_language(languages.check_language(body.language))


@api.post("/calm", takes=Quiet, who="host", name="calm")
def set_calm(body: Quiet) -> None:
    """Set calm mode: no sound, no motion, every result told at once."""
    current_context().set_calm(body.calm)


sitting_api = Api(
    "sitting",
    "/api/host",
    "Who plays, as the host decides it: seats freed, taken over, moved, given away; bots' haste.",
)


class Moved(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat to swap players with."""

    key: Key
    to: int


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The guest who gets a seat."""

    key: Key
    guest: int


@sitting_api.post("/seats/<int:seat>/free", takes=Tapped, who="host", name="free")
def free_seat(seat: int, body: Tapped) -> None:
    """Free a seat."""
    current_context().seats.free_seat(seat)


@sitting_api.post("/seats/<int:seat>/take", takes=Tapped, who="host", name="take")
def take_over_seat(seat: int, body: Tapped) -> Refusal | None:
    """Take over any seat with this browser, even a taken one."""
    refused = check_seat(seat)
    if refused is None:
        name = seat_names(current_context())[seat - 1]
        current_context().seats.claim_seat(seat, browser_id(), name)
    return refused


@sitting_api.post("/seats/<int:seat>/move", takes=Moved, who="host", name="move")
def move_player(seat: int, body: Moved) -> Refusal | None:
    """Swap the players of two seats."""
    refused = check_seat(seat) or check_seat(body.to)
    if refused is None:
        current_context().seats.swap_seats(seat, body.to)
    return refused


@sitting_api.post("/seats/<int:seat>/give", takes=Given, who="host", name="give")
def give_seat(seat: int, body: Given) -> Refusal | None:
    """Give a seat to a waiting guest."""
    return check_seat(seat) or current_context().seats.give_seat(seat, body.guest)


@sitting_api.post("/guests/<int:guest>/dismiss", takes=Tapped, who="host", name="dismiss")
def dismiss_guest(guest: int, body: Tapped) -> None:
    """Send a waiting guest away."""
    current_context().seats.dismiss_guest(guest)


@sitting_api.post("/bots", takes=Paced, who="host", name="bots")
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


handover_api = Api("handover", "/api", "Going home: a seat for the next newcomer, or for a bot.")


class HandedOver(Struct, frozen=True, forbid_unknown_fields=True):
    """The next player of a seat: the next newcomer, a bot, or its present player."""

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
