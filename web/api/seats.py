"""Seat operations: the view of a seat, its requests to the table, and joining.

Law: a browser that keeps no cookie would be another one at its next request, so it is told at once
and gets no seat that it could not play from.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.errors import Malformed, Refusal, refusal
from companion.core.i18n import N_, Message
from companion.core.table_events import PlaceChosen
from companion.seating.names import clean_name
from companion.seating.waiting import Guest
from companion.table.permissions import HOST_AUTHOR, Author
from companion.table.view import View
from companion.table.wishes import Wish, find_taking_rows
from web.api.operation import Api, Asked, Key, Spoken, Tapped, parse_event
from web.browsers import browser_id
from web.context import current_context
from web.pages.join import ShownSeat, lobby, seat_names
from web.rendering import languages
from web.rendering.parts import holds_closed_hand
from web.rendering.screens import (
    choose_language,
    requested_names,
    requested_place,
    requested_screen,
)

api = Api(
    "seats",
    "/api",
    "What a seat may see and ask for: its view, and its requests to the table.",
)
join_api = Api(
    "join",
    "/api/join",
    "Coming in: a name, a seat for a browser, and the language it reads.",
)


REFUSED_MOVE = N_("Your move was refused. {use}")


@api.get("/table", gives=View, name="everyone")
def get_table_view() -> View | Refusal:
    """Return the public view of the table."""
    return _with_names(current_context().table.view()) or failure_refusal() or no_view_refusal()


@api.get("/seats/<int:seat>", gives=View, who="seat", name="seat")
def get_seat_view(seat: int) -> View | Refusal:
    """Return the view of a seat."""
    view = _with_names(current_context().table.view(seat))
    return view or failure_refusal() or no_view_refusal(seat)


def _with_names(view: View | None) -> View | None:
    return view and replace(view, names=requested_names())


def failure_refusal() -> Refusal | None:
    """Return the refusal of a view that could not be made, or None."""
    table = current_context().table
    fault = table.faults.game_fault if table.seats else None
    return None if fault is None else Refusal("failed", "T.end", fault)


def no_view_refusal(seat: int = 0) -> Refusal:
    """Return the reason there is no view: no game was started, or this seat is not played."""
    if seat and seat > current_context().table.seats > 0:
        return refusal("no_such_seat", "", "No one plays at seat {seat}.", seat=seat)
    return refusal("not_started", "", "No game has been started yet.")


@api.post("/seats/<int:seat>/requests", takes=Asked, who="seat", name="ask")
def request_seat_event(seat: int, body: Asked) -> Refusal | None:
    """Request an event in the name of a seat."""
    table = current_context().table
    event = parse_event(body.event, table.rules, seat)
    refused = table.request(event, Author(seat, f"phone {seat}"), body.version, body.key)
    if refused is None or refused.code == "failed":
        return refused
    say = Message(REFUSED_MOVE, {"use": refused.say})
    return Refusal(refused.code, refused.rule, say)


@api.post("/table/requests", takes=Asked, name="ask_on_screen")
def request_on_screen(body: Asked) -> Refusal | None:
    """Choose the place of the next card, on the screen of the table's own machine."""
    table = current_context().table
    event = parse_event(body.event, table.rules)
    if not isinstance(event, PlaceChosen) or requested_place() != "machine":
        text = "Only the place of the next card can be chosen here, and only at the table itself."
        return refusal("not_on_screen", "T.todo", text)
    return table.request(event, HOST_AUTHOR, body.version, body.key)


class WishedOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """An order of preference, and whether the table takes by it from now on."""

    key: Key
    order: tuple[str, ...]
    active: bool


@api.post("/seats/<int:seat>/wishes", takes=WishedOrder, who="seat", name="wish")
def set_wish(seat: int, body: WishedOrder) -> Refusal | None:
    """Set the order of preference by which the table takes for this seat."""
    context = current_context()
    rules, state = context.table.rules, context.table.state
    if state is None or context.table.view(seat) is None:
        return no_view_refusal(seat)
    if not find_taking_rows(rules):
        return refusal("no_wishes", "", "In this game the table takes nothing for a player.")
    if sorted(body.order) != sorted(context.wishes.order_things(rules, state, seat)):
        raise Malformed("order", N_("The field “{field}” cannot be read."))
    wish = Wish(body.order, body.active, context.seats.holder_of(seat))
    context.wishes.keep(state.id, seat, wish)
    context.table.notify_watchers()
    return None


