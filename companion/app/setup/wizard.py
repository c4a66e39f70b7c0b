"""The set-up of a physical table: the steps that the host's page or a terminal goes through.

Laws: everything runs on the loop's thread. What was found is on disk before it is shown, and what
cannot be written has not been found: which wires were found stands in the file that says where they
lead. The wires are opened anew only when their step is left,
because no reader is heard for a moment then, and only then the table gets the deck. Readers and
buttons belong to the set-up only while somebody looks at it, and never while a game is under way.
"""

import logging
import secrets
import time
from collections.abc import Callable
from datetime import date

import msgspec

from companion.app.physical_table import PhysicalTable
from companion.app.settings import deck_path
from companion.app.setup.overview import (
    change_wiring,
    list_left_undone,
    list_wirings,
    needless_steps,
    wires_of,
)
from companion.app.wires import save_wiring
from companion.core.deck import MARK_BYTES, Deck, list_pieces
from companion.core.durable_files import say_without_folder, second_of_two_writes
from companion.core.errors import ExplainedError, Malformed, NotWritten, Refusal, refusal
from companion.core.i18n import message
from companion.core.log_lines import log_line
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp, PlaceMode
from companion.games import game_names, make_rulebook
from companion.host.host import Host
from companion.host.settings import TableSettings
from companion.setup.deck_file import save_deck
from companion.setup.steps import (
    STEPS,
    SavedSetup,
    SetupView,
    StepState,
    WizardAction,
    WizardStep,
)
from companion.setup.walk import Walk, begin_stickers, begin_wires
from companion.tracking.game_tracking import tap_places
from hardware.wiring import Wiring

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
        settings: TableSettings,
        fixed_profile: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._host, self._source, self._clock = host, source, clock
        self._offers = list_wirings(fixed_profile)  # Read once: its file may change.
        self.settings = settings
        self._played = host.journal.newest_game() is not None
        past = {*self.settings.saved.done, *needless_steps(source.wires.wiring)}
        self._step: WizardStep = next((step for step in STEPS if step not in past), "done")
        self._is_running = False
        """Whether readers and buttons belong to the current step."""
        self._walk: Walk | None = None
        self._learnt = source.wires.wiring
        """The wiring with what this step has found, as it is on disk."""
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
        return self._host.run_on_loop(self._make_view)

    def go_to(self, step: WizardStep) -> Refusal | None:
        """Leave the current step and go to this one."""
        return self._run_between_games(lambda: self._go_to(step))

    def choose_box(self, game: str) -> Refusal | None:
        """Put this box on the table."""
        return self._run_between_games(lambda: self._choose_box(game))

    def choose_wiring(self, profile: str) -> Refusal | None:
        """Use the wiring of this profile."""
        return self._run_between_games(lambda: self._choose_wiring(profile))

    def locate_lamp(self, seat: int) -> Refusal | None:
        """Take in at which seat the lamp shines; 0 for none."""
        return self._run_between_games(lambda: self._go_on(lambda walk: walk.locate(seat)))

    def choose_mode(self, place: int, mode: PlaceMode) -> Refusal | None:
        """Save whether the reader of a place lies under it or beside it."""
        return self._run_between_games(lambda: self._choose_mode(place, mode))

    def apply_action(self, action: WizardAction, step: WizardStep) -> Refusal | None:
        """Apply an action to this step, if it is the current one."""
        return self._run_between_games(lambda: self._act(action) if self._step == step else None)

    # What the table does.

    def run_due_work(self) -> None:
        """Begin a check that waits for readers; remind pages, and leave the step once no page asks
        any more."""
        table, quiet = self._source.table, self._clock() - self._last_viewed
        if not self._is_running:
            return
        waits = self._refused is not None and self._refused.code == "no_readers"
        if waits and table.reports.is_listening:
            self._refused = self._host.start_box_check()
            table.notify_watchers()
        if quiet > LEAVE_AFTER:
            self._leave_step()
        elif quiet > REMIND_AFTER and not self._reminded:
            self._reminded = True
            table.notify_watchers()

    def _intercept(self, evidence: Evidence) -> bool:
        """Give evidence to the walk; return whether it is kept from the game."""
        walk = self._walk
        if walk is None or not self._source.table.history.is_over:
            return False
        try:
            self._save_walk(walk.take_evidence(evidence))
        except Malformed as error:
            self._walk = walk.complain(say_without_folder(error))
        if self._walk is not walk:
            self._source.table.notify_watchers()
        return isinstance(evidence, ButtonPressed) and walk.kind != "banks"

    def _override_lamp(self, seat: int, lamp: Lamp) -> Lamp:
        if not self._is_running or not self._source.table.history.is_over:
            return lamp
        if self._walk is not None:
            return self._walk.lamp(seat)
        checked = self._host.box_check()
        if checked is None or (checked.done and not checked.odd):
            return "off"
        return "fast" if checked.odd else "on"

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
            except ExplainedError as error:
                return Refusal("not_written", "T.host", error.say)
            finally:
                table.notify_watchers()

        return self._host.run_on_loop(run)

    # From step to step.

    def _resume_step(self) -> None:
        """Note that a page asked, and begin the current step where it was left, if it senses
        anything and was left meanwhile."""
        self._last_viewed, self._reminded = self._clock(), False
        source = self._source
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
                self._refused = self._host.start_box_check()
            case _:
                self._is_running = False

    def _leave_step(self) -> Refusal | None:
        """End the running step: the table takes over the wires or the deck that it learnt."""
        source, walk = self._source, self._walk
        if self._is_running and walk is None:
            self._host.stop_box_check()
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

    def _go_to(self, step: WizardStep) -> Refusal | None:
        if step in needless_steps(self._source.wires.wiring):
            return refusal("no_step", "T.host", "This table has nothing to set up there.")
        checked = self._host.box_check() if self._step == "check" else None
        if checked is not None and checked.done and not checked.never:
            self.settings.change(lambda saved: saved.with_done("check"))
        refused = self._leave_step()
        self._step = step
        LOG.info(log_line("setup_step", step=step))
        self._resume_step()
        return refused

    def _act(self, action: WizardAction) -> Refusal | None:
        """Leave out, take back, make new, begin again, or go on to the next step."""
        if action == "next":
            return self._finish_step()
        if action == "again" and self._step == "check":
            self._refused = self._host.start_box_check()
            return None
        does = {"skip": Walk.skip, "undo": Walk.undo, "renew": Walk.renew, "again": Walk.restart}
        return self._go_on(does[action])

    def _finish_step(self) -> Refusal | None:
        finished, needless = self._step, needless_steps(self._source.wires.wiring)
        if finished == "done":
            self.settings.change(lambda saved: replace(saved.with_done("done"), set_up=True))
            LOG.info(log_line("setup_finished"))
            return None
        if finished != "check":  # A check is done once the box is complete (_go_to).
            self.settings.change(lambda saved: saved.with_done(finished))
        after = STEPS[STEPS.index(finished) + 1 :]
        return self._go_to(next(step for step in after if step not in needless))

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
        """Save what the walk found, then go on with it; NotWritten leaves all as it was."""
        before, source = self._walk, self._source
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
        save_wiring(self._source.folder, learnt)
        self._learnt = learnt

    def _choose_mode(self, place: int, mode: PlaceMode) -> Refusal | None:
        walk = self._walk
        if walk is None or walk.kind != "banks" or place not in walk.wanted:
            return refusal("nothing_asked", "T.host", "Nothing asks for that now.")
        self._save_wiring(replace(self._learnt, modes={**self._learnt.modes, place: mode}))
        return None

    def _choose_box(self, game: str) -> Refusal | None:
        if game not in game_names():
            return refusal("no_box", "T.host", "There is no such box here.")
        self._leave_step()
        self._step = "box"
        source, after = self._source, self._host.journal.newest_game() or ""
        before = source.table.rules
        is_other = game != before.box.game
        refused = source.change_box(make_rulebook(game)) if is_other else None
        if refused is not None:
            return refused

        def chosen(saved: SavedSetup) -> SavedSetup:
            done = tuple(step for step in saved.done if step != "check" or not is_other)
            return replace(replace(saved, done=done).with_done("box"), game=game, after=after)

        try:
            self.settings.change(chosen)
        except NotWritten:  # Then the box does not change either.
            source.change_box(before)
            raise
        return None

    def _choose_wiring(self, profile: str) -> Refusal | None:
        self._leave_step()
        self._step = "wiring"
        refused = change_wiring(self._source, profile, self._offers)
        if refused is None:
            with second_of_two_writes():
                self.settings.change(lambda saved: saved.with_done("wiring"))
        return refused

    # What is shown.

    def _make_view(self) -> SetupView:
        self._resume_step()
        source, saved = self._source, self.settings.saved
        wiring, trouble = source.wires.wiring, source.wires.trouble
        needless, undone = needless_steps(wiring), list_left_undone(source, saved)

        def state(step: WizardStep) -> StepState:
            if step in needless:
                return "now" if step == self._step else "spared"
            is_done = step in saved.done and step not in undone
            return "now" if step == self._step else "done" if is_done else "open"

        view = SetupView(
            step=self._step,
            steps=tuple((step, state(step)) for step in STEPS),
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
            return self._show_walk(view, self._walk)
        if self._step == "check":
            return self._show_check(view)
        return replace(view, missing=tuple(undone.values())) if self._step == "done" else view

    def _show_walk(self, view: SetupView, walk: Walk) -> SetupView:
        """Return the view with what is asked for, what happened last, and what is missing."""
        can = {
            "skip": walk.asked is not None,
            "undo": walk.before is not None,
            "renew": walk.may_renew,
            "again": bool(walk.found or walk.left_out),
        }
        view = replace(
            view,
            asks=walk.instruction if walk.wanted else None,
            says=walk.news,
            trouble=walk.in_trouble,
            good=walk.good and not walk.in_trouble,
            done=len(walk.found),
            total=len(walk.wanted),
            may=frozenset(action for action, makes_sense in can.items() if makes_sense),
        )
        if walk.kind == "stickers":
            missing = tuple(list_pieces(walk.missing))
            return replace(view, thing=walk.asked or "", slot=walk.slot, missing=missing)
        asked = 0 if walk.kind == "lamps" else walk.asked or 0
        view = replace(view, asked=asked, found=walk.states())
        if walk.kind != "banks":
            return view
        beside = tap_places(self._source.table.rules.tracking, self._learnt.modes)
        modes = tuple((n, "tap" if n in beside else "presence") for n in walk.wanted)
        silent = sum(reader.word == "offline" for reader in self._source.reader_conditions())
        text = "Readers that do not answer: {n}. Look after their cables, or leave them out."
        return replace(view, modes=modes, missing=(message(text, n=silent),) if silent else ())

    def _show_check(self, view: SetupView) -> SetupView:
        """Return the view with what has not passed yet."""
        view, checked = replace(view, may=frozenset({"again"})), self._host.box_check()
        if checked is None:
            says = self._refused.say if self._refused else None
            return replace(view, says=says, trouble=says is not None)
        sweep = message("Lay everything on any reader, in any order, or sweep it over.")
        never = message("Not enrolled yet: {things}.", things=checked.never)
        over = never if checked.never else None
        return replace(
            view,
            asks=over if checked.done else sweep,
            says=checked.says if checked.odd or checked.done else None,
            trouble=checked.odd,
            good=checked.done and not checked.odd,
            done=checked.seen,
            total=checked.total,
            missing=checked.missing,
        )
