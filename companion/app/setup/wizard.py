"""The set-up of a physical table: the steps that the host's page or a terminal goes through.

Laws: everything runs on the loop's thread. What was found is on disk before it is shown, and what
cannot be written has not been found: which wires were found stands in the file that says where they
lead. The wires are opened again only when their step is left, because no reader is heard for a
moment then, and only then the table gets the deck. Readers and buttons belong to the set-up only
while somebody looks at it, and never while a game is under way.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import wraps
from typing import Concatenate, ParamSpec

import msgspec
from msgspec.structs import replace

from companion.app import wires
from companion.app.physical_table import PhysicalTable
from companion.app.settings import deck_path
from companion.core.deck import MARK_BYTES, Deck, count_missing
from companion.core.durable_files import say_without_folder, second_of_two_writes
from companion.core.errors import ExplainedError, NotWritten, Refusal, refusal
from companion.core.i18n import N_, Message, message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp, PlaceMode
from companion.games import game_names, make_rulebook
from companion.host.host import Host
from companion.host.settings import TableSettings
from companion.setup import steps
from companion.setup.deck_file import save_deck
from companion.setup.walk import Walk, begin_check, begin_stickers, begin_wires
from companion.table.permissions import check_no_open_game
from companion.tracking.game_tracking import tap_places
from hardware.wiring import Wiring

REMIND_AFTER, LEAVE_AFTER = 40.0, 60.0
"""Seconds without a page asking: then pages are told to ask again; then the step is left."""
NOT_FOUND: Mapping[steps.WizardStep, str] = {
    "banks": N_("Places whose reader was not found: {numbers}."),
    "buttons": N_("Seats whose button was not found: {numbers}."),
    "lamps": N_("Seats whose lamp was not found: {numbers}."),
}
P = ParamSpec("P")
Change = Callable[Concatenate["SetupWizard", P], Refusal | None]


def between_games(change: Change[P]) -> Change[P]:
    """Have a request of a page run on the loop; refuse it while a game is under way."""

    @wraps(change)
    def request(wizard: "SetupWizard", /, *args: P.args, **kwargs: P.kwargs) -> Refusal | None:
        def run() -> Refusal | None:
            table = wizard.source.table
            refused = check_no_open_game(table.history)
            if refused is not None:
                return refused
            wizard.resume_step()
            try:
                return change(wizard, *args, **kwargs)
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
        self._offers = wires.list_wirings(fixed_profile)  # Read once: its file may change.
        self.settings = settings
        self._played = host.journal.newest_game() is not None
        past = {*self.settings.saved.done, *wires.needless_steps(source.wires.wiring)}
        self._step: steps.WizardStep = next(
            (step for step in steps.STEPS if step not in past), "done"
        )
        self._walk: Walk | None = None
        """The walk of the current step; None if that senses nothing, or no page has looked."""
        self._learnt = source.wires.wiring
        """The wiring with what this step has found, as it is on disk."""
        self._last_viewed, self._reminded = 0.0, True
        host.intercept, host.before_game = self._intercept, self._leave_step
        source.lamp_override = self._override_lamp

    # What pages ask for.

    @property
    def is_set_up(self) -> bool:
        """Return whether the wizard was finished, or a game was played here without it."""
        return self._played or "done" in self.settings.saved.done

    def view(self) -> steps.SetupView:
        """Return the whole state; asking for it keeps readers and buttons listening."""
        return self.host.run_on_loop(self._make_view)

    # What the table does.

    def run_due_work(self) -> None:
        """Remind pages, and leave the step once no page asks any more."""
        quiet = self._clock() - self._last_viewed
        if self._walk is not None and quiet > LEAVE_AFTER:
            self._leave_step()
        elif self._walk is not None and quiet > REMIND_AFTER and not self._reminded:
            self._reminded = True
            self.source.table.notify_watchers()

    def _intercept(self, evidence: Evidence) -> bool:
        """Give evidence to the walk; return whether it is kept from the game."""
        walk = self._walk
        if walk is None or not self.source.table.history.is_over:
            return False
        try:
            self._save_walk(walk.take_evidence(evidence))
        except ExplainedError as error:
            self._walk = walk.complain(say_without_folder(error))
        if self._walk is not walk:
            self.source.table.notify_watchers()
        return isinstance(evidence, ButtonPressed) and walk.kind not in ("banks", "check")

    def _override_lamp(self, seat: int, lamp: Lamp) -> Lamp:
        walk = self._walk if self.source.table.history.is_over else None
        return lamp if walk is None else walk.lamp(seat)

    # From step to step.

    def resume_step(self) -> None:
        """Note that a page asked, and begin the current step where it was left, if it senses
        anything and was left meanwhile."""
        self._last_viewed, self._reminded = self._clock(), False
        walk = self._walk
        if walk and walk.kind == "check" and self.source.deck not in (None, walk.deck):
            self._walk = None  # It counts by the deck as it was.
        if self._walk is None and self.source.table.history.is_over:
            self._walk = self._begin_walk()

    def _begin_walk(self) -> Walk | None:
        source, step = self.source, self._step
        wiring = self._learnt = source.wires.wiring
        lying, salt = source.table.reports.current_evidence(), secrets.token_hex(MARK_BYTES)
        match step:
            case "banks" | "buttons" | "lamps":
                known = wiring.found.get(step, ())
                walk = begin_wires(step, wires.wires_of(wiring)[step], known, salt)
                return walk.with_lying(lying) if step == "banks" else walk
            case "stickers" | "check":
                rules = source.table.rules
                refused = source.change_box(rules)  # What is on disk counts, whoever wrote it.
                if refused is not None:
                    return begin_stickers({}, Deck({}, salt), lying).complain(refused.say)
                holds, deck = rules.box.tagged_pieces(), source.deck or Deck({}, salt)
                if step == "check":
                    return begin_check(holds, deck, source.other_decks(), lying)
                return begin_stickers(holds, deck, lying)
        return None

    def _leave_step(self) -> Refusal | None:
        """End the running step: the table takes over the wires or the deck that it learnt."""
        source, walk, self._walk = self.source, self._walk, None
        if walk is None or walk.kind == "check":
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
    def go_to(self, step: steps.WizardStep) -> Refusal | None:
        """Leave the current step and go to this one."""
        if step in wires.needless_steps(self.source.wires.wiring):
            return refusal("no_step", "T.host", "This table has nothing to set up there.")
        walk = self._walk
        if walk and walk.kind == "check" and not (walk.missing or walk.never):
            self.settings.change(lambda saved: saved.with_done("check"))
        refused = self._leave_step()
        self._step = step
        self.resume_step()
        return refused

    @between_games
    def apply_action(self, action: steps.WizardAction, step: steps.WizardStep) -> Refusal | None:
        """Leave out, take back, make new, begin again, or go on to the next step, if this one is
        the current one."""
        if step != self._step:
            return None
        if action == "next":
            return self._finish_step()
        if action == "again" and self._step == "check":
            self._walk = None  # The next look begins another.
            return None
        does = {"skip": Walk.skip, "undo": Walk.undo, "renew": Walk.renew, "again": Walk.restart}
        return self._go_on(does[action])

    def _finish_step(self) -> Refusal | None:
        finished, needless = self._step, wires.needless_steps(self.source.wires.wiring)
        if finished != "check":  # That is done if everything was found (go_to).
            self.settings.change(lambda saved: saved.with_done(finished))
        after = [
            step for step in steps.STEPS[steps.STEPS.index(finished) + 1 :] if step not in needless
        ]
        return self.go_to(after[0]) if after else None

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
            elif walk.kind != "check":
                found = walk.learnt_wires()
                wiring = source.wires.wiring.with_learnt(**{walk.kind: found})
                finds = {**wiring.found, walk.kind: tuple(sorted(found))}
                self._save_wiring(replace(wiring, modes=self._learnt.modes, found=finds))
        self._walk = walk

    def _save_wiring(self, learnt: Wiring) -> None:
        wires.save_wiring(self.source.folder, learnt)
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
        before, rules = self.source.table.rules, make_rulebook(game)
        is_other, after = game != before.box.game, self.host.journal.newest_game() or ""
        refused = self.source.change_box(rules) if is_other else None
        if refused is not None:
            return refused
        past = self.settings.saved.done
        done = tuple(step for step in past if step != "check" or not is_other)
        try:
            self.settings.change(
                lambda saved: replace(saved, done=done, game=game, after=after).with_done("box")
            )
        except NotWritten:  # Then the box does not change either.
            self.source.change_box(before)
            raise
        return None

    @between_games
    def choose_wiring(self, profile: str) -> Refusal | None:
        """Use the wiring of this profile."""
        self._leave_step()
        self._step = "wiring"
        if profile not in [offer.profile for offer in self._offers]:
            return refusal("no_wiring", "T.host", "There is no such wiring.")
        before, is_same = self.source.wires.wiring, self.source.wiring == profile
        if not is_same or self.source.wires.trouble is not None:
            wiring = before if is_same else wires.load_unlearnt_wiring(profile)
            refused = self.source.rewire(wiring)
            if refused is not None:
                return refused
            try:
                wires.save_wiring(self.source.folder, wiring)
            except NotWritten:  # Then the wires do not change either.
                self.source.rewire(before)
                raise
        with second_of_two_writes():
            self.settings.change(lambda saved: saved.with_done("wiring"))
        return None

    # What is shown.

    def _make_view(self) -> steps.SetupView:
        self.resume_step()
        source, done = self.source, self.settings.saved.done
        undone, needless = list_left_undone(source, done), wires.needless_steps(source.wires.wiring)
        beside = tap_places(source.table.rules.tracking, self._learnt.modes)

        return steps.SetupView(
            step=self._step,
            steps=steps.show_steps(self._step, needless, {*done} - {*undone}),
            game=source.table.rules.box.game,
            profiles=self._offers,
            profile=source.wiring,
            modes=tuple(
                (place, "tap" if place in beside else "presence")
                for place in sorted(wires.wires_of(self._learnt)["banks"])
            ),
            undone=tuple(undone),
            set_up="done" in done,
            **msgspec.structs.asdict(self._show_step(undone)),
        )

    def _show_step(self, undone: Mapping[steps.WizardStep, Message]) -> steps.WalkView:
        source, walk = self.source, self._walk
        if not source.table.history.is_over:
            return steps.WalkView(says=message("A game is under way."), trouble=True)
        if source.wires.trouble is not None and (walk is not None or self._step == "wiring"):
            return steps.WalkView(says=source.wires.trouble, trouble=True)
        if walk is None:
            return steps.WalkView(missing=tuple(undone.values()) if self._step == "done" else ())
        shown = steps.show_walk(walk)
        silent = sum(reader.word == "offline" for reader in source.wires.conditions())
        text = "Number of silent readers: {n}. Check their cables, or leave them out."
        is_of_cards = walk.kind in ("banks", "stickers", "check")
        notes = (message(text, n=silent),) if silent and is_of_cards else ()
        return replace(shown, notes=(*notes, *shown.notes))


# What there is to set up.


def list_left_undone(source: PhysicalTable, done: Iterable[str]) -> dict[steps.WizardStep, Message]:
    """Return the gaps of each step: wires that were not found, pieces without stickers, and the
    check of the box."""
    wiring = source.wires.wiring
    found, needless = dict[steps.WizardStep, Message](), wires.needless_steps(wiring)
    for step, wanted in wires.wires_of(wiring).items():
        left = sorted({*wanted} - {*wiring.found.get(step, ())})
        if left:
            found[step] = Message(NOT_FOUND[step], {"numbers": left})
    if "stickers" in needless:
        return found
    deck, pieces = source.deck, source.table.rules.box.tagged_pieces()
    never = count_missing(pieces, deck.things.values() if deck else ())
    if never:
        found["stickers"] = steps.count_lacking(sum(never.values()), sum(pieces.values()))
    if "check" not in done:
        found["check"] = message("The box was not checked.")
    return found
