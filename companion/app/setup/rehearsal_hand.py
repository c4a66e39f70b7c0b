"""The simulated hand of `companion rehearse` and `companion enrol --sim`.

Laws: at a rehearsal two cables of each kind are crossed, so that there is something to learn. The
hand acts as a person would at the places where things really are: it reads the set-up's view and
nothing else, acts once for each request, and the simulated readers sense what it did. Its stickers
are the same every time, so that a deck made once can be checked later.
"""

import hashlib
from collections.abc import Callable, Mapping
from random import Random

from companion.app.wires import profile_of
from companion.setup.steps import SetupView
from hardware.simulated_table import SimulatedHardware, chip_number
from hardware.simulator.air.poses import SLOTS, draw_pose
from hardware.simulator.tag import Tag
from hardware.simulator.world import tag_of
from hardware.wiring import Wiring, load_profile

CARD, OTHER = "04a0b1c2d3e4f5", "04a0b1c2d3e4f6"
CLASSIC, STRANGER = "9a8b7c6d", "04fedcba987654"
HOLD_TIME = 1.2
"""Seconds for which a card is held on a reader."""


def sticker_uid(thing: str, n: int) -> str:
    """Return the UID of the simulated sticker on the n-th thing of a kind."""
    return "04" + hashlib.blake2b(f"{thing} {n}".encode(), digest_size=6).hexdigest()


def cross_wires(profile: str) -> Wiring:
    """Load a profile as it was soldered: two readers, two buttons and two lamps are crossed."""
    wiring = load_profile(profile)
    swap = {2: 3, 3: 2}
    return wiring.with_learnt(places=swap, buttons=swap, lamps={1: 4, 4: 1})


class RehearsalHand:
    """The hand that lays cards, presses buttons and looks at lamps."""

    actions = ("asked", "wrong", "off")

    def __init__(self, soldered: Callable[[str], Wiring] = cross_wires) -> None:
        self._soldered = soldered
        self._lying: dict[str, tuple[int, Tag]] = {}
        self._lift_at: float | None = None
        self._clock: Callable[[], float] = lambda: 0.0
        self.pile: list[str] = []
        self._chance = Random("rehearsal")

    @property
    def now(self) -> float:
        """The time of the simulated table, in seconds."""
        return self._clock()

    def attach_to(self, table: SimulatedHardware, wiring: Wiring) -> SimulatedHardware:
        """Act at this table from now on; what lay on the one before is laid here again."""
        self._table, self._known_wiring, self._clock = table, wiring, table.world.clock.monotonic
        self._soldered_wiring = self._soldered(profile_of(wiring))
        lies, self._lying = self._lying, {}
        for uid, (place, _) in lies.items():
            self.lay_tag(uid, place)
        self._lift_at = None if self._lift_at is None else table.world.now + HOLD_TIME
        return table

    def lift_when_due(self) -> None:
        """Lift a card that has been held on a reader long enough."""
        if self._lift_at is not None and self._table.world.now >= self._lift_at:
            self.lift_all()

    def act_on_view(self, action: str, view: SetupView, number_of_kind: int) -> int | None:
        """Act once on what the view asks; return the seat whose lamp shines, if that is asked."""
        if self._lift_at is not None:
            return None  # It still holds a card on a reader.
        if action == "off" or (action == "asked" and self._lying):
            self.lift_all()
            return None
        wrong = action == "wrong"
        match view.step:
            case "banks":
                self._lay_card(view, wrong)
            case "buttons":
                self.press_button(self._wrong_number(view) if wrong else view.asked)
            case "lamps":
                return self._wrong_number(view) if wrong else self._shining_seat()
            case "stickers":
                self._lay_sticker(view, number_of_kind, wrong)
            case "check":
                self._sweep_next(wrong)
        return None

    def lift_all(self) -> None:
        """Take everything off the table."""
        for _, tag in self._lying.values():
            self._table.world.lift(tag)
        self._lying.clear()
        self._lift_at = None

    # What it does at each step.

    def _lay_card(self, view: SetupView, wrong: bool) -> None:
        if not wrong:
            self._hold_tag(CARD, view.asked)
            return
        place = self._wrong_number(view)
        self.lay_tag(CARD, place)
        if place not in (place for place, how in view.found if how == "found"):
            self.lay_tag(OTHER, next(p for p in self._soldered_wiring.readers if p != place))

    def _wrong_number(self, view: SetupView) -> int:
        """Return a place or seat that was found before, else one that is not asked for."""
        known = [number for number, how in view.found if how == "found"]
        others = [number for number, _ in view.found if number != view.asked]
        return known[0] if known else [view.asked, *others][-1]

    def press_button(self, seat: int) -> None:
        for called, pin in self._known_wiring.buttons.items():
            if pin == self._soldered_wiring.buttons.get(seat):
                self._table.world.tap(called)

    def _shining_seat(self) -> int:
        """Return the seat at which a lamp really shines; 0 for none."""
        lit = {
            pin
            for seat, pin in self._known_wiring.lamps.items()
            if self._table.world.is_lamp_lit(seat)
        }
        return next((seat for seat, pin in self._soldered_wiring.lamps.items() if pin in lit), 0)

    def _lay_sticker(self, view: SetupView, number_of_kind: int, wrong: bool) -> None:
        if wrong:
            self.lay_tag(CLASSIC, min(self._soldered_wiring.readers))
        elif view.thing:
            self._hold_tag(sticker_uid(view.thing, number_of_kind), self._working_place())

    def _working_place(self) -> int:
        """Return a place whose reader answers."""
        well = [c.place for c in self._table.conditions() if c.word == "well"]
        address = self._known_wiring.readers[well[0]] if well else None
        found = [
            place for place, other in self._soldered_wiring.readers.items() if other == address
        ]
        return found[0] if found else min(self._soldered_wiring.readers)

    def _sweep_next(self, wrong: bool) -> None:
        """Lay a tag that is not in the deck, or sweep the next things of the box."""
        if wrong:
            self.lay_tag(STRANGER, min(self._soldered_wiring.readers))
            return
        for place in self._soldered_wiring.readers:
            if self.pile:
                self._hold_tag(self.pile.pop(0), place)

    def take_box(self, holds: Mapping[str, int]) -> None:
        """Pile up everything in the box, to be swept over the readers."""
        self.pile = [sticker_uid(thing, n) for thing in holds for n in range(1, holds[thing] + 1)]

    def _hold_tag(self, uid: str, place: int) -> None:
        self.lay_tag(uid, place)
        self._lift_at = self._table.world.now + HOLD_TIME

    def lay_tag(self, uid: str, place: int) -> None:
        """Lay a tag on the reader that is really soldered at this place."""
        tag = tag_of(uid)
        self._lying[uid] = (place, tag)
        address = self._soldered_wiring.readers.get(place)
        for called, other in self._known_wiring.readers.items():
            if other == address:
                self._lay_askew(tag, chip_number(self._table.wiring, called))

    def _lay_askew(self, tag: Tag, reader: int) -> None:
        """Lay a card with its sticker in any slot, either way round, as a hand does."""
        world, slot = self._table.world, self._chance.randrange(len(SLOTS))
        world.lay(tag, reader, draw_pose(slot, world.air.slot_pitch, self._chance))
