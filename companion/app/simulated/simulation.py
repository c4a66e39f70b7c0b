"""A simulated table and the actions of its pages: move pieces, press buttons, break things on
purpose.

Laws: nothing here tells the game anything; only what its readers notice changes what pieces mean. A
seat sees what the pieces show it; from its view comes only what the game expects of it now. A fault
changes what wires, stickers and contacts do, never what the program knows of them; it lasts until
it is mended, or until the program starts again.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from companion.app.build_host import build_host
from companion.app.simulated.bot_driver import BotDriver
from companion.app.simulated.heaps import SeenSpot, spot_of
from companion.app.simulated.pieces import Pieces
from companion.app.simulated.simulated_table import Lineup, SimulatedTable
from companion.core.errors import Refusal, refusal
from companion.games.layout import OWN, PLACE, Fault, Faults, Heap, ShownSpot
from companion.games.rulebook import AnyRulebook
from companion.host.host import Host
from companion.host.table_source import RunOnLoop, run_here
from companion.journal import Journal
from companion.seating.identity import IdentityStore
from companion.seating.seats import Seats
from companion.table.view import View
from companion.tracking.picture import EIGHTH_SPOT
from hardware.simulator.hands_on_table import SimulatedTabletop

SHORT_PRESS, LONG_PRESS = 0.12, 2.3
"""Seconds for which a button is pressed, and held."""
PLACES = range(1, EIGHTH_SPOT + 1)
CHATTERS = 4
"""So often the contact of a worn button opens again."""
MOST_LOST = 25
"""Percent of all frames; with more, no new card is heard any more."""

ExpectedMoves = dict[str, set[Heap]]
"""Pieces to pick up, by their tags, and the spots where each is expected then."""


class PieceHands:
    """The hands of all seats at one simulated table."""

    def __init__(self, host: Host, source: SimulatedTable) -> None:
        self._host, self._source = host, source

    @property
    def _pieces(self) -> Pieces:
        return self._source.pieces

    def visible_spots(self, seat: int) -> Sequence[ShownSpot]:
        """Return every spot as a seat sees it; the last ones are its fingers and aside."""
        view, pieces = self._host.table.view(seat), self._pieces
        if view is None:
            return ()
        with pieces.busy:
            expected = {} if view.table.is_stopped else _expected_moves(view, pieces)
            held = pieces.fingers.get(seat)
            wanted, goals = expected, set[Heap]()
            if held is not None:
                wanted, goals = {}, expected.get(held) or {spot_of(pieces.home_heap(held))}
            return tuple(
                msgspec.structs.replace(
                    shown,
                    welcome=heap in goals,
                    wanted=tuple(n for n in shown.lifts if tags[n - 1] in wanted),
                )
                for heap, tags, shown in pieces.visible_spots(seat)
            )

    def goal_places(self, seat: int) -> frozenset[int]:
        """Return the places to which a seat may move a piece now."""
        view = self._host.table.view(seat)
        with self._pieces.busy:
            moves = {} if view is None else _expected_moves(view, self._pieces)
            return frozenset(goal.number for goals in moves.values() for goal in goals)

    def lift_piece(self, seat: int, spot: str, n: int) -> Refusal | None:
        """Pick up the nth piece there, if the fingers are empty."""

        def lift(seen: SeenSpot) -> bool:
            if n not in seen.shown.lifts or seat in self._pieces.fingers:
                return False
            self._pieces.lift_piece(seat, seen.tags[n - 1])
            return True

        return self._move(seat, spot, lift)

    def put_down(self, seat: int, spot: str) -> Refusal | None:
        """Put the lifted pieces down at a spot, unless it is another seat's own."""

        def put(seen: SeenSpot) -> bool:
            is_others = seen.shown.kind in OWN and seen.heap.number != seat
            if is_others or seat not in self._pieces.fingers:
                return False
            self._pieces.put_down(seat, seen.heap)
            return True

        return self._move(seat, spot, put)

    def turn_over(self, seat: int, spot: str, n: int) -> Refusal | None:
        """Lift the nth piece at a place, turn it over, and put it back."""

        def turn(seen: SeenSpot) -> bool:
            if n not in seen.shown.lifts or seen.heap.kind != PLACE:
                return False
            tag = seen.tags[n - 1]
            if self._is_asked_for(seat, tag):
                self._pieces.show_face(tag)
            self._pieces.lay_piece(tag, seen.heap)
            return True

        return self._move(seat, spot, turn)

    def press_button(self, seat: int, held: bool) -> Refusal | None:
        """Press the button of a seat, or hold it down."""
        tabletop = self._source.tabletop
        if seat not in tabletop.world.buttons:
            return refuse_no_button(seat)
        self._host.run_on_loop(
            lambda: tabletop.push_button(seat, LONG_PRESS if held else SHORT_PRESS)
        )
        return None

    def _move(self, seat: int, spot: str, move: Callable[[SeenSpot], bool]) -> Refusal | None:
        """Move pieces on the loop, save and show them; refuse an impossible move."""

        def run() -> Refusal | None:
            with self._pieces.busy:
                spots = self._pieces.visible_spots(seat)
                is_moved = any(seen.shown.name == spot and move(seen) for seen in spots)
            if not is_moved:
                text = "This cannot be moved now: it lies elsewhere, or is not for you."
                return refusal("cannot_move", "", text)
            self._source.save_and_notify()
            return None

        return self._host.run_on_loop(run)

    def _is_asked_for(self, seat: int, tag: str) -> bool:
        """Check whether the game asks this seat which card this is: then all see its face."""
        view = self._host.table.view(seat)
        if view is None or view.table.is_stopped:
            return False
        turning = (may for may in view.may if may.do in self._pieces.layout.turning_events)
        return any(
            "card" in choice and tag in dict(self._pieces.wanted_pieces(seat, may.do, choice))
            for may in turning
            for choice in may.choices
        )


