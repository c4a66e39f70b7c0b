"""The steps of the set-up that sense something: the walks to the wires and stickers, and the check.

Laws: what is found is on disk before it is shown; what cannot be written has not been found. A step
that is left hands over what it learnt: the wires are opened anew only then, because that takes a
moment in which no reader is heard, and the table gets the deck.
"""

import secrets
from abc import ABC, abstractmethod
from datetime import date
from typing import Literal

import msgspec

from companion.app.physical_table import PhysicalTable
from companion.app.settings import deck_path
from companion.app.setup.memory import SetupMemory
from companion.app.state_files import say_without_folder
from companion.app.wires import profile_of, save_wiring
from companion.core.deck import MARK_BYTES, Deck, count_missing, list_pieces
from companion.core.durable_files import second_of_two_writes
from companion.core.errors import Malformed, Refusal
from companion.core.i18n import Message, message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp, PlaceMode
from companion.host.host import Host
from companion.setup.deck_file import save_deck
from companion.setup.steps import SetupView, WizardAction
from companion.setup.stickers import StickerWalk, begin_stickers
from companion.setup.walk import Walk
from companion.setup.wires import (
    ButtonWalk,
    LampWalk,
    ReaderWalk,
    WireWalk,
    learnt_wires,
    remember_found,
)
from companion.tracking.game_tracking import tap_places
from hardware.wiring import Wiring

WireKind = Literal["banks", "buttons", "lamps"]
AnyWalk = Walk[int, int] | Walk[str, str]
replace = msgspec.structs.replace


class RunningStep(ABC):
    """A step under way; a method that takes a person's input returns whether it is expected now."""

    @abstractmethod
    def add_to_view(self, view: SetupView) -> SetupView:
        """Return the view with what this step shows."""

    @abstractmethod
    def take_evidence(self, evidence: Evidence) -> tuple[bool, bool]:
        """Take in evidence; return (whether the view changed, whether to keep it from the game)."""

    @abstractmethod
    def lamp(self, seat: int) -> Lamp:
        """Return what the lamp of a seat shows, by the wiring as it is now."""

    @abstractmethod
    def apply_action(self, action: WizardAction) -> bool:
        """Leave out, take back, make new, or begin again."""

    def run_due_work(self) -> bool:
        """Do what is due by now; return whether the view changed."""
        return False

    @abstractmethod
    def leave(self) -> Refusal | None:
        """Hand over what was learnt; return why it cannot be used."""


class WalkStep(RunningStep):
    """A walk under way, with every find saved to disk."""

    walk: AnyWalk

    @abstractmethod
    def save(self, walk: AnyWalk) -> None:
        """Save what this walk found; NotWritten leaves all as it was."""

    def add_to_view(self, view: SetupView) -> SetupView:
        """Add what is asked for and what happened last."""
        walk, may = self.walk, {*view.may}
        may |= {"skip"} if walk.asked is not None else set()
        may |= {"undo"} if walk.before is not None else set()
        may |= {"renew"} if walk.may_renew else set()
        may |= {"again"} if walk.found or walk.left_out else set()
        return replace(
            view,
            asks=walk.instruction,
            says=walk.news,
            trouble=walk.in_trouble,
            good=walk.good and not walk.in_trouble,
            done=len(walk.found),
            total=len(walk.wanted),
            may=frozenset(may),
        )

    def take_evidence(self, evidence: Evidence) -> tuple[bool, bool]:
        """Take in evidence; keep presses from the game."""
        before = self.walk
        try:
            self._go_on(before.take_evidence(evidence))
        except Malformed as error:
            self.walk = before.complain(say_without_folder(error))
        return self.walk is not before, isinstance(evidence, ButtonPressed)

    def lamp(self, seat: int) -> Lamp:
        return self.walk.lamp(seat)

    def apply_action(self, action: WizardAction) -> bool:
        """Leave out, take back, make new, or begin again, if there is something to."""
        walk = self.walk
        does = {"skip": walk.skip, "undo": walk.undo, "renew": walk.renew, "again": walk.restart}
        return self._go_on(does[action]())

    def _go_on(self, walk: AnyWalk) -> bool:
        """Save what the walk found, then go on with it; return whether it is another one."""
        if walk.found != self.walk.found:
            self.save(walk)
        is_new, self.walk = walk is not self.walk, walk
        return is_new


