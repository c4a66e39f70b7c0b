"""Fault injection: what goes wrong on purpose at a simulated table, and is mended again.

Law: a fault changes what wires, stickers and contacts do, never what the program knows of them. It
lasts until it is mended, or until the program starts again.
"""

from collections.abc import Callable

from companion.core.errors import Refusal, refusal
from companion.host.host import Host
from companion.pieces.faults import Fault, Faults
from companion.tracking.picture import EIGHTH_SPOT
from hardware.simulator.hands_on_table import SimulatedTabletop

PLACES = range(1, EIGHTH_SPOT + 1)
CHATTERS = 4
"""So often the contact of a worn button opens again."""
MOST_LOST = 25
"""Percent of all frames; with more, no new card is heard any more."""
ANSWER_SECONDS = 0.5
"""Seconds in which the page that pulled the plug gets its answer."""


class FaultInjector:
    """The faults of one simulated table, and how each is undone; to pull the plug is to restart."""

    def __init__(
        self, host: Host, tabletop: SimulatedTabletop, restart: Callable[[], None]
    ) -> None:
        self._host, self._tabletop, self._restart = host, tabletop, restart
        self._mend: dict[tuple[Fault, int], Callable[[], None]] = {}
        """What undoes each fault, at its reader, place or seat; of frames, by their percent."""
        self._restart_at: float | None = None

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
            self._restart_at = self._host.clock() + ANSWER_SECONDS
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
        """Refuse what cannot be broken at this table."""
        top = self._tabletop
        match fault:
            case "cable" if at not in PLACES or top.reader_of(at) is None:
                text = "No reader lies at place {n} of this table."
                return refusal("no_such_reader", "", text, n=at)
            case "stack" if on and ("stack", at) not in self._mend and not top.tags_at(at):
                text = "No card lies at place {n} to bear a second sticker."
                return refusal("no_card", "", text, n=at)
            case "bounce" if at not in top.world.buttons:
                return refuse_no_button(at)
        return None

    def restart_if_due(self) -> None:
        """Restart the program half a second after its plug was pulled."""
        is_due = self._restart_at is not None and self._host.clock() >= self._restart_at
        if is_due:
            self._restart_at = None
            self._restart()


def refuse_no_button(seat: int) -> Refusal:
    return refusal("no_button", "", "Seat {seat} has no button at this table.", seat=seat)
