"""Operations at a simulated table: move pieces, press buttons, cause faults, drive bots.

Laws: nothing here tells the game anything; a piece is moved, and only what a reader sees counts. To
begin a game out of the demo, the browser first gets a free seat, so that no bot plays from there,
and loses it again if the game cannot begin. At a table with real cards there is no such game.
"""

from typing import TYPE_CHECKING, Annotated

from flask import abort
from msgspec import Meta, Struct

from companion.core.errors import Refusal, refusal
from companion.games import game_names, make_rulebook
from companion.games.layout import Fault
from companion.games.new_game import no_such_box
from companion.host.table_source import LoopBusy
from companion.seating.names import clean_name
from web.api.operation import Api, Key, Paced, Tapped
from web.api.seats import check_hand, no_view_refusal
from web.browsers import browser_id
from web.context import current_context
from web.pages.join import seat_names

if TYPE_CHECKING:
    from companion.app.simulated.bot_driver import BotDriver
    from companion.app.simulated.simulation import Simulation

api = Api(
    "play",
    "/api/play",
    "What hands do at a simulated table: move pieces, press buttons, break things, have bots play.",
)
demo_api = Api(
    "demo",
    "/api/demo",
    "Out of the demo: a person touches the table screen, and one tap begins a game with bots.",
)

SpotName = Annotated[str, Meta(pattern="^[a-z]{1,16}(-[0-9]{1,2})?$")]
Number = Annotated[int, Meta(ge=0, le=100)]


class Lifted(Struct, frozen=True, forbid_unknown_fields=True):
    """The nth piece of a spot, counted from 1."""

    key: Key
    spot: SpotName
    n: Number


class Put(Struct, frozen=True, forbid_unknown_fields=True):
    """A spot of the table."""

    key: Key
    spot: SpotName


class ButtonPress(Struct, frozen=True, forbid_unknown_fields=True):
    """A button, pressed shortly or held down."""

    key: Key
    held: bool = False


class Broken(Struct, frozen=True, forbid_unknown_fields=True):
    """A fault: at a place, at a seat, or in percent; mended where it is not `on`."""

    key: Key
    fault: Fault
    at: Number = 0
    on: bool = True


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Another game, or the same for more people or fewer."""

    key: Key
    seats: Number
    game: str = ""


class SeatChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of this game."""

    key: Key
    seat: Number


@api.post("/<int:seat>/lift", takes=Lifted, who="hands", name="lift")
def lift_piece(seat: int, body: Lifted) -> Refusal | None:
    """Pick up a piece of a simulated table."""
    return _check_seat(seat) or _simulation().hands.lift_piece(seat, body.spot, body.n)


@api.post("/<int:seat>/put", takes=Put, who="hands", name="put")
def put_piece(seat: int, body: Put) -> Refusal | None:
    """Put down the piece that was picked up."""
    return _check_seat(seat) or _simulation().hands.put_down(seat, body.spot)


@api.post("/<int:seat>/turn", takes=Lifted, who="hands", name="turn")
def turn_piece(seat: int, body: Lifted) -> Refusal | None:
    """Lift a piece, turn it over, and put it back."""
    return _check_seat(seat) or _simulation().hands.turn_over(seat, body.spot, body.n)


@api.post("/<int:seat>/press", takes=ButtonPress, who="hands", name="press")
def press_button(seat: int, body: ButtonPress) -> Refusal | None:
    """Press the button of a seat at a simulated table, or hold it down."""
    return _simulation().hands.press_button(seat, body.held)


@api.post("/<int:seat>/faults", takes=Broken, who="hands", name="faults")
def set_fault(seat: int, body: Broken) -> Refusal | None:
    """Break or mend something at a simulated table."""
    return _simulation().faults.switch_fault(body.fault, body.at, body.on)


@api.post("/<int:seat>/bots", takes=Paced, who="hands", name="bots")
def set_bot_speed(seat: int, body: Paced) -> None:
    """Set the speed of the bots."""
    _simulation().bots.set_pace(body.pace)


@api.post("/<int:seat>/seats", takes=Wanted, who="hands", name="seats")
def lay_out_game(seat: int, body: Wanted) -> Refusal | None:
    """End the game at a simulated table, and lay out another one."""
    return _simulation().bots.change_game(body.game or current_context().game, body.seats)


@api.post("/<int:seat>/take", takes=SeatChoice, who="hands", name="take")
def take_bot_seat(seat: int, body: SeatChoice) -> Refusal | None:
    """Take over the seat of a bot with this browser."""
    n, seats = body.seat, current_context().seats
    return _check_seat(n) or seats.take_seat(
        n, browser_id(), keep_others=True, name=seat_names(current_context())[n - 1]
    )


@api.post("/<int:seat>/give", takes=SeatChoice, who="hands", name="give")
def return_seat_to_bot(seat: int, body: SeatChoice) -> Refusal | None:
    """Give the own seat, or a silent one, back to its bot."""
    refused, seats = _check_seat(body.seat), current_context().seats
    if refused is None and not seats.may_move(browser_id(), body.seat):
        if body.seat not in seats.unheard_seats():
            return refusal("not_held", "", "This browser does not play from that seat.")
        refused = check_hand(body.seat)
    if refused is None:
        _simulation().bots.leave_seat(body.seat)
    return refused


def _simulation() -> "Simulation":
    return current_context().simulation or abort(404)


def _check_seat(seat: int) -> Refusal | None:
    """Return a refusal if this seat is not played."""
    return no_view_refusal(seat) if not 1 <= seat <= current_context().table.seats else None


class Gathered(Struct, frozen=True, forbid_unknown_fields=True):
    """A box is chosen, and perhaps a name was typed before."""

    key: Key
    game: str
    name: str = ""


@demo_api.post("/touched", takes=Tapped, name="touch")
def touch_screen(body: Tapped) -> None:
    """Touch the table screen: a demo gives way to the table."""


@demo_api.post("/games", takes=Gathered, name="gather")
def begin_demo_game(body: Gathered) -> Refusal | None:
    """Sit down and begin a game with bots at a simulated table."""
    context, simulation = current_context(), current_context().simulation
    if simulation is None:
        return refusal(
            "real_cards", "", "The cards of this table are real: its host begins a game."
        )
    refused = _check_can_begin(body.game)
    if refused is not None:
        return refused
    sits = context.seats.seats_of(browser_id())
    bots = simulation.bots
    if sits:
        return bots.begin_with_bots(body.game)
    return _sit_and_begin(bots, body.game, body.name and clean_name(body.name))


def _check_can_begin(game: str) -> Refusal | None:
    """Return the reason a game of this box cannot begin now."""
    if game not in game_names():
        return no_such_box(game)
    if not current_context().table.history.is_over:
        return refusal("under_way", make_rulebook(game).start_rule, "A game is under way.")
    return None


def _sit_and_begin(bots: "BotDriver", game: str, name: str) -> Refusal | None:
    """Take the first free seat under this name and begin; free it again if that is refused."""
    seats = current_context().seats
    guest, taken = seats.guest_of(browser_id()), seats.taken_seats()
    free = (n for n in range(1, make_rulebook(game).box.players.most + 1) if n not in taken)
    seat = next(free, 0)
    if not seat:
        return refusal("no_seat", "", "Every seat is taken.")
    refused = seats.take_seat(seat, browser_id(), name=guest.name if guest else name)
    if refused is None:
        try:
            refused = bots.begin_with_bots(game)
        except LoopBusy:
            seats.free_seat(seat)
            raise
        if refused is not None:
            seats.free_seat(seat)
    return refused