class WiresStep(WalkStep):
    """The search for the wires of one kind; how a reader lies is chosen where it is found."""

    walk: WireWalk

    def __init__(self, step: WireKind, source: PhysicalTable, memory: SetupMemory) -> None:
        self._step, self._source, self._memory = step, source, memory
        wiring = source.wires.wiring
        wires = {"banks": wiring.readers, "buttons": wiring.buttons, "lamps": wiring.lamps}
        wanted = tuple(sorted(wires[step]))
        known = memory.saved.for_profile(profile_of(wiring)).found.get(step, ())
        self._modes: dict[int, PlaceMode] = {**wiring.modes}
        if step == "banks":
            search = ReaderWalk(wanted=wanted, marks=Deck({}, secrets.token_hex(MARK_BYTES)))
            lying = source.table.reports.current_evidence()
            self.walk = remember_found(search, known).over_lying(lying)
        else:
            search_seats = ButtonWalk if step == "buttons" else LampWalk
            self.walk = remember_found(search_seats(wanted=wanted), known)

    def add_to_view(self, view: SetupView) -> SetupView:
        """Add the place or seat that is asked for, and those that were found."""
        asked = 0 if self._step == "lamps" else self.walk.asked or 0
        view = replace(super().add_to_view(view), asked=asked, found=self.walk.states())
        if self._step != "banks":
            return view
        return replace(view, missing=self._silent_readers(), modes=self._list_modes())

    def _silent_readers(self) -> tuple[Message, ...]:
        silent = sum(condition.word == "offline" for condition in self._source.reader_conditions())
        text = "Readers that do not answer: {n}. Look after their cables, or leave them out."
        return (message(text, n=silent),) if silent else ()

    def _list_modes(self) -> tuple[tuple[int, PlaceMode], ...]:
        """Return how each reader lies: as chosen, or as the box on the table has it."""
        beside = tap_places(self._source.table.rules.tracking, self._modes)
        return tuple((n, "tap" if n in beside else "presence") for n in self.walk.wanted)

    def take_evidence(self, evidence: Evidence) -> tuple[bool, bool]:
        """Take in evidence; keep presses from the game unless places are asked for."""
        changed, is_kept = super().take_evidence(evidence)
        return changed, is_kept and self._step != "banks"

    def choose_mode(self, place: int, mode: PlaceMode) -> bool:
        """Save whether the reader of a place lies under it or beside it, if it has one."""
        if self._step != "banks" or place not in self.walk.wanted:
            return False
        before, self._modes = self._modes, {**self._modes, place: mode}
        try:
            save_wiring(self._source.folder, self._learnt_wiring(self.walk))
        except Malformed:
            self._modes = before
            raise
        return True

    def locate_lamp(self, seat: int) -> bool:
        """Take in at which seat the lamp shines; 0 for none."""
        return isinstance(self.walk, LampWalk) and self._go_on(self.walk.locate(seat))

    def save(self, walk: AnyWalk) -> None:
        """Save in an order in which a power cut may lose the last find, but never misplace it."""
        assert not isinstance(walk, StickerWalk)
        learnt = self._learnt_wiring(walk)  # type: ignore[arg-type]
        profile, found = profile_of(learnt), tuple(sorted(learnt_wires(walk)))  # type: ignore[arg-type]

        def save_wires() -> None:
            save_wiring(self._source.folder, learnt)

        def save_finds() -> None:
            self._memory.change(
                lambda saved: saved.for_profile(profile).with_found(self._step, found)
            )

        forgets = len(walk.found) < len(self.walk.found)
        first, second = (save_finds, save_wires) if forgets else (save_wires, save_finds)
        first()
        with second_of_two_writes():
            second()

    def _learnt_wiring(self, walk: WireWalk) -> Wiring:
        wiring, found = self._source.wires.wiring, learnt_wires(walk)
        match self._step:
            case "banks":
                return replace(wiring.with_learnt(places=found), modes=self._modes)
            case "buttons":
                return wiring.with_learnt(buttons=found)
        return wiring.with_learnt(lamps=found)

    def leave(self) -> Refusal | None:
        """Open the wires as they were learnt, if that changes them."""
        learnt, wiring = self._learnt_wiring(self.walk), self._source.wires.wiring
        is_current = learnt.leads_same(wiring) and learnt.modes == wiring.modes
        return None if is_current else self._source.rewire(learnt)


