"""Parts that several pages have: the facts that each is drawn from, and its block."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from companion.core.i18n import N_, Message
from companion.floor import StaffCall
from companion.games import find_game
from companion.games.open_table import Part, SweepProgress
from companion.games.rulebook import AnyRulebook
from companion.games.rulebook import Hints as Sentences
from companion.seating.waiting import Guest
from companion.table.outcomes import ChangeSummary, Evening
from companion.table.telling import Story
from companion.table.view import LogEntry, View
from companion.tracking.laying import Listening
from companion.tracking.mismatches import Todo
from web.context import AppContext
from web.rendering.blocks import Block
from web.rendering.game_words import find_template
from web.rendering.scene import Facts, GameScene, of, of_game

FIRST_PHASE = "start"

# What a game brings.


class GamePart(Facts, frozen=True):
    """A part drawn by a game, from its own function of the view."""

    shown: msgspec.Struct | None


class BoardItem(Facts, frozen=True):
    """One item of the board of a game."""

    one: object


def board_item(scene: GameScene, key: str) -> BoardItem:
    """Return the item of this key."""
    return BoardItem(scene.board_items.get(key))


def game_part(template: str, show: Part | None) -> Block:
    """Return the block of a game's own part; it waits with the board until a verdict is told."""

    def facts(scene: GameScene, _of: str = "") -> GamePart:
        return GamePart(show(scene.view) if show else None)

    return Block(template, facts, held=True)


# The state of the game, and the newest verdict.


class Status(Facts, frozen=True):
    """The state of the game in a sentence."""

    ended: bool = of_game(lambda s: s.table.ended)
    skipped: Message | None = of_game(lambda s: s.current.public.skipped or s.clock.skipped())
    """The reason the turn has just passed without a move."""
    going_on: Message = of_game(lambda s: s.table.evening.say if s.table.evening else s.public.now)
    is_telling: bool = of_game(lambda s: s.telling is not None and not s.is_asked)
    """Whether a verdict is being told to one who is not asked: what follows would give it away."""


class VerdictTold(Facts, frozen=True):
    """The newest verdict as far as it is told."""

    story: Story | None = of_game(lambda s: s.story)
    round: int = of_game(lambda s: s.public.round)
    shown: msgspec.Struct | None = of_game(lambda s: s.beside)


class Score(Facts, frozen=True):
    """The end of a game, for a seat or for all."""

    evening: Evening | None = of_game(lambda s: s.table.evening)
    is_scored: bool = of_game(lambda s: s.view.shows_end)
    score: Any = of_game(lambda s: s.public.score if s.view.shows_end else None)
    name: str = of_game(lambda s: s.me.name if s.seat else "")
    """The key of the seat of this page, “” of none."""
    seat: int = of_game(lambda s: s.seat)
    ended: bool = of_game(lambda s: s.table.ended)
    may_begin: bool = of_game(lambda s: s.is_hosts)
    """Whether this browser is the host's."""


# What stands beside the game.


class Urgent(Facts, frozen=True):
    """Urgent facts that every screen shows at once."""

    trouble: tuple[Message, ...] = of_game(lambda s: s.table.trouble)
    leaving: bool = of_game(lambda s: s.context.demo is not None and s.context.demo.is_due)
    paused: bool = of_game(lambda s: s.table.paused)
    frozen: int = of_game(lambda s: s.table.frozen)
    can_settle: bool = of_game(lambda s: s.can_settle)
    seat: int = of_game(lambda s: s.seat)
    requests_url: str = of_game(lambda s: s.requests_url)


def find_unfinished_sweep(scene: GameScene) -> SweepProgress | None:
    """Return the sweep that this browser may end, once a card was shown; bots end theirs."""
    sweep: SweepProgress | None = getattr(scene.public, "sweep", None)
    is_for_bots = scene.do_bots_help and not scene.has_turn
    if sweep is None or is_for_bots or not scene.can_settle:
        return None
    return sweep if 0 < len(sweep.shown) < sweep.total else None


class Mismatches(Facts, frozen=True):
    """Differences between table and log, the last change, and the places without a reader."""

    todos: tuple[Todo, ...] = of_game(lambda s: s.table.todos)
    change_shown: tuple[LogEntry, ChangeSummary] | None = of_game(lambda s: s.shown_change)
    by_hand: tuple[tuple[int, Message], ...] = of_game(lambda s: s.places_without_reader)
    can_settle: bool = of_game(lambda s: s.can_settle)
    requests_url: str = of_game(lambda s: s.requests_url)
    sweep: SweepProgress | None = of_game(find_unfinished_sweep)


class ListeningReader(Facts, frozen=True):
    """The place that the one reader of a table serves now."""

    listening: Listening | None = of_game(lambda s: s.table.listening)
    can_settle: bool = of_game(lambda s: s.can_settle)
    chooses_place: bool = of_game(lambda s: s.screen.is_tables_own)
    requests_url: str = of_game(lambda s: s.requests_url)


class PhaseHints(NamedTuple):
    """Two hints, their phase, so that a browser shows them once, and the rule of that phase."""

    phase: str
    sentences: Sentences
    rule: str


def current_hints(rules: AnyRulebook, view: View | None) -> PhaseHints | None:
    """Return the hints of this moment; None while the game stands still or has none for it.

    A seat that waits for the turn of another keeps those of the beginning, so that bots do not
    exchange them while they are read.
    """
    if view is None or view.table.is_stopped:
        return None
    phase, first = view.public.phase, rules.rows[0].phase
    is_first = phase == first and view.public.round == 1
    if FIRST_PHASE in rules.hints and (is_first or _waits_for_a_turn(rules, view)):
        phase = FIRST_PHASE
    both = rules.hints.get(phase)
    here = next((row.rule for row in rules.rows if row.phase == view.public.phase), rules.end_rule)
    return both and PhaseHints(phase, both, here)


