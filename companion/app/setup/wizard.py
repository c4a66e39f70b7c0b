"""The set-up of a physical table: it runs the steps that the host's page or a terminal shows.

Laws: everything runs on the loop's thread. What was learnt is on disk before it is shown; the wires
follow when the step is left. Readers and buttons belong to the set-up only while somebody looks at
it, and never while a game is under way.
"""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from companion.app.physical_table import PhysicalTable
from companion.app.setup.memory import SetupMemory
from companion.app.setup.overview import (
    change_wiring,
    list_left_undone,
    list_wirings,
    make_overview,
    needless_steps,
)
from companion.app.setup.running_steps import (
    BoxCheckStep,
    RunningStep,
    StickerStep,
    WiresStep,
)
from companion.app.state_files import say_without_folder
from companion.core.durable_files import second_of_two_writes
from companion.core.errors import Malformed, NotWritten, Refusal, refusal
from companion.core.i18n import message
from companion.core.log_lines import log_line
from companion.core.sensor_events import Evidence, Lamp, PlaceMode
from companion.games import game_names, make_rulebook
from companion.host.host import Host
from companion.journal import JournalFailed
from companion.setup.steps import STEPS, SetupView, WizardAction, WizardStep

if TYPE_CHECKING:
    from companion.app.setup.rehearsal_hand import RehearsalHand

LOG = logging.getLogger("companion.app")
replace = msgspec.structs.replace
REMIND_AFTER, LEAVE_AFTER = 40.0, 60.0
"""Seconds without a page asking: then pages are told to ask again; then the step is left."""