class JoinOptions(Struct, frozen=True):
    """The door as a browser sees it: every seat, its own, and the one it waits for."""

    chairs: list[ShownSeat]
    own: tuple[int, ...]
    open_house: bool
    waiting: Guest | None
    asked: tuple[int, ...]
    """The seats whose button was pressed, perhaps by this browser's player."""


class Knocked(Struct, frozen=True, forbid_unknown_fields=True):
    """A new guest; `also`: for another seat, in addition to those of this browser."""

    key: Key
    name: str
    also: bool = False


class SatDown(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser wants a seat; `also`: in addition to the seats that it holds."""

    key: Key
    also: bool = False


class YesOrNo(Struct, frozen=True, forbid_unknown_fields=True):
    """Yes or no."""

    key: Key
    answer: Literal["yes", "no"]


@join_api.get("", gives=JoinOptions, name="door")
def get_join_options() -> JoinOptions:
    """Return the seats, and the seat that this browser waits for."""
    context, browser = current_context(), browser_id()
    seats = context.seats
    return JoinOptions(
        lobby(context, requested_screen("join")),
        seats.seats_of(browser),
        seats.open_house,
        seats.guest_of(browser),
        seats.asked_seats(browser),
    )


@join_api.post("/guests", takes=Knocked, name="knock")
def add_guest(body: Knocked) -> Refusal | None:
    """Join under a name, and wait for a seat."""
    return current_context().seats.wait_for_press(browser_id(), clean_name(body.name), body.also)


@join_api.post("/seats/<int:seat>/guests", takes=SatDown, name="want")
def wait_for_seat(seat: int, body: SatDown) -> Refusal | None:
    """Wait for one seat: for its button, or for the phone that holds it."""
    name = _seat_name(seat)
    if isinstance(name, Refusal):
        return name
    guest = current_context().seats.guest_of(browser_id())
    also = body.also or bool(guest and guest.also)
    return current_context().seats.ask_for_seat(browser_id(), seat, name, also)


@join_api.post("/seats/<int:seat>", takes=SatDown, name="take")
def take_free_seat(seat: int, body: SatDown) -> Refusal | None:
    """Take a seat that is free, offered or silent."""
    name, seats = _seat_name(seat), current_context().seats
    if isinstance(name, Refusal):
        return name
    refused = check_hand(seat) if seats.can_claim(browser_id(), seat) else None
    return refused or seats.take_seat(seat, browser_id(), body.also, name)


@join_api.post("/seats/<int:seat>/answers", takes=YesOrNo, name="answer")
def answer_button(seat: int, body: YesOrNo) -> Refusal | None:
    """Confirm or deny having pressed the button of this seat."""
    return current_context().seats.answer_press(browser_id(), seat, body.answer == "yes")


@join_api.post("/seats/<int:seat>/guests/<int:guest>", takes=YesOrNo, who="seat", name="consent")
def answer_guest(seat: int, guest: int, body: YesOrNo) -> Refusal | None:
    """Give the seat of this browser to the phone that asks for it, or keep it."""
    beside = current_context().is_simulated
    return current_context().seats.answer_seat_request(seat, guest, body.answer == "yes", beside)


@join_api.post("/seats/<int:seat>/freed", takes=Tapped, who="seat", name="stand")
def stand_up(seat: int, body: Tapped) -> None:
    """Free the own seat for another phone."""
    current_context().seats.free_seat(seat)


@join_api.post("/left", takes=Tapped, name="leave")
def leave_queue(body: Tapped) -> None:
    """Stop waiting for a seat."""
    current_context().seats.stop_waiting(browser_id())


@join_api.post("/language", takes=Spoken, name="speak")
def set_browser_language(body: Spoken) -> None:
    """Set the language of this browser."""
    choose_language(languages.check_language(body.language))


def _seat_name(seat: int) -> str | Refusal:
    """Return the player's name at a seat, else the name of this guest, or why there is none."""
    context = current_context()
    names, guest = seat_names(context), context.seats.guest_of(browser_id())
    if not 1 <= seat <= len(names):
        return refusal("no_such_seat", "", "No one plays at seat {seat}.", seat=seat)
    name = names[seat - 1] or (guest.name if guest else "")
    if name or context.table.seats:
        return name
    return refusal("no_name", "", "First say who you are.")


def check_hand(seat: int) -> Refusal | None:
    """Refuse a change of hands while the seat holds a hand that only its own phone can open."""
    if not holds_closed_hand(current_context(), seat):
        return None
    text = (
        "Seat {seat} has sealed a choice that only its own phone can reveal. Wait until it has, "
        "or have everyone seal again."
    )
    return refusal("hand_closed", "S.open", text, seat=seat)
