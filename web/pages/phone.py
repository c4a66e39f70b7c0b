"""The phone page: the questions to a seat of this browser; and the shared phone, which is handed
from one of its players to the next.

Laws: what only this seat may know is on its page alone, covered until it is held down. The shared
phone shows nothing that only one seat may know, and a cover lies between two seats' pages. On a
phone that holds several seats all their hands open, whichever page is shown. Pieces laid where no
reader works are read from what the seat sees anyway, so that its phone can report them by a tap.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from flask import Blueprint, Response, make_response, redirect

from companion.core.i18n import Message
from companion.games.layout import ShownSpot
from companion.games.open_table import show_own
from companion.games.rulebook import May
from companion.table.wishes import offered_things
from web import responses
from web.browsers import browser_id
from web.context import AppContext, current_context
from web.pages import judge
from web.pages.join import LOBBY, lobby
from web.rendering import parts
from web.rendering.blocks import Block, Layout, lays_out
from web.rendering.game_words import template_words
from web.rendering.parts import GamePart, Mismatches, Opening, Score, Status, VerdictTold
from web.rendering.scene import Facts, GameScene, Scene, Screen, of, of_game
from web.rendering.screens import is_denied, render_screen, requested_screen, session_language

blueprint = Blueprint("phone", __name__)


def unheard_spots(context: AppContext, seat: int) -> list[ShownSpot]:
    """Return the places where this seat laid a card for the game, but no reader works."""
    deaf = deaf_spots(context, seat)
    return [one for one in deaf if one.wanted and any(piece.astray for piece in one.lies)]


def goes_unheard(context: AppContext, seat: int) -> bool:
    """Return whether a simulated piece that this seat may move goes where no reader works."""
    return any(one.welcome for one in deaf_spots(context, seat))


def deaf_spots(context: AppContext, seat: int) -> list[ShownSpot]:
    """Return the places without a working reader, as this seat sees them."""
    deaf = deaf_places(context)
    spots = context.simulation.hands.visible_spots(seat) if context.simulation and deaf else ()
    return [one for one in spots if one.kind == "place" and one.number in deaf]


def deaf_places(context: AppContext) -> set[int]:
    """Return the places without a working reader, and those whose cable is pulled just now, at a
    simulated table."""
    if context.simulation is None:
        return set()
    view = context.table.view()
    by_hand = view.table.by_hand if view is not None else ()
    return {*by_hand, *context.simulation.faults.faults.cable}


@blueprint.get("/phone")
def redirect_to_own_seat() -> Response:
    """Redirect to the browser's seat, to the shared phone if it holds several, else to the
    seats."""
    own = current_context().seats.seats_of(browser_id())
    if len(own) > 1:
        return make_response(redirect("/share", 303))
    return make_response(redirect(f"/phone/{own[0]}" if own else "/", 303))


@blueprint.get("/phone/<int:seat>")
def show_phone(seat: int) -> Response:
    """Show the phone page of a seat."""
    return _show_to_seat(seat, render_screen)


@blueprint.get("/phone/<int:seat>/correct/<int:at>")
def show_phone_correction(seat: int, at: int) -> Response:
    """Show the possible corrections of a moment."""
    return _show_to_seat(seat, partial(judge.show_correction, at=at))


@blueprint.get("/phone/<int:seat>/count")
def show_phone_count(seat: int) -> Response:
    """Show this seat's things by the log, to be counted."""
    return _show_to_seat(seat, judge.show_count)


@blueprint.get("/phone/elsewhere")
def show_wrong_seat() -> Response:
    """Show the choice of a seat, and why this browser was redirected to it.

    The page itself says so if the browser has lost its seat while it was not heard.
    """
    if current_context().seats.handovers.former_seat(browser_id()) is not None:
        return render_screen(requested_screen("join"))
    status, sentence = responses.PERMISSION_ERRORS["not_your_seat"]
    text = template_words(session_language())["_"](sentence)
    return render_screen(requested_screen("join"), text, status)


@blueprint.get("/share")
def show_share() -> Response:
    """Show the player at turn among those on this phone."""
    if not current_context().seats.seats_of(browser_id()):
        return make_response(redirect("/", 303))
    return render_screen(requested_screen("share"))


def _show_to_seat(seat: int, show: Callable[[Screen], Response]) -> Response:
    """Return a page of this seat; redirect a browser that does not hold it to the seats."""
    screen = requested_screen("phone", seat)
    return make_response(redirect("/phone/elsewhere", 303)) if is_denied(screen) else show(screen)


# What the page is drawn from.


def find_owner(scene: Scene) -> str:
    """Return the name of the player whose phone this is."""
    if scene.players:
        return scene.words.name_player(scene.players[scene.seat - 1])
    return lobby(scene.context, scene.screen)[scene.seat - 1].name if scene.seat else ""


