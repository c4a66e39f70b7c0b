"""Fault injection: what goes wrong on purpose at a simulated table, and is mended again.

Law: a fault changes what wires, stickers and contacts do, never what the program knows of them. It
lasts until it is mended, or until the program starts again.
"""

from collections.abc import Callable

from companion.core.errors import Refusal, refusal
from companion.host.host import Host
from companion.tracking.picture import EIGHTH_SPOT
from hardware.simulator.hands_on_table import SimulatedTabletop
from web.simulation import Fault, Faults

PLACES = range(1, EIGHTH_SPOT + 1)
CHATTERS = 4
"""So often the contact of a worn button opens again."""
MOST_LOST = 25
"""Percent of all frames; with more, no new card is heard any more."""
ANSWER_SECONDS = 0.5
"""Seconds in which the page that pulled the plug gets its answer."""

Undo = Callable[[], None]


class FaultInjector:
    """The faults of one simulated table, and how each is undone.

    To pull the plug is to restart the program; where `restart` is None, that is refused.
    """

    def __init__(
        self, host: Host, tabletop: SimulatedTabletop, restart: Callable[[], None] | None = None
    ) -> None:
        self._host, self._tabletop, self._restart = host, tabletop, restart
        self._cable: dict[int, Undo] = {}
        self._stack: dict[int, Undo] = {}
        self._bounce: dict[int, Undo] = {}
        self._frames: tuple[int, Undo] = (0, lambda: None)
        self._restart_at: float | None = None

    @property
    def faults(self) -> Faults:
        """The faults that are switched on now; a reader that serves many places, at each."""
        stack, bounce = (tuple(sorted(found)) for found in (self._stack, self._bounce))
        cable = tuple(at for at in PLACES if self._tabletop.reader_of(at) in self._cable)
        return Faults(cable, self._frames[0], stack, bounce)

    def switch_fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        """Break something on purpose, or mend it."""
        return self._host.run_on_loop(lambda: self._switch_fault(fault, at, on))

    def _switch_fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        if fault == "plug":
            return self._pull_plug() if on else None
        faults = {
            "cable": self._pull_cable,
            "frames": self._lose_frames,
            "stack": self._add_sticker,
            "bounce": self._wear_button,
        }
        refused = faults[fault](at, on)
        self._host.table.notify_watchers()
        return refused

    def _pull_cable(self, place: int, on: bool) -> Refusal | None:
        """Pull the cable of a reader."""
        reader = self._tabletop.reader_of(place)
        if place not in PLACES or reader is None:
            text = "No reader lies at place {n} of this table."
            return refusal("no_such_reader", "", text, n=place)
        _set_fault(self._cable, reader, on, lambda: self._tabletop.kill_reader(place))
        return None

    def _lose_frames(self, percent: int, on: bool) -> Refusal | None:
        """Lose a share of all frames, at every reader."""
        if percent > MOST_LOST:
            text = "At most {most} of 100 frames can be lost."
            return refusal("too_many_frames", "", text, most=MOST_LOST)
        self._frames[1]()
        lost = percent if on else 0
        self._frames = (lost, self._tabletop.lose_frames(lost / 100) if lost else lambda: None)
        return None

    def _add_sticker(self, place: int, on: bool) -> Refusal | None:
        """Stick a second, unknown sticker on the uppermost card of a place."""
        if on and place not in self._stack and not self._tabletop.tags_at(place):
            text = "No card lies at place {n} to bear a second sticker."
            return refusal("no_card", "", text, n=place)
        _set_fault(self._stack, place, on, lambda: self._tabletop.stick_foreign_tag(place))
        return None

    def _wear_button(self, seat: int, on: bool) -> Refusal | None:
        """Let the button of a seat chatter whenever it is pressed."""
        if seat not in self._tabletop.world.buttons:
            return refuse_no_button(seat)
        _set_fault(self._bounce, seat, on, lambda: self._tabletop.wear_button(seat, CHATTERS))
        return None

    # The plug.

    def _pull_plug(self) -> Refusal | None:
        if self._restart is None:
            text = "This table was started in a way in which its plug cannot be pulled from a page."
            return refusal("no_plug", "", text)
        self._restart_at = self._host.clock() + ANSWER_SECONDS
        return None

    def restart_if_due(self) -> None:
        """Restart the program half a second after its plug was pulled."""
        is_due = self._restart_at is not None and self._host.clock() >= self._restart_at
        if self._restart is not None and is_due:
            self._restart_at = None
            self._restart()


def refuse_no_button(seat: int) -> Refusal:
    return refusal("no_button", "", "Seat {seat} has no button at this table.", seat=seat)


def _set_fault(found: dict[int, Undo], at: int, on: bool, break_: Callable[[], Undo]) -> None:
    """Break or mend it, if it is not so already."""
    if on and at not in found:
        found[at] = break_()
    elif not on and at in found:
        found.pop(at)()