class StickerStep(WalkStep):
    """Enrolment of the stickers of the box."""

    walk: StickerWalk

    def __init__(self, source: PhysicalTable) -> None:
        self._source, rules = source, source.table.rules
        refused = source.change_box(rules)  # What is on disk counts, whoever wrote it.
        self._enrolled = source.deck or Deck({}, secrets.token_hex(MARK_BYTES))
        holds = {} if refused is not None else rules.box.tagged_pieces()
        lying = source.table.reports.current_evidence()
        self.walk = begin_stickers(holds, self._enrolled, lying)
        if refused is not None:
            self.walk = self.walk.complain(refused.say)

    def add_to_view(self, view: SetupView) -> SetupView:
        """Add the thing that is asked for, and what is still to come."""
        walk = self.walk
        left = count_missing(self._source.table.rules.box.tagged_pieces(), walk.found.values())
        complete = message("The deck is complete: {total} of {total}.", total=len(walk.wanted))
        over = (
            message("Not enrolled yet: {things}.", things=list_pieces(left)) if left else complete
        )
        asks = walk.instruction if walk.asked is not None else over
        return replace(
            super().add_to_view(view),
            asks=asks if walk.wanted else None,
            thing=walk.asked or "",
            slot=walk.slot,
            missing=tuple(list_pieces(left)) if walk.wanted else (),
        )

    def save(self, walk: AnyWalk) -> None:
        """Save the deck."""
        assert isinstance(walk, StickerWalk)
        box = self._source.table.rules.box
        path = deck_path(box.game, self._source.folder)
        save_deck(path, walk.deck, box, date.today().isoformat())

    def leave(self) -> Refusal | None:
        """Give the deck to the table, if it has changed."""
        as_it_was = self.walk.deck == self._enrolled
        return None if as_it_was else self._source.change_box(self._source.table.rules)


class BoxCheckStep(RunningStep):
    """The check of the host: everything of the box passes a reader once."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._refused = host.start_box_check()

    @property
    def is_complete(self) -> bool:
        """Whether everything of the box was enrolled, and has passed."""
        checked = self._host.box_check()
        return checked is not None and checked.done and not checked.never

    def add_to_view(self, view: SetupView) -> SetupView:
        """Add what is missing."""
        checked = self._host.box_check()
        if checked is None:
            says = self._refused.say if self._refused else None
            may = view.may | {"again"}
            return replace(view, says=says, trouble=says is not None, may=may)
        sweep = message("Lay everything on any reader, in any order, or sweep it over.")
        never = (
            message("Not enrolled yet: {things}.", things=checked.never) if checked.never else None
        )
        return replace(
            view,
            asks=never if checked.done else sweep,
            says=checked.says if checked.odd or checked.done else None,
            trouble=checked.odd,
            good=checked.done and not checked.odd,
            done=checked.seen,
            total=checked.total,
            missing=checked.missing,
            may=view.may | {"again"},
        )

    def take_evidence(self, _evidence: Evidence) -> tuple[bool, bool]:
        """Leave it: the host's check has taken it in already, and buttons belong to the game."""
        return False, False

    def run_due_work(self) -> bool:
        """Begin the check once readers that were just set up have reported."""
        waits = self._refused is not None and self._refused.code == "no_readers"
        if not waits or not self._host.table.reports.is_listening:
            return False
        self._refused = self._host.start_box_check()
        return True

    def lamp(self, _seat: int) -> Lamp:
        checked = self._host.box_check()
        if checked is None or (checked.done and not checked.odd):
            return "off"
        return "fast" if checked.odd else "on"

    def apply_action(self, action: WizardAction) -> bool:
        """Begin the check again; no other action makes sense."""
        if action == "again":
            self._refused = self._host.start_box_check()
        return action == "again"

    def leave(self) -> Refusal | None:
        self._host.stop_box_check()
        return None