class PhonePage(Facts, frozen=True):
    """Facts around the part that follows the game."""

    name: str = of(find_owner)


def find_admitted(scene: Scene) -> str:
    """Return whether a held button made this phone the host's ("sitter"), or none ("several")."""
    shown = scene.context.host.host_pass.shown_pass() if scene.context.host else None
    if shown is None or (shown.admitted == "sitter" and shown.seat != scene.seat):
        return ""
    return shown.admitted


class HeldOn(Facts, frozen=True):
    """The outcome of a held button, as far as it concerns this phone."""

    admitted: str = of(find_admitted)


HELD_ON = Block("phone/held_on.html", HeldOn.find)


class PhoneOwner(Facts, frozen=True):
    """Whose phone this is, and the other seats that play from it."""

    key: str = of_game(lambda s: s.me.name)
    own: list[int] = of_game(lambda s: s.own_seats)
    seat: int = of_game(lambda s: s.seat)


class PhoneResult(Facts, frozen=True):
    """The newest verdict, for this seat."""

    key: str = of_game(lambda s: s.me.name)
    frozen: int = of_game(lambda s: s.table.frozen)
    is_scored: bool = of_game(lambda s: s.held_scene.view.shows_end)
    """Whether the end is shown; not while the last verdict is told."""
    verdict: VerdictTold = of_game(VerdictTold.find)


def is_taken_for(scene: GameScene) -> bool:
    """Return whether the table takes for this seat by its wish."""
    wish = scene.context.wishes.read(scene.public.id, scene.seat)
    return bool(wish and wish.is_active) and not (scene.is_over or scene.table.ended)


def is_short_question(scene: GameScene) -> bool:
    """Return whether the question to this seat is a short one."""
    short = scene.screens.short_phases
    return scene.is_asked and (not scene.is_sealing if short is None else scene.phase in short)


def find_done(scene: GameScene) -> tuple[int, ...]:
    """Return the seats that have done with their hand what the phase asks."""
    is_opening = scene.phase == "open"
    seats = enumerate(scene.public.seats, 1) if scene.hands_shown else ()
    return tuple(n for n, seat in seats if (seat.open if is_opening else seat.closed))


class Question(Facts, frozen=True):
    """The question to this seat, and the progress of the others."""

    woken: int = of_game(lambda s: s.table.woken)
    is_stopped: bool = of_game(lambda s: s.table.is_stopped)
    phase: str = of_game(lambda s: s.phase)
    is_open: bool = of_game(lambda s: s.me.open)
    seal: str | None = of_game(lambda s: s.me.seal)
    asked: bool = of_game(lambda s: s.is_asked)
    is_short: bool = of_game(is_short_question)
    waited_for: tuple[int, ...] = of_game(lambda s: () if s.is_asked else s.waiting)
    waiting: tuple[int, ...] = of_game(lambda s: s.waiting if s.phase == "open" else ())
    """The seats that are waited for, while hands open."""
    done: tuple[int, ...] = of_game(find_done)
    """The seats that have closed their hand, or opened it while hands open."""
    has_turn: bool = of_game(lambda s: s.has_turn)
    requests: Sequence[May] = of_game(lambda s: s.view.may)
    own: list[int] = of_game(lambda s: s.own_seats)
    taps_only: bool = of_game(lambda s: s.is_tap_only)
    bots_help: bool = of_game(lambda s: s.do_bots_help)
    unheard: list[ShownSpot] = of_game(lambda s: unheard_spots(s.context, s.seat))
    deaf: bool = of_game(lambda s: goes_unheard(s.context, s.screen.seat))
    is_by_hand: bool = of_game(lambda s: bool(s.places_without_reader))
    requests_url: str = of_game(lambda s: s.requests_url)
    laying: Message | None = of_game(lambda s: s.table.laying)
    is_taken_for: bool = of_game(is_taken_for)
    is_sealing: bool = of_game(lambda s: s.is_sealing)
    relays: bool = of_game(lambda s: s.is_sealing and s.phase != "seal")
    status: Status = of_game(Status.find)
    opening: Opening = of_game(Opening.find)
    bid: GamePart | None = of_game(
        lambda s: GamePart(s.screens.bid(s.view)) if s.is_sealing else None
    )


class ShownWishes(msgspec.Struct, frozen=True):
    """This seat's order of preference, and whether the table takes by it."""

    order: tuple[str, ...]
    is_active: bool


