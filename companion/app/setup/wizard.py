"""The first start over a real table: from solder to the first game, as the host's page leads.

Laws: all of it happens on the one thread. What was learnt is on disk before it is said; the wires
follow when the step is left. Readers and buttons are the first start's only while somebody looks at
its page, and never while a game is under way.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import msgspec

from companion.app.physical_table import PhysicalTable
from companion.app.setup.box_step import Check, Stickers
from companion.app.setup.find_wires_step import Learning, Stage, Told
from companion.app.setup.overview import Memory, left_undone, offers, overview, rewired, spared
from companion.app.setup.rehearsal_hand import Hand
from companion.app.state_files import say_without_folder
from companion.core.errors import Malformed, Refusal, refusal
from companion.core.i18n import message
from companion.core.sensor_events import Evidence, Lamp
from companion.games import RULEBOOKS, make_rulebook
from companion.journal import JournalFailed
from companion.setup import STEPS, Act, Showing, Step

replace = msgspec.structs.replace
ANYBODY, ALONE = 40.0, 60.0
"""Seconds since anybody looked: after the first every page is asked to look again, after the second
nobody does."""


class First:
    """The first start of one table; `said` is the profile that config or command line name."""

    def __init__(
        self,
        real: PhysicalTable,
        said: str | None = None,
        hand: Hand | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._real, self._hand, self._clock = real, hand, clock
        self._offers = offers(said)  # Whatever somebody does to its file meanwhile.
        self._memory = Memory(real.folder)
        self._memory.settle(real.wires.wiring)
        self._played = real.journal.newest_game() is not None
        self._step = self._first_open()
        self._stage: Stage | None = None
        self._looked, self._called = 0.0, True
        real.asks_first, real.shines, real.aside = self._hears, self._shines, self._leave

    # What pages ask for.

    @property
    def set_up(self) -> bool:
        """Whether somebody has come to its end, or has played here without."""
        return self._played or self._memory.kept.set_up

    def shown(self) -> Showing:
        """How far it has come."""
        return self._real.run_on_loop(self._shown)

    def go(self, step: Step) -> Refusal | None:
        """Come to a step."""
        return self._done(lambda: self._go(step))

    def next(self, here: Step) -> Refusal | None:
        """Go on from this step to the one that follows."""
        return self._done(lambda: self._next() if self._step == here else None)

    def box(self, game: str) -> Refusal | None:
        """Have this box on the table."""
        return self._done(lambda: self._box(game))

    def wire(self, profile: str) -> Refusal | None:
        """Have this wiring."""
        return self._done(lambda: self._wire(profile))

    def lamp(self, seat: int) -> Refusal | None:
        """Say at which seat the lamp shines."""
        return self._done(lambda: self._told(lambda stage: stage.lamp_at(seat)))

    def act(self, do: Act, here: Step) -> Refusal | None:
        """Leave out, take back, make new, begin again, at this step."""
        told = partial(self._told, lambda stage: stage.act(do))
        return self._done(lambda: told() if self._step == here else None)

    def hand(self, what: str) -> Refusal | None:
        """Have the hand of a rehearsal do this."""
        return self._done(lambda: self._move(what))

    def finish(self) -> Refusal | None:
        """The table is set up."""
        return self._done(self._finish)

    def spoke(self, language: str) -> None:
        """The host has chosen this language, perhaps in the middle of a game."""

        def there() -> None:
            with suppress(Malformed):  # Nobody misses a game for that.
                self._memory.keep(replace(self._memory.kept, language=language))

        self._real.run_on_loop(there)

    # The turn.

    def turn(self) -> None:
        """The table's turn, then that of whoever sets it up."""
        self._real.poll()
        if self._hand is not None:
            self._hand.turn()
        if self._stage is not None and self._stage.turn():
            self._real.table.notify_watchers()
        quiet = self._clock() - self._looked
        if self._stage is not None and quiet > ALONE:
            self._leave()
        elif self._stage is not None and quiet > ANYBODY and not self._called:
            self._called = True
            self._real.table.notify_watchers()

    def _hears(self, evidence: Evidence) -> bool:
        """Whether this is for whoever sets the table up, and not for the game."""
        if self._stage is None or not self._real.table.history.is_over:
            return False
        changed, swallowed = self._stage.heard(evidence)
        if changed:
            self._real.table.notify_watchers()
        return swallowed

    def _shines(self, seat: int, lamp: Lamp) -> Lamp:
        if self._stage is None or not self._real.table.history.is_over:
            return lamp
        return self._stage.lamp(seat)

    # How it is done.

    def _done(self, act: Callable[[], Refusal | None]) -> Refusal | None:
        """Do it, unless a game is under way; what cannot be written is refused."""

        def there() -> Refusal | None:
            table = self._real.table
            if not table.history.is_over:
                return refusal("under_way", table.rules.start_rule, "A game is under way.")
            self._look()
            try:
                return act()
            except Malformed as error:
                return Refusal("not_written", "T.host", say_without_folder(error))
            except JournalFailed as failed:
                return Refusal("not_written", "T.host", failed.say)
            finally:
                table.notify_watchers()

        return self._real.run_on_loop(there)

    def _look(self) -> None:
        """Somebody looks on: what this step needs is heard from now on."""
        self._looked, self._called = self._clock(), False
        if self._stage is None and self._real.table.history.is_over:
            self._enter()

    def _enter(self) -> None:
        """Begin the step, as far as it has come."""
        match self._step:
            case "banks" | "buttons" | "lamps":
                self._stage = Learning(self._step, self._real, self._memory)
            case "stickers":
                self._stage = Stickers(self._real)
            case "check":
                self._stage = Check(self._real)

    def _leave(self) -> Refusal | None:
        """Let go of readers and buttons; wires and deck are from now on what was learnt."""
        stage, self._stage = self._stage, None
        refused = stage.leave() if stage is not None else None
        self._memory.settle(self._real.wires.wiring)
        return refused

    def _go(self, step: Step) -> Refusal | None:
        if step in spared(self._real.wires.wiring):
            return refusal("no_step", "T.host", "This table has nothing to set up there.")
        refused = self._leave()
        self._step = step
        self._look()
        return refused

    def _next(self) -> Refusal | None:
        here = STEPS.index(self._step)
        after = [step for step in STEPS[here + 1 :] if step not in spared(self._real.wires.wiring)]
        self._memory.keep(self._memory.kept.with_done(self._step))
        return self._go(after[0]) if after else None

    def _finish(self) -> Refusal | None:
        self._memory.keep(replace(self._memory.kept.with_done("done"), set_up=True))
        return self._go("done")

    def _told(self, tell: Callable[[Stage], Told]) -> Refusal | None:
        """What a person says at this step; another step does not ask for it."""
        if self._stage is None or not tell(self._stage):
            return refusal("nothing_asked", "T.host", "Nothing asks for that now.")
        return None

    def _move(self, what: str) -> Refusal | None:
        self._real.poll()  # The lamps are as they are before anybody looks at them.
        showing = self._shown()
        if self._hand is None or what not in self._hand.can:
            return refusal("no_hand", "T.host", "There is no hand here that could do that.")
        if self._step == "check" and not self._hand.pile:
            self._hand.takes(self._real.table.rules.box.tagged_pieces())
        nth = self._stage.nth if isinstance(self._stage, Stickers) else 1
        seat = self._hand.do(what, showing, nth)
        return None if seat is None else self._told(lambda stage: stage.lamp_at(seat))

    def _box(self, game: str) -> Refusal | None:
        if game not in RULEBOOKS:
            return refusal("no_box", "T.host", "There is no such box here.")
        self._leave()
        self._step = "box"
        before = self._real.table.rules
        if game != before.box.game:
            refused = self._real.change_box(make_rulebook(game))
            if refused is not None:
                return refused
        after = self._real.journal.newest_game() or ""
        kept = self._memory.kept.with_done("box")
        try:
            self._memory.keep(replace(kept, game=game, after=after))
        except Malformed:  # Nor is it on the table then.
            self._real.change_box(before)
            raise
        return None

    def _wire(self, profile: str) -> Refusal | None:
        self._leave()
        self._step = "wiring"
        refused = rewired(self._real, profile, self._offers)
        if refused is None:
            self._memory.keep(self._memory.kept.with_done("wiring"))
        return refused

    def _first_open(self) -> Step:
        """Where it begins, or goes on after a restart."""
        past = {*self._memory.kept.done, *spared(self._real.wires.wiring)}
        return next((step for step in STEPS if step not in past), "done")

    # What is shown.

    def _shown(self) -> Showing:
        under_way = not self._real.table.history.is_over
        if not under_way:
            self._look()
        stage, showing = self._stage, overview(self._real, self._memory, self._step, self._offers)
        if self._hand is not None and stage is not None:
            showing = replace(showing, hands=self._hand.can)
        if under_way:
            says = message("A game is under way.")
            return replace(showing, says=says, trouble=True, may=frozenset())
        trouble = self._real.wires.trouble
        if trouble is not None and (stage is not None or self._step == "wiring"):
            return replace(showing, says=trouble, trouble=True)
        if self._step == "done":
            return replace(showing, missing=left_undone(self._real, self._memory))
        return showing if stage is None else stage.shown(showing)
