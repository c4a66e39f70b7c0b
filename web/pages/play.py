"""The simulated table, where a seat moves its own cards, tiles and figure.

Law: nothing here tells the game anything. A piece is moved, a simulated reader sees it, and only
that counts, as on a real table. The page shows a hand, so it is for the browser of that seat alone.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from flask import Blueprint, Response, make_response, redirect

from companion.core.cards import Box
from companion.core.i18n import Message
from companion.games.layout import FINGERS, OWN, Faults, Piece, ShownSpot
from companion.games.open_table import find_face_down
from companion.games.rulebook import May
from companion.tracking.mismatches import Todo
from web.browsers import browser_id
from web.context import current_context
from web.pages.join import LOBBY, all_boxes, show_quick_start
from web.pages.phone import unheard_spots
from web.rendering import parts
from web.rendering.blocks import Block, Layout, lays_out
from web.rendering.invite import Invite
from web.rendering.parts import GamePart, Score, SeatNews, Status, Urgent, VerdictTold
from web.rendering.scene import Facts, GameScene, Scene, of
from web.rendering.screens import render_screen, requested_screen

if TYPE_CHECKING:
    from companion.app.simulated.simulation import Simulation

blueprint = Blueprint("play", __name__, url_prefix="/play")


T = TypeVar("T")


class SpotName(NamedTuple):
    """A spot without its pieces; one that `is_own` belongs to the seat of its number."""

    name: str
    kind: str
    number: int
    is_own: bool


@blueprint.get("")
def redirect_to_own_pieces() -> Response:
    """Redirect to the pieces of this browser, or show the quick start."""
    screen = requested_screen("quick_start")
    own = current_context().seats.seats_moved_by(browser_id())
    return make_response(redirect(f"/play/{own[0]}", 303)) if own else show_quick_start(screen)


@blueprint.get("/<int:seat>")
def show_play(seat: int) -> Response:
    """Show the simulated table as this seat sees it."""
    return render_screen(requested_screen("play", seat))


@blueprint.get("/<int:seat>/lab")
def show_lab(seat: int) -> Response:
    """Show the faults that can be made at the simulated table."""
    return render_screen(requested_screen("lab", seat))


# What the page is drawn from: the only facts with cards that no reader has seen.


def is_phone_away(scene: Scene) -> bool:
    """Return whether another browser than the one that moves these pieces is the seat's phone."""
    seats = scene.context.seats
    return seats.mover_of(scene.seat) != seats.holder_of(scene.seat)


class PlayScene(GameScene, pages=("play", "lab")):
    """Scene of the page, with the pieces as this seat sees them."""

    @cached_property
    def simulation(self) -> "Simulation":
        """The simulated table."""
        assert self.context.simulation is not None
        return self.context.simulation

    @cached_property
    def spots(self) -> Mapping[str, ShownSpot]:
        """Every spot by its name, as this seat sees it."""
        return {spot.name: spot for spot in self.simulation.hands.visible_spots(self.seat)}

    @property
    def spot_names(self) -> tuple[SpotName, ...]:
        """The spots without their pieces."""
        return tuple(
            SpotName(spot.name, spot.kind, spot.number, spot.kind in OWN)
            for spot in self.spots.values()
            if spot.kind != FINGERS
        )

    @property
    def fingers(self) -> Piece | None:
        """The piece that this seat holds."""
        spot = self.spots.get(FINGERS)
        return spot.lies[0] if spot is not None and spot.lies else None

    @property
    def mine(self) -> list[int]:
        """The seats whose pieces this browser moves."""
        seats = self.context.seats.seats_moved_by(self.context.seats.mover_of(self.seat))
        return [seat for seat in seats if seat <= self.context.table.seats]

    @property
    def can_settle(self) -> bool:
        """Whether this browser answers for the seat."""
        return not is_phone_away(self)

    @cached_property
    def place_names(self) -> Mapping[int, Message]:
        """Names of the places on the simulated table."""
        name_place, public = self.rules.tracking.name_place, self.current.public
        places = (spot.number for spot in self.spots.values() if spot.kind == "place")
        return {place: name_place(public, place) for place in places}


def of_play(find: Callable[[PlayScene], T]) -> T:
    """Declare the origin of a field in the scene of this page."""
    return cast(T, find)


class PlayPage(Facts, frozen=True):
    """Facts around the part that follows the game."""

    phone_away: bool = of(is_phone_away)
    invite: Invite | None = of(lambda s: s.invite)


def find_last_moment(scene: GameScene) -> Message | None:
    """Return the last moment, in words."""
    told = [one.say for one in scene.current.table.log if not one.struck]
    return told[-1] if told else None


def find_todo(scene: PlayScene) -> tuple[Todo, ...]:
    """Return the first difference between table and log; none that bots settle when they act."""
    bots = scene.simulation.bots
    bots_act = bots.pace != "still" and not {*bots.played_by_bots()}.isdisjoint(scene.waiting)
    return () if bots_act and not scene.has_turn else scene.table.todos[:1]


