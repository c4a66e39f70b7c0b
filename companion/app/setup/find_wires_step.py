"""Learning which wire leads where: the readers of the places, the buttons and lamps of the seats.

Law: every find is in the wiring on disk before it is shown; the wires themselves follow when the
step is left, because to open others takes a moment in which nobody is heard.

A step of the first start at which something is sensed, for as long as it is under way.

Laws: what is found is on disk before it is shown; what cannot be written has not been found. A step
that is left hands over what it learnt: the wires to the table, the deck to its eyes.
"""

import secrets
from abc import ABC, abstractmethod
from typing import Literal

import msgspec

from companion.app.physical_table import PhysicalTable
from companion.app.setup.overview import Memory
from companion.app.state_files import say_without_folder
from companion.app.wires import profile_of, save_wiring
from companion.core.deck import MARK_BYTES, Deck
from companion.core.errors import Malformed, Refusal
from companion.core.i18n import Message, message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.setup import Act, ButtonSearch, LampSearch, ReaderSearch, Showing
from companion.setup.wire_search import Tour, WireSearch, start_tour
from hardware.wiring import Wiring

Told = bool
"""Whether a step takes what a person says."""


class Stage(ABC):
    """One step that is under way."""

    @abstractmethod
    def shown(self, showing: Showing) -> Showing:
        """What the page shows of it."""

    @abstractmethod
    def heard(self, evidence: Evidence) -> tuple[bool, bool]:
        """Take in what was noticed: whether that changed anything, and whether it ends here."""

    @abstractmethod
    def lamp(self, seat: int) -> Lamp:
        """What the lamp of a seat shows, as the wires are now."""

    @abstractmethod
    def act(self, do: Act) -> Told:
        """Leave out, take back, make new, begin again."""

    def turn(self) -> bool:
        """Time has passed; whether that changed anything."""
        return False

    def lamp_at(self, _seat: int) -> Told:
        """Somebody says at which seat a lamp shines."""
        return False

    @abstractmethod
    def leave(self) -> Refusal | None:
        """It is over for now; why what was learnt cannot be used."""


Wire = Literal["banks", "buttons", "lamps"]
replace = msgspec.structs.replace


class Learning(Stage):
    """Which wire leads where: places, buttons or lamps."""

    def __init__(self, step: Wire, real: PhysicalTable, memory: Memory) -> None:
        self._step, self._real, self._memory = step, real, memory
        known = memory.found(profile_of(real.wires.wiring)).found.get(step, ())
        self._walk = self._begin(start_tour(self._numbers, known))

    @property
    def _numbers(self) -> tuple[int, ...]:
        wiring = self._real.wires.wiring
        wires = {"banks": wiring.readers, "buttons": wiring.buttons, "lamps": wiring.lamps}
        return tuple(wires[self._step])

    def _begin(self, tour: Tour) -> WireSearch:
        if self._step == "banks":
            walk = ReaderSearch(tour, marks=Deck({}, secrets.token_hex(MARK_BYTES)))
            return walk.start_over_lying(self._real.table.reports.current_evidence())
        return ButtonSearch(tour) if self._step == "buttons" else LampSearch(tour)

    def shown(self, showing: Showing) -> Showing:
        """The place or seat that is asked for, and those that were found."""
        walk, found = self._walk, self._walk.states()
        may = {*showing.may}
        may |= {"skip"} if walk.asked else set()
        may |= {"undo", "again"} if walk.tour.steps else set()
        return replace(
            showing,
            asks=walk.instruction,
            says=walk.says,
            trouble=walk.trouble,
            asked=0 if self._step == "lamps" else walk.asked,
            found=found,
            done=sum(how == "found" for _, how in found),
            total=len(found),
            missing=self._silent() if self._step == "banks" else (),
            may=frozenset(may),
        )

    def _silent(self) -> tuple[Message, ...]:
        silent = sum(condition.word == "offline" for condition in self._real.conditions())
        text = "Readers that do not answer: {n}. Look after their cables, or leave them out."
        return (message(text, n=silent),) if silent else ()

    def heard(self, evidence: Evidence) -> tuple[bool, bool]:
        """Presses end here where buttons or lamps are asked for."""
        changed = self._becomes(self._walk.take_evidence(evidence))
        return changed, isinstance(evidence, ButtonPressed) and self._step != "banks"

    def lamp(self, seat: int) -> Lamp:
        """What the walk shows."""
        return self._walk.lamp(seat)

    def lamp_at(self, seat: int) -> Told:
        """At the lamps it is the answer."""
        if not isinstance(self._walk, LampSearch) or not self._walk.asked:
            return False
        self._becomes(self._walk.locate(seat))
        return True

    def act(self, do: Act) -> Told:
        """Leave out, take back, or begin again."""
        steps = self._walk.tour.steps
        if do == "again" and steps:
            self._becomes(self._begin(Tour(self._walk.tour.numbers)))
        elif do == "undo" and steps:
            self._becomes(self._walk.undo())
        elif do == "skip" and self._walk.asked:
            self._becomes(self._walk.skip())
        else:
            return False
        return True

    def _becomes(self, walk: WireSearch) -> bool:
        """The walk goes on, what it found on disk first; whether anything changed."""
        before = self._walk
        if walk == before:
            return False
        try:
            if walk.learnt != before.learnt:
                self._write(walk, forgets=len(walk.learnt) < len(before.learnt))
            self._walk = walk
        except Malformed as error:
            self._walk = replace(before, trouble=True, says=say_without_folder(error))
        return True

    def _write(self, walk: WireSearch, *, forgets: bool) -> None:
        """What was found last may be lost by a power cut, but never said of another wire."""
        learnt = self._learnt(walk)
        kept = self._memory.found(profile_of(learnt))
        kept = kept.with_found(self._step, tuple(sorted(walk.learnt)))
        if forgets:
            self._memory.keep(kept)
        save_wiring(self._real.folder, learnt)
        self._memory.keep(kept)

    def _learnt(self, walk: WireSearch) -> Wiring:
        wiring, found = self._real.wires.wiring, walk.learnt
        match self._step:
            case "banks":
                return wiring.with_learnt(places=found)
            case "buttons":
                return wiring.with_learnt(buttons=found)
        return wiring.with_learnt(lamps=found)

    def leave(self) -> Refusal | None:
        """The wires are what was learnt of them."""
        learnt = self._learnt(self._walk)
        as_it_is = learnt.leads_same(self._real.wires.wiring)
        return None if as_it_is else self._real.rewire(learnt)