class SetupWizard:
    """The set-up of one table; config or command line may fix its wiring profile."""

    def __init__(
        self,
        host: Host,
        source: PhysicalTable,
        fixed_profile: str | None = None,
        hand: "RehearsalHand | None" = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._host, self._source, self._hand, self._clock = host, source, hand, clock
        self._offers = list_wirings(fixed_profile)  # Read once: its file may change.
        self.memory = SetupMemory(source.folder)
        self.memory.forget_if_rewired(source.wires.wiring)
        self._played = host.journal.newest_game() is not None
        self._step = self._first_open_step()
        self._running_step: RunningStep | None = None
        self._last_viewed, self._reminded = 0.0, True
        host.register_setup(intercept=self._intercept, before_game=self._leave_step)
        source.override_lamps(self._override_lamp)

    # What pages ask for.

    @property
    def is_set_up(self) -> bool:
        """Return whether the wizard was finished, or a game was played here without it."""
        return self._played or self.memory.saved.set_up

    def view(self) -> SetupView:
        """Return the whole state; asking for it keeps readers and buttons listening."""
        return self._host.run_on_loop(self._make_view)

    def go_to(self, step: WizardStep) -> Refusal | None:
        """Leave the current step and go to this one."""
        return self._run_between_games(lambda: self._go_to(step))

    def finish_step(self, step: WizardStep) -> Refusal | None:
        """Go on from this step to the next one, if it is the current one."""
        return self._run_between_games(lambda: self._finish_step() if self._step == step else None)

    def choose_box(self, game: str) -> Refusal | None:
        """Put this box on the table."""
        return self._run_between_games(lambda: self._choose_box(game))

    def choose_wiring(self, profile: str) -> Refusal | None:
        """Use the wiring of this profile."""
        return self._run_between_games(lambda: self._choose_wiring(profile))

    def locate_lamp(self, seat: int) -> Refusal | None:
        """Tell the running step at which seat the lamp shines; 0 for none."""
        return self._run_between_games(
            lambda: self._tell_step(
                lambda step: isinstance(step, WiresStep) and step.locate_lamp(seat)
            )
        )

    def choose_mode(self, place: int, mode: PlaceMode) -> Refusal | None:
        """Tell the running step where the reader of a place lies."""
        return self._run_between_games(
            lambda: self._tell_step(
                lambda step: isinstance(step, WiresStep) and step.choose_mode(place, mode)
            )
        )

    def apply_action(self, action: WizardAction, step: WizardStep) -> Refusal | None:
        """Apply an action to this step, if it is the current one."""
        apply = partial(self._tell_step, lambda running: running.apply_action(action))
        return self._run_between_games(lambda: apply() if self._step == step else None)

    def move_hand(self, action: str) -> Refusal | None:
        """Let the simulated hand of a rehearsal act."""
        return self._run_between_games(lambda: self._move_hand(action))

    def finish_setup(self) -> Refusal | None:
        """Mark the table as set up."""
        return self._run_between_games(self._finish_setup)

    # What the table does.

    def run_due_work(self) -> None:
        """Run what is due; remind pages and leave the step once no page asks any more."""
        if self._hand is not None:
            self._hand.lift_when_due()
        if self._running_step is not None and self._running_step.run_due_work():
            self._source.table.notify_watchers()
        quiet = self._clock() - self._last_viewed
        if self._running_step is not None and quiet > LEAVE_AFTER:
            self._leave_step()
        elif self._running_step is not None and quiet > REMIND_AFTER and not self._reminded:
            self._reminded = True
            self._source.table.notify_watchers()

    def _intercept(self, evidence: Evidence) -> bool:
        """Give evidence to the running step; return whether it is kept from the game."""
        if self._running_step is None or not self._source.table.history.is_over:
            return False
        changed, is_kept = self._running_step.take_evidence(evidence)
        if changed:
            self._source.table.notify_watchers()
        return is_kept

    def _override_lamp(self, seat: int, lamp: Lamp) -> Lamp:
        if self._running_step is None or not self._source.table.history.is_over:
            return lamp
        return self._running_step.lamp(seat)

    # How it is done.

    def _run_between_games(self, action: Callable[[], Refusal | None]) -> Refusal | None:
        """Run an action on the loop; refuse it while a game is under way or if writing fails."""

        def run() -> Refusal | None:
            table = self._source.table
            if not table.history.is_over:
                return refusal("under_way", table.rules.start_rule, "A game is under way.")
            self._resume_step()
            try:
                return action()
            except NotWritten as error:
                return Refusal(error.code, "T.host", say_without_folder(error))
            except Malformed as error:
                return Refusal("not_written", "T.host", say_without_folder(error))
            except JournalFailed as failed:
                return Refusal("not_written", "T.host", failed.say)
            finally:
                table.notify_watchers()

        return self._host.run_on_loop(run)

    def _resume_step(self) -> None:
        """Note that a page asked, and start the current step if it was left meanwhile."""
        self._last_viewed, self._reminded = self._clock(), False
        if self._running_step is None and self._source.table.history.is_over:
            self._start_step()

    def _start_step(self) -> None:
        """Start the current step where it was left, if it senses anything."""
        match self._step:
            case "banks" | "buttons" | "lamps":
                self._running_step = WiresStep(self._step, self._source, self.memory)
            case "stickers":
                self._running_step = StickerStep(self._source)
            case "check":
                self._running_step = BoxCheckStep(self._host)

    def _leave_step(self) -> Refusal | None:
        """End the running step: the table takes over the wires or the deck that it learnt."""
        step, self._running_step = self._running_step, None
        refused = step.leave() if step is not None else None
        self.memory.forget_if_rewired(self._source.wires.wiring)
        return refused

    def _go_to(self, step: WizardStep) -> Refusal | None:
        if step in needless_steps(self._source.wires.wiring):
            return refusal("no_step", "T.host", "This table has nothing to set up there.")
        running = self._running_step
        if isinstance(running, BoxCheckStep) and running.is_complete:
            self.memory.change(lambda saved: saved.with_done("check"))
        refused = self._leave_step()
        self._step = step
        LOG.info(log_line("setup_step", step=step))
        self._resume_step()
        return refused

    def _finish_step(self) -> Refusal | None:
        position = STEPS.index(self._step)
        after = [
            step
            for step in STEPS[position + 1 :]
            if step not in needless_steps(self._source.wires.wiring)
        ]
        finished = self._step
        if finished != "check":  # A check is done once the box is complete (_go_to).
            self.memory.change(lambda saved: saved.with_done(finished))
        return self._go_to(after[0]) if after else None

    def _finish_setup(self) -> Refusal | None:
        self.memory.change(lambda saved: replace(saved.with_done("done"), set_up=True))
        LOG.info(log_line("setup_finished"))
        return self._go_to("done")

    def _tell_step(self, tell: Callable[[RunningStep], bool]) -> Refusal | None:
        """Pass a person's input to the running step; refuse it where it is not expected."""
        if self._running_step is None or not tell(self._running_step):
            return refusal("nothing_asked", "T.host", "Nothing asks for that now.")
        return None

    def _move_hand(self, action: str) -> Refusal | None:
        self._source.poll()  # Set the lamps before the hand looks at them.
        view = self._make_view()
        if self._hand is None or action not in self._hand.actions:
            return refusal("no_hand", "T.host", "There is no hand here that could do that.")
        if self._step == "check" and not self._hand.pile:
            self._hand.take_box(self._source.table.rules.box.tagged_pieces())
        running = self._running_step
        nth = running.walk.number if isinstance(running, StickerStep) else 1
        seat = self._hand.act_on_view(action, view, nth)
        if seat is not None and isinstance(running, WiresStep):
            running.locate_lamp(seat)
        return None

    def _choose_box(self, game: str) -> Refusal | None:
        if game not in game_names():
            return refusal("no_box", "T.host", "There is no such box here.")
        self._leave_step()
        self._step = "box"
        before = self._source.table.rules
        if game != before.box.game:
            refused = self._source.change_box(make_rulebook(game))
            if refused is not None:
                return refused
        after = self._host.journal.newest_game() or ""
        try:
            self.memory.change(
                lambda saved: replace(
                    (saved if game == before.box.game else saved.without_check()).with_done("box"),
                    game=game,
                    after=after,
                )
            )
        except NotWritten:  # Then the box does not change either.
            self._source.change_box(before)
            raise
        return None

    def _choose_wiring(self, profile: str) -> Refusal | None:
        self._leave_step()
        self._step = "wiring"
        refused = change_wiring(self._source, profile, self._offers)
        if refused is None:
            with second_of_two_writes():
                self.memory.change(lambda saved: saved.with_done("wiring"))
        return refused

    def _first_open_step(self) -> WizardStep:
        """Return the first step that is neither gone through nor needless."""
        past = {*self.memory.saved.done, *needless_steps(self._source.wires.wiring)}
        return next((step for step in STEPS if step not in past), "done")

    # What is shown.

    def _make_view(self) -> SetupView:
        under_way = not self._source.table.history.is_over
        if not under_way:
            self._resume_step()
        step = self._running_step
        view = make_overview(self._source, self.memory, self._step, self._offers)
        if self._hand is not None and step is not None:
            view = replace(view, hands=self._hand.actions)
        if under_way:
            says = message("A game is under way.")
            return replace(view, says=says, trouble=True, may=frozenset())
        trouble = self._source.wires.trouble
        if trouble is not None and (step is not None or self._step == "wiring"):
            return replace(view, says=trouble, trouble=True)
        if self._step == "done":
            undone = list_left_undone(self._source, self.memory)
            return replace(view, missing=tuple(undone.values()))
        return view if step is None else step.add_to_view(view)
