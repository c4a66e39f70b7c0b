"""The set-up of a physical table: the steps that the host's page or a terminal goes through.

Laws: everything runs on the loop's thread. What was found is on disk before it is shown, and what
cannot be written has not been found: which wires were found stands in the file that says where they
lead. The wires are opened anew only when their step is left, because no reader is heard for a
moment then, and only then the table gets the deck. Readers and buttons belong to the set-up only
while somebody looks at it, and never while a game is under way.
"""

import logging
import secrets
import time
from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import Concatenate, ParamSpec

import msgspec

from companion.app.physical_table import PhysicalTable
from companion.app.settings import deck_path
from companion.app.setup.overview import (
    change_box,
    change_wiring,
    list_left_undone,
    list_wirings,
    needless_steps,
    show_check,
    show_walk,
    wires_of,
)
from companion.app.wires import save_wiring
from companion.core.deck import MARK_BYTES, Deck
from companion.core.durable_files import say_without_folder, second_of_two_writes
from companion.core.errors import ExplainedError, Malformed, NotWritten, Refusal, refusal
from companion.core.i18n import message
from companion.core.log_lines import log_line
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp, PlaceMode
from companion.games import game_names
from companion.host.host import Host
from companion.host.settings import TableSettings
from companion.setup.deck_file import save_deck
from companion.setup.steps import STEPS, SetupView, StepState, WizardAction, WizardStep
from companion.setup.walk import Walk, begin_stickers, begin_wires
from hardware.wiring import Wiring

LOG = logging.getLogger("companion.app")
replace = msgspec.structs.replace
REMIND_AFTER, LEAVE_AFTER = 40.0, 60.0
"""Seconds without a page asking: then pages are told to ask again; then the step is left."""
P = ParamSpec("P")
Change = Callable[Concatenate["SetupWizard", P], Refusal | None]


def between_games(change: Change[P]) -> Change[P]:
    """Have a request of a page run on the loop; refuse it while a game is under way, or if it
    cannot be written."""

    @wraps(change)
    def request(wizard: "SetupWizard", /, *args: P.args, **kwargs: P.kwargs) -> Refusal | None:
        def run() -> Refusal | None:
            table = wizard.source.table
            if not table.history.is_over:
                return refusal("under_way", table.rules.start_rule, "A game is under way.")
            wizard.resume_step()
            try:
                return change(wizard, *args, **kwargs)
            except NotWritten as error:
                return Refusal(error.code, "T.host", say_without_folder(error))
            except ExplainedError as error:
                return Refusal("not_written", "T.host", error.say)
            finally:
                table.notify_watchers()

        return wizard.host.run_on_loop(run)

    return request