def _expected_moves(view: View, pieces: Pieces) -> ExpectedMoves:
    """Return the moves with pieces that this seat may make now."""
    moves: ExpectedMoves = {}
    for may in view.may:
        for choice in may.choices:
            for tag, goal in pieces.wanted_pieces(view.seat, may.do, choice):
                moves.setdefault(tag, set()).add(Heap(PLACE, goal))
    return moves


def refuse_no_button(seat: int) -> Refusal:
    return refusal("no_button", "", "Seat {seat} has no button at this table.", seat=seat)


# What goes wrong.


class FaultInjector:
    """The faults of one simulated table, and how each is undone; to pull the plug is to restart."""

    def __init__(
        self, host: Host, tabletop: SimulatedTabletop, restart: Callable[[], None]
    ) -> None:
        self._host, self._tabletop, self._restart = host, tabletop, restart
        self._mend: dict[tuple[Fault, int], Callable[[], None]] = {}
        """Undo of each fault, by its reader, place or seat; of lost frames, by their percent."""

    @property
    def faults(self) -> Faults:
        """The faults that are switched on now; a reader that serves many places, at each."""

        def where(kind: Fault) -> tuple[int, ...]:
            return tuple(sorted(at for fault, at in self._mend if fault == kind))

        cable = tuple(at for at in PLACES if self._tabletop.reader_of(at) in where("cable"))
        return Faults(cable, sum(where("frames")), where("stack"), where("bounce"))

    def switch_fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        """Break something on purpose, or mend it."""
        return self._host.run_on_loop(lambda: self._switch_fault(fault, at, on))

    def _switch_fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        top = self._tabletop
        breaks: dict[Fault, Callable[[], Callable[[], None]]] = {
            "cable": lambda: top.kill_reader(at),
            "frames": lambda: top.lose_frames(min(at, MOST_LOST) / 100),
            "stack": lambda: top.stick_foreign_tag(at),
            "bounce": lambda: top.wear_button(at, CHATTERS),
        }
        refused = self._refuse(fault, at, on)
        if refused is not None or (fault == "plug" and not on):
            return refused
        if fault == "plug":
            self._restart()
            return None
        key = fault, (top.reader_of(at) or at) if fault == "cable" else at
        if fault == "frames" or not on:
            for other in [one for one in self._mend if one == key or one[0] == fault == "frames"]:
                self._mend.pop(other)()
        if on and at and key not in self._mend:
            self._mend[key] = breaks[fault]()
        self._host.table.notify_watchers()
        return None

    def _refuse(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        """Refuse a fault that this table cannot have."""
        top = self._tabletop
        match fault:
            case "cable" if at not in PLACES or top.reader_of(at) is None:
                text = "No card of this game lies at place {place}."
                return refusal("no_such_reader", "", text, place=at)
            case "stack" if on and ("stack", at) not in self._mend and not top.tags_at(at):
                text = "No card of this game lies at place {place}."
                return refusal("no_card", "", text, place=at)
            case "bounce" if at not in top.world.buttons:
                return refuse_no_button(at)
        return None


class Simulation:
    """The parts of one simulated table; pages ask its hands, bots and faults.

    What lies on it outlives the program in the folder of its `memory`. `restart` is called when the
    plug is pulled on a page.
    """

    def __init__(  # noqa: PLR0913
        self,
        rules: AnyRulebook,
        journal: Journal,
        tabletop: SimulatedTabletop,
        lineup: Lineup,
        seats: Seats,
        identity: IdentityStore | None = None,
        *,
        memory: Path | None = None,
        run_on_loop: RunOnLoop = run_here,
        clock: Callable[[], float] = time.monotonic,
        restart: Callable[[], None] = lambda: None,
    ) -> None:
        self.source = source = SimulatedTable(rules, journal, tabletop, lineup, seats, memory)
        self.host = host = build_host(source, journal, seats, identity, run_on_loop, clock)
        self.bots = BotDriver(host, source, lineup)
        self.hands = PieceHands(host, source)
        self.faults = FaultInjector(host, tabletop, restart)
