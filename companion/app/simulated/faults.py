"""The drawer of faults: what goes wrong on purpose at a simulated table, and is mended again.

Law: a fault changes what wires, stickers and contacts do, never what the program knows of them. It
lasts until it is mended, or until the program starts again.
"""

from collections.abc import Callable

from companion.core.errors import Refusal, refusal
from hardware.simulator.hands_on_table import Tabletop
from web.context import Fault, Faults

CHATTERS = 4
"""So often the contact of a worn button opens again."""
MOST_LOST = 25
"""Percent of all frames; with more, no new card is heard any more."""

Undo = Callable[[], None]


class FaultInjector:
    """The faults of one simulated table, and how each is undone."""

    def __init__(self, top: Tabletop) -> None:
        self._top = top
        self._cable: dict[int, Undo] = {}
        self._stack: dict[int, Undo] = {}
        self._bounce: dict[int, Undo] = {}
        self._frames: tuple[int, Undo] = (0, lambda: None)

    @property
    def faults(self) -> Faults:
        """What is broken just now."""
        in_order = (tuple(sorted(found)) for found in (self._cable, self._stack, self._bounce))
        cable, stack, bounce = in_order
        return Faults(cable, self._frames[0], stack, bounce)

    def switch_fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        """Break something, or mend it; what is no fault of the table is not in this drawer."""
        faults = {
            "cable": self._pull_cable,
            "frames": self._lose_frames,
            "stack": self._stick,
            "bounce": self._wear,
        }
        return faults[fault](at, on)

    def _pull_cable(self, place: int, on: bool) -> Refusal | None:
        """The cable of a reader is pulled."""
        if place not in self._top.table.wiring.readers:
            text = "No reader lies at place {n} of this table."
            return refusal("no_such_reader", "", text, n=place)
        _switch(self._cable, place, on, lambda: self._top.kill(place))
        return None

    def _lose_frames(self, percent: int, on: bool) -> Refusal | None:
        """A share of all frames is lost, at every reader."""
        if percent > MOST_LOST:
            text = "At most {most} of 100 frames can be lost."
            return refusal("too_many_frames", "", text, most=MOST_LOST)
        self._frames[1]()
        lost = percent if on else 0
        self._frames = (lost, self._top.lose_frames(lost / 100) if lost else lambda: None)
        return None

    def _stick(self, place: int, on: bool) -> Refusal | None:
        """A second sticker, which nobody knows, is stuck on the uppermost card of a place."""
        if on and place not in self._stack and not self._top.lying(place):
            text = "No card lies at place {n} to bear a second sticker."
            return refusal("no_card", "", text, n=place)
        _switch(self._stack, place, on, lambda: self._top.stick(place))
        return None

    def _wear(self, seat: int, on: bool) -> Refusal | None:
        """The button of a seat chatters whenever it is pressed."""
        if seat not in self._top.world.buttons:
            return no_button(seat)
        _switch(self._bounce, seat, on, lambda: self._top.wear(seat, CHATTERS))
        return None


def no_button(seat: int) -> Refusal:
    """There is nothing to press."""
    return refusal("no_button", "", "Seat {seat} has no button at this table.", seat=seat)


def _switch(found: dict[int, Undo], at: int, on: bool, break_: Callable[[], Undo]) -> None:
    """Broken or mended; what is so already stays so."""
    if on and at not in found:
        found[at] = break_()
    elif not on and at in found:
        found.pop(at)()
