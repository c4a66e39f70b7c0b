"""A simulated table and the actions of its pages: move pieces, press buttons, break things on
purpose.

Laws: nothing here tells the game anything; only what its readers notice changes what pieces mean. A
seat sees what the pieces show it; from its view comes only what the game expects of it now. A fault
changes what wires, stickers and contacts do, never what the program knows of them; it lasts until
it is mended, or until the program starts again.
"""

from collections.abc import Callable, Sequence

from companion.app.simulated.bot_driver import BotDriver
from companion.app.simulated.heaps import SeenSpot, WantedPiece
from companion.app.simulated.pieces import Pieces
from companion.app.simulated.simulated_table import Lineup, SimulatedTable
from companion.core.errors import Refusal, refusal
from companion.games.layout import OWN, PLACE, Fault, Faults, ShownSpot
from companion.host.host import Host
from companion.tracking.picture import EIGHTH_SPOT
from hardware.simulator.faults import Undo
from hardware.simulator.hands_on_table import SimulatedTabletop

SHORT_PRESS, LONG_PRESS = 0.12, 2.3
"""Seconds for which a button is pressed, and held."""
PLACES = range(1, EIGHTH_SPOT + 1)
CHATTERS = 4
"""So often the contact of a worn button opens again."""
MOST_LOST = 25
"""Percent of all frames; with more, no new card is heard any more."""


class PieceHands:
    """The hands of all seats at one simulated table."""

    def __init__(self, host: Host, source: SimulatedTable) -> None:
        self._host, self._source = host, source

    @property
    def _pieces(self) -> Pieces:
        return self._source.pieces

    def visible_spots(self, seat: int) -> Sequence[ShownSpot]:
        """Return every spot as a seat sees it; the last ones are its fingers and aside."""
        with self._pieces.busy:
            seen = self._pieces.visible_spots(seat, self._wanted_pieces(seat))
            return tuple(spot.shown for spot in seen)

    def _wanted_pieces(self, seat: int) -> list[WantedPiece]:
        """Return the pieces that the game expects this seat to move now."""
        view = self._host.table.view(seat)
        may = () if view is None or view.table.is_stopped else view.may
        ways = ((one.do, choice) for one in may for choice in one.choices)
        return [each for way in ways for each in self._pieces.wanted_pieces(seat, *way)]

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
            if any(one.tag == tag and one.is_asked for one in self._wanted_pieces(seat)):
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


def refuse_no_button(seat: int) -> Refusal:
    return refusal("no_button", "", "Seat {seat} has no button at this table.", seat=seat)


# What goes wrong.


class FaultInjector:
    """The faults of one simulated table, and how each is undone; to pull the plug is to restart."""

    def __init__(
        self, host: Host, tabletop: SimulatedTabletop, restart: Callable[[], None]
    ) -> None:
        self._host, self._tabletop, self._restart = host, tabletop, restart
        self._undo: dict[tuple[Fault, int], Undo] = {}
        """Undo of each fault, by its reader, place or seat; of lost frames, by their percent."""

    @property
    def faults(self) -> Faults:
        """The faults that are switched on now; a reader that serves many places, at each."""

        def where(kind: Fault) -> tuple[int, ...]:
            return tuple(sorted(at for fault, at in self._undo if fault == kind))

        cable = tuple(at for at in PLACES if self._tabletop.reader_of(at) in where("cable"))
        return Faults(cable, sum(where("frames")), where("stack"), where("bounce"))

    def switch_fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        """Break something on purpose, or mend it."""
        return self._host.run_on_loop(lambda: self._switch_fault(fault, at, on))

    def _switch_fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        top = self._tabletop
        reader = top.reader_of(at)
        is_bare = reader is None if fault == "cable" else fault == "stack" and not top.tags_at(at)
        if is_bare and (on or fault == "cable"):
            text = "No card of this game lies at place {place}."
            return refusal("no_card", "", text, place=at)
        if fault == "bounce" and at not in top.world.buttons:
            return refuse_no_button(at)
        if fault == "plug":
            if on:
                self._restart()
            return None
        breaks: dict[Fault, Callable[[], Undo]] = {
            "cable": lambda: top.kill_reader(at),
            "frames": lambda: top.lose_frames(min(at, MOST_LOST) / 100),
            "stack": lambda: top.stick_foreign_tag(at),
            "bounce": lambda: top.wear_button(at, CHATTERS),
        }
        key = fault, (reader or at) if fault == "cable" else at
        for made in [one for one in self._undo if one == key or one[0] == fault == "frames"]:
            self._undo.pop(made)()
        if on and at:
            self._undo[key] = breaks[fault]()
        self._host.table.notify_watchers()
        return None


class Simulation:
    """The parts of one simulated table; pages ask its hands, bots and faults.

    `restart` is called when the plug is pulled on a page.
    """

    def __init__(
        self,
        host: Host,
        source: SimulatedTable,
        lineup: Lineup,
        restart: Callable[[], None] = lambda: None,
    ) -> None:
        self.host, self.source = host, source
        self.bots = BotDriver(host, source, lineup)
        self.hands = PieceHands(host, source)
        self.faults = FaultInjector(host, source.tabletop, restart)