def _waits_for_a_turn(rules: AnyRulebook, view: View) -> bool:
    """Check whether the viewer's seat waits while one other player has the turn."""
    public = view.public
    asked = {row.who for row in rules.rows if row.phase == public.phase} - {"reader"}
    return bool(view.seat and asked == {"active"} and view.seat not in public.waiting)


class Hints(Facts, frozen=True):
    """Hints for people who play for the first time. It depends on the phase only."""

    hints: PhaseHints | None = of_game(
        lambda s: current_hints(s.rules, s.current.view) if s.seat else None
    )
    game_id: str = of_game(lambda s: s.public.id)


class Log(Facts, frozen=True):
    """The last moments, and the forms that put them right."""

    log: tuple[LogEntry, ...] = of_game(lambda s: s.table.log)
    requests_url: str = of_game(lambda s: s.requests_url)
    correction_url: str = of_game(lambda s: f"{s.own_url}/correct")
    seat: int = of_game(lambda s: s.seat)
    is_stopped: bool = of_game(lambda s: s.table.is_stopped)
    is_over: bool = of_game(lambda s: s.is_over)


class Opening(Facts, frozen=True):
    """The hands that open by themselves."""

    game_id: str = of_game(lambda s: s.public.id)
    round: int = of_game(lambda s: s.public.round)
    seats: Sequence[Any] = of_game(lambda s: s.public.seats if s.phase == "open" else ())
    """Public part of the seats, while hands open."""
    seat: int = of_game(lambda s: s.seat)


class Staff(Facts, frozen=True):
    """Whether the table is on a floor, and the call for staff."""

    is_on_floor: bool = of(lambda s: bool(s.context.settings.place.name))
    staff_call: StaffCall | None = of(lambda s: s.context.floor.calls.current)
    seat: int = of(lambda s: s.seat)


BOT_PLAYS_ON = N_("{who} has left; a bot plays on.")
OFFERED = N_("{who} has to go: the next guest can take seat {seat} and play on.")
UNHEARD = N_(
    "{who}’s phone has been silent for a minute: a newcomer can take seat {seat}, or a bot plays "
    "on."
)
LOCKED = N_(
    "{who}’s phone has been silent for a minute, and only it can reveal its choice. If it stays "
    "away, have everyone seal again."
)


class SeatNotice(NamedTuple):
    """A sentence of a seat for everyone: its news, or that it is offered, or not heard."""

    seat: int
    what: Literal["news", "offered", "unheard", "locked"]
    sentence: str


class SeatNews(Facts, frozen=True):
    """Public news of the seats, and the guests asking this seat's phone for it."""

    seat_notices: tuple[SeatNotice, ...] = of(lambda s: find_seat_notices(s.context))
    seat_requests: tuple[Guest, ...] = of(
        lambda s: s.context.seats.guests_asking_for(s.seat) if s.is_taken else ()
    )
    seat: int = of(lambda s: s.seat)


def find_seat_notices(context: AppContext) -> tuple[SeatNotice, ...]:
    """Return the public news of the seats."""
    seats = context.seats
    if not (seats.handovers.news or seats.handovers.offered or seats.unheard_seats()):
        return ()  # As a rule, for every page at every change.
    view = context.table.view()
    return tuple(_seat_notices(context, view)) if view is not None else ()


def _seat_notices(context: AppContext, view: View) -> Iterator[SeatNotice]:
    seats, players = context.seats, len(view.public.seats)
    bots = context.simulation.bots.played_by_bots() if context.simulation else ()
    for seat, sentence in sorted(seats.handovers.news.items()):
        if seat <= players:
            yield SeatNotice(seat, "news", BOT_PLAYS_ON if seat in bots else sentence)
    for seat in sorted(seats.handovers.offered):
        if seat <= players:
            yield SeatNotice(seat, "offered", OFFERED)
    for seat in sorted(seats.unheard_seats()):
        if seat in view.public.waiting and not view.table.is_stopped:
            if holds_closed_hand(context, seat):
                yield SeatNotice(seat, "locked", LOCKED)
            else:
                yield SeatNotice(seat, "unheard", UNHEARD)


def holds_closed_hand(context: AppContext, seat: int) -> bool:
    """Return whether a seat holds a hand that only its own phone can open."""
    history = context.table.history
    if history.is_over or history.state is None or seat > len(history.state.players):
        return False
    return history.state.hands.is_sealed(seat)


STAFF = Block("shared/staff.html", Staff.find)


def game_blocks(game: str) -> dict[str, Block]:
    """Return the blocks that any page of a game may place: those beside it, and its board's."""
    own = find_game(game).screens.blocks
    return {
        "urgent": Block("shared/urgent.html", Urgent.find),
        "seats": Block("shared/seats.html", SeatNews.find),
        "listening": Block("shared/listening.html", ListeningReader.find),
        "hints": Block("shared/hints.html", Hints.find),
        "told": Block("shared/told.html", VerdictTold.find),
        "staff": STAFF,
        "board_item": Block("table/board_item.html", board_item, held=True),
        **{
            name: game_part(find_template(game, block.template), block.show)
            for name, block in own.items()
        },
    }
