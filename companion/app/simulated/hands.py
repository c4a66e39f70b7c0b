"""Fingers: what people do with the pieces of a simulated table, on a page instead of a table.

Laws: it all happens on the one thread where everything happens, and none of it waits for a reader.
Nothing here tells the game anything; what it notices, and only that, changes what pieces mean.
"""

from abc import ABC
from collections.abc import Callable, Sequence

from companion.app.simulated.crowd import Crowd
from companion.app.simulated.faults import FaultInjector, no_button
from companion.app.simulated.sight import name_of, sight
from companion.core.errors import Refusal, refusal
from hardware.simulator.hands_on_table import Tabletop
from hardware.simulator.pieces.piles import PLACE
from hardware.simulator.pieces.visibility import OWN, Seen
from web.context import Fault, Faults, Spot

SHORT, LONG = 0.12, 2.3
"""Seconds for which a button is pressed, and held."""
ANSWERED = 0.5
"""Seconds in which whoever pulled the plug gets an answer."""


class Fingers(Crowd, ABC):
    """A table with bots at which people move the pieces themselves."""

    top: Tabletop
    drawer: FaultInjector
    plug: Callable[[], None] | None = None
    """Pulls the plug: this program ends at once, and the same one starts again."""
    _pulled: float | None = None

    # What is seen.

    def visible_spots(self, seat: int) -> Sequence[Spot]:
        """What the eyes of a seat see of the pieces."""
        view = self.table.view(seat)
        return () if view is None else sight(self.pieces, view, seat)

    # What hands do.

    def lift_piece(self, seat: int, spot: str, n: int) -> Refusal | None:
        """Pick up the nth piece there."""
        return self.run_on_loop(lambda: self._lift(seat, spot, n))

    def put_down(self, seat: int, spot: str) -> Refusal | None:
        """Put down there what the fingers hold."""
        return self.run_on_loop(lambda: self._put(seat, spot))

    def turn_over(self, seat: int, spot: str, n: int) -> Refusal | None:
        """Lift the nth piece there, turn it over, and put it back."""
        return self.run_on_loop(lambda: self._turn_over(seat, spot, n))

    def press_button(self, seat: int, held: bool) -> Refusal | None:
        """Press the button of a seat, or hold it down."""
        if seat not in self.top.world.buttons:
            return no_button(seat)
        self.run_on_loop(lambda: self.top.push(seat, LONG if held else SHORT))
        return None

    def _lift(self, seat: int, spot: str, n: int) -> Refusal | None:
        found = self._liftable(seat, spot, n)
        if isinstance(found, Refusal):
            return found
        if self.pieces.held(seat) is not None:
            text = "Your fingers hold a piece already. Put it down first."
            return refusal("fingers_full", "", text)
        self.pieces.lift(seat, found)
        self._moved()
        return None

    def _put(self, seat: int, spot: str) -> Refusal | None:
        found = self._spot(seat, spot)
        if isinstance(found, Refusal):
            return found
        if self.pieces.held(seat) is None:
            text = "Your fingers hold nothing. Pick up a piece first."
            return refusal("fingers_empty", "", text)
        if found.kind in OWN and found.heap.number != seat:
            text = "That spot is somebody else’s. Put the piece down somewhere else."
            return refusal("not_your_spot", "", text)
        if found.kind == "fingers":
            self.pieces.put_back(seat)
        else:
            self.pieces.put_down(seat, found.heap)
        self._moved()
        return None

    def _turn_over(self, seat: int, spot: str, n: int) -> Refusal | None:
        found, at = self._liftable(seat, spot, n), self._spot(seat, spot)
        if isinstance(found, Refusal):
            return found
        if isinstance(at, Refusal) or at.heap.kind != PLACE:
            text = "Only what lies at a place of the table can be turned over there."
            return refusal("not_at_a_place", "", text)
        if self._asked_for(seat, found):
            self.pieces.show(found)
        self.pieces.turn_over(found)
        self._moved()
        return None

    def _asked_for(self, seat: int, tag: str) -> bool:
        """Whether the game asks this seat which card this is: then it is turned up for everyone."""
        view = self.table.view(seat)
        return (
            view is not None
            and not view.table.is_stopped
            and any(
                tag in dict(self.pieces.wants(seat, may.do, choice, view.public))
                for may in view.may
                for choice in may.choices
                if "card" in choice and "slot" in choice
            )
        )

    def _moved(self) -> None:
        """Everyone sees it; what the readers make of it they find out by themselves."""
        self._remember()
        self.table.notify_watchers()

    def _spot(self, seat: int, spot: str) -> Seen | Refusal:
        found = next((one for one in self.pieces.seen(seat) if name_of(one, seat) == spot), None)
        text = "This table has no such spot for pieces."
        return found or refusal("no_such_spot", "", text)

    def _liftable(self, seat: int, spot: str, n: int) -> str | Refusal:
        found = self._spot(seat, spot)
        if isinstance(found, Refusal):
            return found
        if n not in found.lifts:
            text = "You cannot pick up that piece: it does not lie there, or not for you."
            return refusal("not_to_lift", "", text)
        return found.things[n - 1].tag

    # What goes wrong on purpose.

    @property
    def faults(self) -> Faults:
        """What is broken on purpose just now."""
        return self.drawer.faults

    def switch_fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        """Break something on purpose, or mend it."""
        return self.run_on_loop(lambda: self._fault(fault, at, on))

    def _fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        if fault == "plug":
            return self._pull() if on else None
        refused = self.drawer.switch_fault(fault, at, on)
        self.table.notify_watchers()
        return refused

    def _pull(self) -> Refusal | None:
        if self.plug is None:
            text = "This table was started in a way in which its plug cannot be pulled from a page."
            return refusal("no_plug", "", text)
        self._pulled = self.clock() + ANSWERED
        return None

    # The one thread.

    def look_after_hands(self) -> None:
        """What was only turned lies again; what somebody left with is put back; the plug."""
        for seat in self.pieces.holding():
            if seat not in self.seats.taken_seats():
                self.pieces.put_back(seat)
                self._moved()
        self.pieces.pass_on()
        if self.plug is not None and self._pulled is not None and self.clock() >= self._pulled:
            self._pulled = None
            self.plug()
