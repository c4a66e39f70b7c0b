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
from companion.app.setup.overview import SetupMemory
from companion.app.state_files import say_without_folder
from companion.app.wires import profile_of, save_wiring
from companion.core.deck import MARK_BYTES, Deck
from companion.core.errors import Malformed, Refusal
from companion.core.i18n import Message, message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.setup import ButtonSearch, LampSearch, ReaderSearch, SetupView, WizardAction
from companion.setup.wire_search import Tour, WireSearch, start_tour
from hardware.wiring import Wiring

Told = bool
"""Whether a step takes what a person says."""


class RunningStep(ABC):
    """One step that is under way."""

    @abstractmethod
    def add_to_view(self, view: SetupView) -> SetupView:
        """What the page shows of it."""

    @abstractmethod
    def take_evidence(self, evidence: Evidence) -> tuple[bool, bool]:
        """Take in what was noticed: whether that changed anything, and whether it ends here."""

    @abstractmethod
    def lamp(self, seat: int) -> Lamp:
        """What the lamp of a seat shows, as the wires are now."""

    @abstractmethod
    def apply_action(self, action: WizardAction) -> Told:
        """Leave out, take back, make new, begin again."""

    def check_time(self) -> bool:
        """Time has passed; whether that changed anything."""
        return False

    def locate_lamp(self, _seat: int) -> Told:
        """Somebody says at which seat a lamp shines."""
        return False

    @abstractmethod
    def leave(self) -> Refusal | None:
        """It is over for now; why what was learnt cannot be used."""


WireKind = Literal["banks", "buttons", "lamps"]
replace = msgspec.structs.replace


class FindWiresStep(RunningStep):
    """Which wire leads where: places, buttons or lamps."""

    def __init__(self, step: WireKind, real: PhysicalTable, memory: SetupMemory) -> None:
        self._step, self._real, self._memory = step, real, memory
        known = memory.for_profile(profile_of(real.wires.wiring)).found.get(step, ())
        self._search = self._start_search(start_tour(self._wire_numbers, known))

    @property
    def _wire_numbers(self) -> tuple[int, ...]:
        wiring = self._real.wires.wiring
        wires = {"banks": wiring.readers, "buttons": wiring.buttons, "lamps": wiring.lamps}
        return tuple(wires[self._step])

    def _start_search(self, tour: Tour) -> WireSearch:
        if self._step == "banks":
            walk = ReaderSearch(tour, marks=Deck({}, secrets.token_hex(MARK_BYTES)))
            return walk.start_over_lying(self._real.table.reports.current_evidence())
        return ButtonSearch(tour) if self._step == "buttons" else LampSearch(tour)

    def add_to_view(self, view: SetupView) -> SetupView:
        """The place or seat that is asked for, and those that were found."""
        walk, found = self._search, self._search.states()
        may = {*view.may}
        may |= {"skip"} if walk.asked else set()
        may |= {"undo", "again"} if walk.tour.steps else set()
        return replace(
            view,
            asks=walk.instruction,
            says=walk.says,
            trouble=walk.trouble,
            asked=0 if self._step == "lamps" else walk.asked,
            found=found,
            done=sum(how == "found" for _, how in found),
            total=len(found),
            missing=self._silent_readers() if self._step == "banks" else (),
            may=frozenset(may),
        )

    def _silent_readers(self) -> tuple[Message, ...]:
        silent = sum(condition.word == "offline" for condition in self._real.reader_conditions())
        text = "Readers that do not answer: {n}. Look after their cables, or leave them out."
        return (message(text, n=silent),) if silent else ()

    def take_evidence(self, evidence: Evidence) -> tuple[bool, bool]:
        """Presses end here where buttons or lamps are asked for."""
        changed = self._save_and_update(self._search.take_evidence(evidence))
        return changed, isinstance(evidence, ButtonPressed) and self._step != "banks"

    def lamp(self, seat: int) -> Lamp:
        """What the walk shows."""
        return self._search.lamp(seat)

    def locate_lamp(self, seat: int) -> Told:
        """At the lamps it is the answer."""
        if not isinstance(self._search, LampSearch) or not self._search.asked:
            return False
        self._save_and_update(self._search.locate(seat))
        return True

    def apply_action(self, action: WizardAction) -> Told:
        """Leave out, take back, or begin again."""
        steps = self._search.tour.steps
        if action == "again" and steps:
            self._save_and_update(self._start_search(Tour(self._search.tour.numbers)))
        elif action == "undo" and steps:
            self._save_and_update(self._search.undo())
        elif action == "skip" and self._search.asked:
            self._save_and_update(self._search.skip())
        else:
            return False
        return True

    def _save_and_update(self, search: WireSearch) -> bool:
        """The walk goes on, what it found on disk first; whether anything changed."""
        before = self._search
        if search == before:
            return False
        try:
            if search.learnt != before.learnt:
                self._save_search(search, forgets=len(search.learnt) < len(before.learnt))
            self._search = search
        except Malformed as error:
            self._search = replace(before, trouble=True, says=say_without_folder(error))
        return True

    def _save_search(self, search: WireSearch, *, forgets: bool) -> None:
        """What was found last may be lost by a power cut, but never said of another wire."""
        learnt = self._learnt_wiring(search)
        kept = self._memory.for_profile(profile_of(learnt))
        kept = kept.with_found(self._step, tuple(sorted(search.learnt)))
        if forgets:
            self._memory.save(kept)
        save_wiring(self._real.folder, learnt)
        self._memory.save(kept)

    def _learnt_wiring(self, search: WireSearch) -> Wiring:
        wiring, found = self._real.wires.wiring, search.learnt
        match self._step:
            case "banks":
                return wiring.with_learnt(places=found)
            case "buttons":
                return wiring.with_learnt(buttons=found)
        return wiring.with_learnt(lamps=found)

    def leave(self) -> Refusal | None:
        """The wires are what was learnt of them."""
        learnt = self._learnt_wiring(self._search)
        as_it_is = learnt.leads_same(self._real.wires.wiring)
        return None if as_it_is else self._real.rewire(learnt)