class Bill(Facts, frozen=True):
    """The question to this seat, the newest result, and the one thing to settle first."""

    woken: int = of_play(lambda s: s.table.woken)
    is_stopped: bool = of_play(lambda s: s.table.is_stopped)
    is_scored: bool = of_play(lambda s: s.view.shows_end)
    may_begin: bool = of_play(lambda s: s.is_hosts)
    asked: bool = of_play(lambda s: s.is_asked)
    has_turn: bool = of_play(lambda s: s.has_turn)
    waiting: tuple[int, ...] = of_play(lambda s: s.waiting)
    requests: Sequence[May] = of_play(lambda s: s.view.may)
    mine: list[int] = of_play(lambda s: s.mine)
    unheard: list[ShownSpot] = of_play(lambda s: unheard_spots(s.context, s.seat))
    fingers: Piece | None = of_play(lambda s: s.fingers)
    phone_away: bool = of_play(is_phone_away)
    place_names: Mapping[int, Message] = of_play(lambda s: s.place_names)
    bots: Sequence[int] = of_play(lambda s: s.simulation.bots.played_by_bots())
    lately: Message | None = of_play(find_last_moment)
    status: Status = of_play(Status.find)
    news: SeatNews = of_play(SeatNews.find)
    urgent: Urgent = of_play(Urgent.find)
    todos: tuple[Todo, ...] = of_play(find_todo)
    verdict: VerdictTold = of_play(VerdictTold.find)


class SpotShown(Facts, frozen=True):
    """A spot with its pieces, and this seat's moves for them."""

    one: ShownSpot | None
    is_holding: bool
    turns: bool
    """Whether cards are turned over just now."""
    seat: int
    place_names: Mapping[int, Message]
    face_down: tuple[tuple[int, int], ...]


def spot(scene: PlayScene, of: str) -> SpotShown:
    """Return the spot of this name."""
    turning = scene.simulation.source.pieces.layout.turning_events
    return SpotShown(
        scene.spots.get(of),
        scene.fingers is not None,
        any(may.do in turning for may in scene.current.view.may),
        scene.seat,
        scene.place_names,
        find_face_down(scene.current.public.places),
    )


class Fingers(Facts, frozen=True):
    """The piece that this seat holds."""

    fingers: Piece | None = of_play(lambda s: s.fingers)
    seat: int = of_play(lambda s: s.seat)


class SeatPlate(Facts, frozen=True):
    """A seat: its lamp, and its player."""

    name: str
    lamp: str
    waits: bool
    seat: int
    is_bot: bool
    is_mine: bool


def plate(scene: PlayScene, of: str) -> SeatPlate:
    """Return the plate of a seat."""
    seat = int(of)
    return SeatPlate(
        scene.words.name_player(scene.players[seat - 1]),
        scene.context.table.lamp_state(seat),
        seat in scene.waiting,
        scene.seat,
        seat in scene.simulation.bots.played_by_bots(),
        seat in scene.mine,
    )


class ReaderState(Facts, frozen=True):
    """State of the reader of a place."""

    is_deaf: bool
    is_loose: bool
    by_turns: bool
    waits: bool


def reader(scene: PlayScene, of: str) -> ReaderState:
    """Return the state of a place's reader."""
    place, table = int(of), scene.table
    return ReaderState(
        place in table.by_hand,
        place in scene.simulation.faults.faults.cable,
        table.by_turns,
        table.listening is not None and table.listening.place == place,
    )


class Drawer(Facts, frozen=True):
    """The pace of the bots, and other games."""

    seat: int = of_play(lambda s: s.seat)
    pace: str = of_play(lambda s: s.simulation.bots.pace)
    boxes: tuple[Box, ...] = of_play(lambda s: all_boxes())


class Lab(Facts, frozen=True):
    """The faults that are made, and the seats of bots and of this browser."""

    seat: int = of_play(lambda s: s.seat)
    chairs: Mapping[int, str] = of_play(
        lambda s: dict(enumerate(map(s.words.name_player, s.players), 1))
    )
    places: tuple[tuple[int, Message], ...] = of_play(lambda s: tuple(s.place_names.items()))
    bots: Sequence[int] = of_play(lambda s: s.simulation.bots.played_by_bots())
    mine: list[int] = of_play(lambda s: s.mine)
    faults: Faults = of_play(lambda s: s.simulation.faults.faults)


class PlayFrame(Facts, frozen=True):
    """People round the table, and its spots."""

    seat: int = of_play(lambda s: s.seat)
    is_scored: bool = of_play(lambda s: s.view.shows_end)
    spot_names: tuple[SpotName, ...] = of_play(lambda s: s.spot_names)
    board: GamePart = of_play(lambda s: GamePart(s.screens.play(s.view)))


@lays_out("play")
def lay_out_play(game: str) -> Layout:
    """Return the layout of the simulated table."""
    around = Block("play/page.html", PlayPage.find)
    if not game:
        return Layout(around, Block("shared/lobby_frame.html"), {"lobby": LOBBY})
    blocks = {
        "bill": Block("play/bill.html", Bill.find),
        "final_score": Block("play/final_score.html", Score.find, held=True),
        "spot": Block("play/spot.html", spot),
        "titled_spot": Block("play/titled_spot.html", spot),
        "fingers": Block("play/fingers.html", Fingers.find),
        "plate": Block("play/plate.html", plate),
        "reader": Block("play/reader.html", reader),
        **parts.game_blocks(game),
        "drawer": Block("play/drawer.html", Drawer.find, folded=True),
    }
    return Layout(around, Block("play/live.html", PlayFrame.find, held=True), blocks)


@lays_out("lab")
def lay_out_lab(game: str) -> Layout:
    """Return the layout of the page for makers; before the first game there is nothing to break."""
    around = Block("lab/page.html", PlayPage.find)
    if not game:
        return Layout(around, Block("shared/lobby_frame.html"), {"lobby": LOBBY})
    return Layout(around, Block("lab/live.html", Lab.find))
