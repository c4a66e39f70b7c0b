"""A table fresh from the soldering iron, and the hand at it: what `companion rehearse` sets up.

Laws: two cables of each kind are crossed, so that there is something to learn. The hand does what a
person would at the places where things really are: it reads what the page asks for and nothing
else, one act for each request; and the readers find out for themselves what it did.
"""

from collections.abc import Callable, Mapping

from companion.app.setup.simulated_enrolment import CLASSIC, STRANGER, sticker
from companion.app.wires import profile_of
from companion.setup import Showing
from hardware.simulated_table import Simulated, chip_of
from hardware.simulator.tag import Tag
from hardware.simulator.world import tag_of
from hardware.wiring import Wiring, load

CARD, OTHER = "04a0b1c2d3e4f5", "04a0b1c2d3e4f6"
HELD = 1.2
"""Seconds for which a card is held on a reader."""


def crossed(profile: str) -> Wiring:
    """A profile as it was really soldered: the cables of two readers, two buttons, two lamps are
    crossed."""
    wiring = load(profile)
    swap = {2: 3, 3: 2}
    return wiring.learnt(places=swap, buttons=swap, lamps={1: 4, 4: 1})


class Hand:
    """The hand at a rehearsal."""

    can = ("asked", "wrong", "off")

    def __init__(self, soldered: Callable[[str], Wiring] = crossed) -> None:
        self._soldered = soldered
        self._lies: dict[str, tuple[int, Tag]] = {}
        self._lift_at: float | None = None
        self._clock: Callable[[], float] = lambda: 0.0
        self.pile: list[str] = []

    @property
    def now(self) -> float:
        """What the clock of the table shows."""
        return self._clock()

    def at(self, table: Simulated, wiring: Wiring) -> Simulated:
        """The table is wired so from now on; what lies there goes on lying there."""
        self._table, self._called, self._clock = table, wiring, table.world.clock.monotonic
        self._true = self._soldered(profile_of(wiring))
        lies, self._lies = self._lies, {}
        for uid, (place, _) in lies.items():
            self.lay(uid, place)
        self._lift_at = None if self._lift_at is None else table.world.now + HELD
        return table

    def turn(self) -> None:
        """Lift what was only held there."""
        if self._lift_at is not None and self._table.world.now >= self._lift_at:
            self.off()

    def do(self, what: str, showing: Showing, nth: int) -> int | None:
        """One act; the seat whose lamp is seen to shine, where that is asked."""
        if self._lift_at is not None:
            return None  # It still holds a card there.
        if what == "off" or (what == "asked" and self._lies):
            self.off()
            return None
        wrong = what == "wrong"
        match showing.step:
            case "banks":
                self._bank(showing, wrong)
            case "buttons":
                self.press(self._wrong_of(showing) if wrong else showing.asked)
            case "lamps":
                return self._wrong_of(showing) if wrong else self._shining()
            case "stickers":
                self._sticker(showing, nth, wrong)
            case "check":
                self._sweep(wrong)
        return None

    def off(self) -> None:
        """Everything off the table."""
        for _, tag in self._lies.values():
            self._table.world.lift(tag)
        self._lies.clear()
        self._lift_at = None

    # What it does at each step.

    def _bank(self, showing: Showing, wrong: bool) -> None:
        if not wrong:
            self._hold(CARD, showing.asked)
            return
        place = self._wrong_of(showing)
        self.lay(CARD, place)
        if place not in (place for place, how in showing.found if how == "found"):
            self.lay(OTHER, next(p for p in self._true.readers if p != place))

    def _wrong_of(self, showing: Showing) -> int:
        """A place or a seat that was found before, or else one that is not asked for."""
        known = [number for number, how in showing.found if how == "found"]
        others = [number for number, _ in showing.found if number != showing.asked]
        return known[0] if known else [showing.asked, *others][-1]

    def press(self, seat: int) -> None:
        for called, pin in self._called.buttons.items():
            if pin == self._true.buttons.get(seat):
                self._table.world.tap(called)

    def _shining(self) -> int:
        """The seat at which a lamp shines, as eyes see it; 0 for none."""
        lit = {pin for seat, pin in self._called.lamps.items() if self._table.world.lamp(seat)}
        return next((seat for seat, pin in self._true.lamps.items() if pin in lit), 0)

    def _sticker(self, showing: Showing, nth: int, wrong: bool) -> None:
        if wrong:
            self.lay(CLASSIC, min(self._true.readers))
        elif showing.thing:
            self._hold(sticker(showing.thing, nth), self._well())

    def _well(self) -> int:
        """A place whose reader answers."""
        well = [c.place for c in self._table.conditions() if c.word == "well"]
        address = self._called.readers[well[0]] if well else None
        found = [place for place, other in self._true.readers.items() if other == address]
        return found[0] if found else min(self._true.readers)

    def _sweep(self, wrong: bool) -> None:
        """A stranger; or one thing of the box after the other."""
        if wrong:
            self.lay(STRANGER, min(self._true.readers))
            return
        for place in self._true.readers:
            if self.pile:
                self._hold(self.pile.pop(0), place)

    def takes(self, holds: Mapping[str, int]) -> None:
        """The box is in reach: everything in it can be swept over the readers."""
        self.pile = [sticker(thing, n) for thing in holds for n in range(1, holds[thing] + 1)]

    def _hold(self, uid: str, place: int) -> None:
        self.lay(uid, place)
        self._lift_at = self._table.world.now + HELD

    def lay(self, uid: str, place: int) -> None:
        """Lay something at a place, wherever the cable of the reader there leads."""
        tag = tag_of(uid)
        self._lies[uid] = (place, tag)
        address = self._true.readers.get(place)
        for called, other in self._called.readers.items():
            if other == address:
                self._table.world.put(tag, chip_of(self._table.wiring, called))