def show_wishes(scene: GameScene) -> ShownWishes | None:
    """Return the wish of a seat, or one to begin with while it is asked for one; else None."""
    context, seat = scene.context, scene.seat
    rules, state = context.table.rules, context.table.state
    if state is None or scene.is_over or scene.table.ended:
        return None
    is_active = is_taken_for(scene)
    if not is_active and not offered_things(rules, state, seat):
        return None
    return ShownWishes(context.wishes.order_things(rules, state, seat), is_active)


class Wishes(Facts, frozen=True):
    """This seat's order of preference; None where it is not asked for one."""

    wishes: ShownWishes | None = of_game(show_wishes)
    seat: int = of_game(lambda s: s.seat)


class PrivatePart(Facts, frozen=True):
    """Private facts of this seat, and its hand."""

    me: Any = of_game(lambda s: s.me)
    seat: int = of_game(lambda s: s.seat)
    game_id: str = of_game(lambda s: s.public.id)
    round: int = of_game(lambda s: s.public.round)
    private: GamePart = of_game(lambda s: GamePart(show_own(s.view)))


def is_idle(scene: GameScene) -> bool:
    """Return whether the game goes on, and asks others than this seat."""
    asked = scene.public.waiting
    return bool(asked) and scene.seat not in asked and not scene.is_over


class OwnThings(Facts, frozen=True):
    """My things: the hand that opens, or my possessions while others play."""

    opens: bool = of_game(lambda s: s.phase == "open" and s.me.closed)
    is_idle: bool = of_game(is_idle)
    private: PrivatePart = of_game(PrivatePart.find)


class GoHome(Facts, frozen=True):
    """Whether this seat can be handed on."""

    is_closed: bool = of_game(lambda s: s.me.closed and not s.me.open)
    is_over: bool = of_game(lambda s: s.is_over)
    ended: bool = of_game(lambda s: s.table.ended)
    seat: int = of_game(lambda s: s.seat)


class PhoneFrame(Facts, frozen=True):
    """Blocks of the phone page."""

    is_over: bool = of_game(lambda s: s.is_over)
    is_scored: bool = of_game(lambda s: s.view.shows_end)
    board: GamePart = of_game(lambda s: GamePart(s.screens.board(s.view)))


@lays_out("phone")
def lay_out_phone(game: str) -> Layout:
    """Return the layout of the phone of a seat."""
    around = Block("phone/page.html", PhonePage.find)
    if not game:
        blocks = {"held_on": HELD_ON, "staff": parts.STAFF, "lobby": LOBBY}
        return Layout(around, Block("shared/lobby_frame.html"), blocks)
    blocks = {
        "held_on": HELD_ON,
        "me": Block("phone/me.html", PhoneOwner.find),
        "result": Block("phone/result.html", PhoneResult.find),
        "ask": Block("phone/ask.html", Question.find),
        "wishes": Block("phone/wishes.html", Wishes.find),
        "mine": Block("phone/mine.html", OwnThings.find),
        "score": Block("phone/score.html", Score.find, held=True),
        "mismatches": Block("shared/mismatches.html", Mismatches.find),
        **parts.game_blocks(game),
        "log": Block("shared/log.html", parts.Log.find, folded=True, held=True),
        "go_home": Block("phone/go_home.html", GoHome.find),
        "private": Block("phone/private.html", PrivatePart.find, held=True),
    }
    return Layout(around, Block("phone/live.html", PhoneFrame.find, held=True), blocks)


# The phone that several share.


class NextHand(Facts, frozen=True):
    """The next player on this phone, and the hands that open here by themselves."""

    phase: str = of_game(lambda s: s.phase)
    own: list[int] = of_game(lambda s: s.own_seats)
    waiting: tuple[int, ...] = of_game(lambda s: s.waiting)
    is_stopped: bool = of_game(lambda s: bool(s.table.frozen or s.table.paused))
    all_seats: Sequence[Any] = of_game(lambda s: s.public.seats)
    status: Status = of_game(Status.find)
    opening: Opening = of_game(Opening.find)


class SharedResult(Facts, frozen=True):
    """The newest verdict, or the end of the game."""

    score: Score = of_game(Score.find)
    verdict: VerdictTold = of_game(VerdictTold.find)


class Covers(Facts, frozen=True):
    """The seats with a cover."""

    own: list[int] = of_game(lambda s: s.own_seats)


@lays_out("share")
def lay_out_share(game: str) -> Layout:
    """Return the layout of a phone that several share."""
    around = Block("share/page.html")
    if not game:
        return Layout(around, Block("shared/lobby_frame.html"), {"lobby": LOBBY})
    blocks = {
        **parts.game_blocks(game),
        "ask": Block("share/ask.html", NextHand.find),
        "result": Block("share/result.html", SharedResult.find),
    }
    return Layout(around, Block("share/live.html", Covers.find, held=True), blocks)
