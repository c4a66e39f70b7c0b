"""The steps that find wires: the readers of the places, the buttons and the lamps of the seats.

Whether a reader lies under its place or beside it is chosen at the same step as where it lies.

Laws: every find is in the wiring on disk before it is shown. The wires are opened anew only when
the step is left, because that takes a moment in which no reader is heard.
"""

import secrets
from typing import Literal

import msgspec

from companion.app.physical_table import PhysicalTable
from companion.app.setup.memory import SetupMemory
from companion.app.setup.running_step import RunningStep
from companion.app.state_files import say_without_folder
from companion.app.wires import profile_of, save_wiring
from companion.core.deck import MARK_BYTES, Deck
from companion.core.durable_files import second_of_two_writes
from companion.core.errors import Malformed, Refusal
from companion.core.i18n import Message, message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp, PlaceMode
from companion.setup import ButtonSearch, LampSearch, ReaderSearch, SetupView, WizardAction
from companion.setup.wire_search import Tour, WireSearch, start_tour
from companion.tracking.game_tracking import tap_places
from hardware.wiring import Wiring

WireKind = Literal["banks", "buttons", "lamps"]
replace = msgspec.structs.replace


class FindWiresStep(RunningStep):
    """The search for the wires of one kind, with every find saved to disk."""

    def __init__(self, step: WireKind, source: PhysicalTable, memory: SetupMemory) -> None:
        self._step, self._source, self._memory = step, source, memory
        known = memory.saved.for_profile(profile_of(source.wires.wiring)).found.get(step, ())
        self._search = self._start_search(start_tour(self._wire_numbers, known))
        self._modes: dict[int, PlaceMode] = {**source.wires.wiring.modes}

    @property
    def _wire_numbers(self) -> tuple[int, ...]:
        wiring = self._source.wires.wiring
        wires = {"banks": wiring.readers, "buttons": wiring.buttons, "lamps": wiring.lamps}
        return tuple(wires[self._step])

    def _start_search(self, tour: Tour) -> WireSearch:
        if self._step == "banks":
            search = ReaderSearch(tour, marks=Deck({}, secrets.token_hex(MARK_BYTES)))
            return search.start_over_lying(self._source.table.reports.current_evidence())
        return ButtonSearch(tour) if self._step == "buttons" else LampSearch(tour)

    def add_to_view(self, view: SetupView) -> SetupView:
        """Add the place or seat that is asked for, and those that were found."""
        search, states = self._search, self._search.states()
        may = {*view.may}
        may |= {"skip"} if search.asked else set()
        may |= {"undo", "again"} if search.tour.steps else set()
        return replace(
            view,
            asks=search.instruction,
            says=search.says,
            trouble=search.trouble,
            asked=0 if self._step == "lamps" else search.asked,
            found=states,
            done=sum(how == "found" for _, how in states),
            total=len(states),
            missing=self._silent_readers() if self._step == "banks" else (),
            modes=self._list_modes() if self._step == "banks" else (),
            may=frozenset(may),
        )

    def _silent_readers(self) -> tuple[Message, ...]:
        silent = sum(condition.word == "offline" for condition in self._source.reader_conditions())
        text = "Readers that do not answer: {n}. Look after their cables, or leave them out."
        return (message(text, n=silent),) if silent else ()

    def _list_modes(self) -> tuple[tuple[int, PlaceMode], ...]:
        """Return how each reader lies: as chosen, or as the box on the table has it."""
        beside = tap_places(self._source.table.rules.tracking, self._modes)
        return tuple((n, "tap" if n in beside else "presence") for n in self._wire_numbers)

    def choose_mode(self, place: int, mode: PlaceMode) -> bool:
        """Save where the reader of a place lies, if it has one."""
        if self._step != "banks" or place not in self._wire_numbers:
            return False
        before, self._modes = self._modes, {**self._modes, place: mode}
        try:
            save_wiring(self._source.folder, self._learnt_wiring(self._search))
        except Malformed:
            self._modes = before
            raise
        return True

    def take_evidence(self, evidence: Evidence) -> tuple[bool, bool]:
        """Take in evidence; keep presses from the game unless places are asked for."""
        before = self._search
        try:
            self._save_and_update(before.take_evidence(evidence))
        except Malformed as error:
            self._search = replace(before, trouble=True, says=say_without_folder(error))
        is_kept = isinstance(evidence, ButtonPressed) and self._step != "banks"
        return self._search != before, is_kept

    def lamp(self, seat: int) -> Lamp:
        return self._search.lamp(seat)

    def locate_lamp(self, seat: int) -> bool:
        """Answer the search for the lamps."""
        if not isinstance(self._search, LampSearch) or not self._search.asked:
            return False
        self._save_and_update(self._search.locate(seat))
        return True

    def apply_action(self, action: WizardAction) -> bool:
        """Leave out, take back, or begin again, if there is something to."""
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

    def _save_and_update(self, search: WireSearch) -> None:
        """Save what the search found, then continue with it; NotWritten leaves all as it was."""
        learnt, before = search.learnt, self._search.learnt
        if learnt != before:
            self._save_search(search, forgets=len(learnt) < len(before))
        self._search = search

    def _save_search(self, search: WireSearch, *, forgets: bool) -> None:
        """Save in an order in which a power cut may lose the last find, but never misplace it."""
        learnt = self._learnt_wiring(search)
        profile, found = profile_of(learnt), tuple(sorted(search.learnt))

        def save_wires() -> None:
            save_wiring(self._source.folder, learnt)

        def save_finds() -> None:
            self._memory.change(
                lambda saved: saved.for_profile(profile).with_found(self._step, found)
            )

        first, second = (save_finds, save_wires) if forgets else (save_wires, save_finds)
        first()
        with second_of_two_writes():
            second()

    def _learnt_wiring(self, search: WireSearch) -> Wiring:
        wiring, found = self._source.wires.wiring, search.learnt
        match self._step:
            case "banks":
                return replace(wiring.with_learnt(places=found), modes=self._modes)
            case "buttons":
                return wiring.with_learnt(buttons=found)
        return wiring.with_learnt(lamps=found)

    def leave(self) -> Refusal | None:
        """Open the wires as they were learnt, if that changes them."""
        learnt = self._learnt_wiring(self._search)
        wiring = self._source.wires.wiring
        is_current = learnt.leads_same(wiring) and learnt.modes == wiring.modes
        return None if is_current else self._source.rewire(learnt)