class SetupWizard:
    """The set-up of one table; config or command line may fix its wiring profile."""

    def __init__(
        self,
        host: Host,
        source: PhysicalTable,
        settings: TableSettings,
        fixed_profile: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.host, self.source, self._clock = host, source, clock
        self._offers = list_wirings(fixed_profile)  # Read once: its file may change.
        self.settings = settings
        self._played = host.journal.newest_game() is not None
        past = {*self.settings.saved.done, *needless_steps(source.wires.wiring)}
        self._step: WizardStep = next((step for step in STEPS if step not in past), "done")
        self._is_running = False
        """Whether readers and buttons belong to the current step."""
        self._walk: Walk | None = None
        self._learnt = source.wires.wiring
        """The wiring with this step's findings, as on disk."""
        self._refused: Refusal | None = None
        """Why the check of the box did not begin."""
        self._last_viewed, self._reminded = 0.0, True
        host.register_setup(intercept=self._intercept, before_game=self._leave_step)
        source.lamp_override = self._override_lamp

    # What pages ask for.

    @property
    def is_set_up(self) -> bool:
        """Return whether the wizard was finished, or a game was played here without it."""
        return self._played or self.settings.saved.set_up

    def view(self) -> SetupView:
        """Return the whole state; asking for it keeps readers and buttons listening."""
        return self.host.run_on_loop(self._make_view)

    # What the table does.

    def run_due_work(self) -> None:
        """Begin a check that waits for readers; remind pages, and leave the step once no page asks
        any more."""
        table, quiet = self.source.table, self._clock() - self._last_viewed
        if not self._is_running:
            return
        waits = self._refused is not None and self._refused.code == "no_readers"
        if waits and table.reports.is_listening:
            self._refused = self.host.start_box_check()
            table.notify_watchers()
        if quiet > LEAVE_AFTER:
            self._leave_step()
        elif quiet > REMIND_AFTER and not self._reminded:
            self._reminded = True
            table.notify_watchers()

    def _intercept(self, evidence: Evidence) -> bool:
        """Give evidence to the walk; return whether it is kept from the game."""
        walk = self._walk
        if walk is None or not self.source.table.history.is_over:
            return False
        try:
            self._save_walk(walk.take_evidence(evidence))
        except Malformed as error:
            self._walk = walk.complain(say_without_folder(error))
        if self._walk is not walk:
            self.source.table.notify_watchers()
        return isinstance(evidence, ButtonPressed) and walk.kind != "banks"

    def _override_lamp(self, seat: int, lamp: Lamp) -> Lamp:
        if not self._is_running or not self.source.table.history.is_over:
            return lamp
        if self._walk is not None:
            return self._walk.lamp(seat)
        checked = self.host.box_check()
        if checked is None or (checked.done and not checked.odd):
            return "off"
        return "fast" if checked.odd else "on"

    # From step to step.

    def resume_step(self) -> None:
        """Note that a page asked, and begin the current step where it was left, if it senses
        anything and was left meanwhile."""
        self._last_viewed, self._reminded = self._clock(), False
        source = self.source
        if self._is_running or not source.table.history.is_over:
            return
        wiring = self._learnt = source.wires.wiring
        lying, salt = source.table.reports.current_evidence, secrets.token_hex(MARK_BYTES)
        self._is_running = True
        match self._step:
            case "banks" | "buttons" | "lamps" as step:
                cards = lying() if step == "banks" else ()
                wires, known = wires_of(wiring)[step], wiring.found.get(step, ())
                self._walk = begin_wires(step, wires, known, salt, cards)
            case "stickers":
                rules = source.table.rules
                refused = source.change_box(rules)  # What is on disk counts, whoever wrote it.
                holds = rules.box.tagged_pieces() if refused is None else {}
                walk = begin_stickers(holds, source.deck or Deck({}, salt), lying())
                self._walk = walk if refused is None else walk.complain(refused.say)
            case "check":
                self._refused = self.host.start_box_check()
            case _:
                self._is_running = False

    def _leave_step(self) -> Refusal | None:
        """End the running step: the table takes over the wires or the deck that it learnt."""
        source, walk = self.source, self._walk
        if self._is_running and walk is None:
            self.host.stop_box_check()
        self._is_running, self._walk, self._refused = False, None, None
        if walk is None:
            return None
        if walk.kind == "stickers":
            is_same = walk.deck == (source.deck or Deck({}, walk.deck.salt))
            return None if is_same else source.change_box(source.table.rules)
        wiring, learnt = source.wires.wiring, self._learnt
        if learnt.leads_same(wiring) and learnt.modes == wiring.modes:
            source.wires.wiring = learnt
            return None
        return source.rewire(learnt)

    @between_games
    def go_to(self, step: WizardStep) -> Refusal | None:
        """Leave the current step and go to this one."""
        if step in needless_steps(self.source.wires.wiring):
            return refusal("no_step", "T.host", "This table has nothing to set up there.")
        checked = self.host.box_check() if self._step == "check" else None
        if checked is not None and checked.done and not checked.never:
            self.settings.change(lambda saved: saved.with_done("check"))
        refused = self._leave_step()
        self._step = step
        LOG.info(log_line("setup_step", step=step))
        self.resume_step()
        return refused

    @between_games
    def apply_action(self, action: WizardAction, step: WizardStep) -> Refusal | None:
        """Leave out, take back, make new, begin again, or go on to the next step, if this one is
        the current one."""
        if step != self._step:
            return None
        if action == "next":
            return self._finish_step()
        if action == "again" and self._step == "check":
            self._refused = self.host.start_box_check()
            return None
        does = {"skip": Walk.skip, "undo": Walk.undo, "renew": Walk.renew, "again": Walk.restart}
        return self._go_on(does[action])

    def _finish_step(self) -> Refusal | None:
        finished, needless = self._step, needless_steps(self.source.wires.wiring)
        if finished == "done":
            self.settings.change(lambda saved: replace(saved.with_done("done"), set_up=True))
            LOG.info(log_line("setup_finished"))
            return None
        if finished != "check":  # A check is done once the box is complete (go_to).
            self.settings.change(lambda saved: saved.with_done(finished))
        after = STEPS[STEPS.index(finished) + 1 :]
        return self.go_to(next(step for step in after if step not in needless))

    # What is found and chosen.

    def _go_on(self, move: Callable[[Walk], Walk]) -> Refusal | None:
        """Have a person move the walk; refuse it where nothing asks for that."""
        walk = self._walk
        if walk is not None:
            self._save_walk(move(walk))
        if self._walk is walk:
            return refusal("nothing_asked", "T.host", "Nothing asks for that now.")
        return None

    def _save_walk(self, walk: Walk) -> None:
        """Save the findings of the walk, then go on with it; NotWritten leaves all as it was."""
        before, source = self._walk, self.source
        if before is not None and walk.found != before.found:
            if walk.kind == "stickers":
                box, today = source.table.rules.box, date.today().isoformat()
                save_deck(deck_path(box.game, source.folder), walk.deck, box, today)
            else:
                found = walk.learnt_wires()
                wiring = source.wires.wiring.with_learnt(**{walk.kind: found})
                finds = {**wiring.found, walk.kind: tuple(sorted(found))}
                self._save_wiring(replace(wiring, modes=self._learnt.modes, found=finds))
        self._walk = walk

    def _save_wiring(self, learnt: Wiring) -> None:
        save_wiring(self.source.folder, learnt)
        self._learnt = learnt

    @between_games
    def locate_lamp(self, seat: int) -> Refusal | None:
        """Record the seat of the lamp that is lit; 0 for none."""
        return self._go_on(lambda walk: walk.locate(seat))

    @between_games
    def choose_mode(self, place: int, mode: PlaceMode) -> Refusal | None:
        """Save whether the reader of a place lies under it or beside it."""
        walk = self._walk
        if walk is None or walk.kind != "banks" or place not in walk.wanted:
            return refusal("nothing_asked", "T.host", "Nothing asks for that now.")
        self._save_wiring(replace(self._learnt, modes={**self._learnt.modes, place: mode}))
        return None

    @between_games
    def choose_box(self, game: str) -> Refusal | None:
        """Put this box on the table."""
        if game not in game_names():
            return refusal("no_box", "T.host", "There is no such box here.")
        self._leave_step()
        self._step = "box"
        return change_box(self.source, self.settings, game, self.host.journal.newest_game() or "")

    @between_games
    def choose_wiring(self, profile: str) -> Refusal | None:
        """Use the wiring of this profile."""
        self._leave_step()
        self._step = "wiring"
        refused = change_wiring(self.source, profile, self._offers)
        if refused is None:
            with second_of_two_writes():
                self.settings.change(lambda saved: saved.with_done("wiring"))
        return refused

    # What is shown.

    def _make_view(self) -> SetupView:
        self.resume_step()
        source, saved = self.source, self.settings.saved
        wiring, trouble = source.wires.wiring, source.wires.trouble
        undone, states = list_left_undone(source, saved), dict[WizardStep, StepState]()
        for step in STEPS:
            states[step] = "done" if step in saved.done and step not in undone else "open"
        for step in needless_steps(wiring):
            states[step] = "spared"
        states[self._step] = "now"
        view = SetupView(
            step=self._step,
            steps=tuple(states.items()),
            game=source.table.rules.box.game,
            profiles=self._offers,
            profile=source.wiring,
            set_up=saved.set_up,
        )
        if not source.table.history.is_over:
            return replace(view, says=message("A game is under way."), trouble=True)
        if trouble is not None and (self._is_running or self._step == "wiring"):
            return replace(view, says=trouble, trouble=True)
        if self._walk is not None:
            return show_walk(view, self._walk, source, self._learnt.modes)
        if self._step == "check":
            return show_check(view, self.host.box_check(), self._refused)
        return replace(view, missing=tuple(undone.values())) if self._step == "done" else view
