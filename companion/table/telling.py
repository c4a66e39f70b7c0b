"""The clock of the reveal: a new verdict is told step by step, on all screens at once.

Laws: it knows two facts of the newest round, by one clock: when its last hand was open, and when it
was decided. What a screen stages follows from them, so all screens agree, and a late one joins
where the others are; what a verdict brought is on no screen before its step is told. Telling holds
up nothing: the game asks for the next act meanwhile, and what it asks is shown to the seat that is
asked. What an undo or a correction brings is shown at once, and so is everything once the judge is
called. Why a turn passed without a move is held for as long as open hands. The clock is handed in;
without one everything is told at once.
"""

from collections.abc import Callable
from functools import partial

import msgspec

from companion.core.i18n import Message
from companion.core.table_events import REPLAYED, Corrected, Frozen, Undone
from companion.core.verdict import Verdict
from companion.table.history import History, history_at
from companion.table.view import View, make_view, table_status

Clock = Callable[[], float]

HELD = 2.0
"""Seconds that all see the open hands before anything follows from them."""
FIRST = 0.6
"""Seconds until the first step is told, if the hands have been open for as long."""
EACH, SHORTEST, LONGEST = 0.8, 5.2, 7.6
"""Seconds from step to step, and the limits for all steps of a verdict that has `MANY`."""
MANY = 4
STANDS = 4.0
"""Seconds that the whole picture keeps the stage."""
SHOWN_AT_ONCE = (Undone, Corrected, *REPLAYED, Frozen)
"""Events that leave nothing to wait for."""


class Telling(msgspec.Struct, frozen=True, eq=False):
    """A verdict of this many steps, and the viewers' picture before it; by the clock, the opening
    of its round's last hand, and its decision; `is_last` if it ended the game."""

    steps: int
    view_before: Callable[[int], View | None]
    opened_at: float
    decided_at: float
    is_last: bool = False

    @property
    def first(self) -> float:
        """The seconds until the first step is told: meanwhile all see the opened hands."""
        return max(FIRST, HELD - (self.decided_at - self.opened_at))

    @property
    def seconds(self) -> float:
        """The seconds until the last step is told."""
        return telling_seconds(self.steps, self.first)

    def told(self, now: float) -> int:
        """Return the number of steps told by now."""
        passed, pace = now - self.decided_at - self.first, self._pace
        if passed < 0 or not self.steps:
            return 0
        return min(self.steps, 1 + int(passed / pace + 1e-6)) if pace else self.steps

    def next_change(self, now: float) -> float | None:
        """Return the seconds until more is told or the stage is free again; None after that."""
        told, passed = self.told(now), now - self.decided_at
        if told < self.steps:
            return max(self.first + told * self._pace - passed, 0.0)
        return rest if (rest := self.seconds + STANDS - passed) > 0 else None

    @property
    def _pace(self) -> float:
        return (self.seconds - self.first) / (self.steps - 1) if self.steps > 1 else 0.0


def telling_seconds(steps: int, first: float = HELD) -> float:
    """Return the seconds until this many steps are told, the first after `first` seconds."""
    by_steps = first + EACH * max(steps - 1, 0)
    return by_steps if steps < MANY else min(max(by_steps, SHORTEST), LONGEST)


class TellingClock:
    """Progress of telling the newest verdict, for all screens."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock
        self._opened_at = 0.0
        self._skipped: tuple[Message, float] | None = None
        self._telling: Telling | None = None
        self.is_calm = False
        """Whether every verdict is told at once."""

    def use_clock(self, clock: Clock) -> None:
        """Tell verdicts by this clock from now on."""
        self._clock = clock

    def set_calm(self, is_calm: bool) -> None:
        """Tell every verdict at once, or step by step again."""
        self.is_calm = is_calm
        if is_calm:
            self.skip()

    def follow(self, before: History, after: History) -> None:
        """Read the clock if the last hand was opened or a round decided between these two."""
        if after.opened_at != before.opened_at:
            self._opened_at = self._now()
        skipped = after.rules.describe_skipped(after.state) if after.state else None
        if skipped is not None and self._clock is not None and after.at > before.at:
            self._skipped = (skipped, self._now() + HELD)
        if after.state is None or after.state.verdict is None or not is_told_by_and_by(after):
            self._telling = None
        elif after.decided_at != before.decided_at:
            steps, view_before = len(after.state.verdict.steps), partial(view_of, before)
            self.begin(steps, view_before, self._opened_at, after.is_over)

    def begin(
        self,
        steps: int,
        view_before: Callable[[int], View | None],
        opened_at: float | None = None,
        is_last: bool = False,
    ) -> None:
        """Tell a verdict of this many steps, which is decided now; its hands are open since then,
        or since now."""
        self._telling = None
        if self._clock is not None and not self.is_calm:
            now = self._clock()
            opened_at = now if opened_at is None else opened_at
            self._telling = Telling(steps, view_before, opened_at, now, is_last)

    def skip(self) -> bool:
        """Tell the rest at once; return whether there was one."""
        telling, self._telling = self.current(), None
        return telling is not None

    def current(self) -> Telling | None:
        """Return the verdict on stage: one that is being told, or was told a moment ago."""
        telling = self._telling
        return None if telling is None or telling.next_change(self._now()) is None else telling

    def unfinished(self) -> Telling | None:
        """Return the verdict still being told, or the last one of a game until the stage is
        free."""
        telling = self.current()
        if telling is None or telling.is_last or self.told(telling) < telling.steps:
            return telling
        return None

    def told(self, telling: Telling) -> int:
        """Return the number of steps of this verdict that are told."""
        return telling.told(self._now())

    def skipped(self) -> Message | None:
        """Return the reason a turn passed a moment ago: all see it, even after the next move."""
        if self._skipped is None or self._now() >= self._skipped[1]:
            return None
        return self._skipped[0]

    def next_change(self) -> float | None:
        """Return the seconds until a screen has more to show, or less; None if all stays."""
        now = self._now()
        rests = [self._telling.next_change(now) if self._telling else None]
        if self._skipped is not None and now < self._skipped[1]:
            rests.append(self._skipped[1] - now)
        return min((rest for rest in rests if rest is not None), default=None)

    def told_history(self, history: History) -> History:
        """Return the game as far as it is told: without the newest verdict until that is."""
        if self.unfinished() is None or not is_told_by_and_by(history):
            return history
        return history_at(history, history.decided_at - 1)

    def story_of(self, verdict: Verdict | None) -> "Story | None":
        """Return the newest verdict of a view as far as it is told; None before the first one."""
        telling = self.current()
        if verdict is None or telling is None:
            return None if verdict is None else told_story(verdict)
        return Story(verdict, self.told(telling), on_stage=True)

    def _now(self) -> float:
        return 0.0 if self._clock is None else self._clock()


def is_told_by_and_by(history: History) -> bool:
    """Return whether the newest verdict has been waited for: nothing was put right with it or since
    then, and nobody has called the judge."""
    since = [one.event for one in history.moments if one.at >= history.decided_at > 0]
    return bool(since) and not any(isinstance(event, SHOWN_AT_ONCE) for event in since)


def view_of(history: History, seat: int) -> View | None:
    """Return the view that a seat, or with seat 0 the table screen, had of a game; None if it is
    none."""
    rules, state, at = history.rules, history.state, history.at
    if state is None or seat > len(state.players):
        return None
    return make_view(rules, state, at, seat, table_status(history))


class Story(msgspec.Struct, frozen=True):
    """A screen's part of a verdict: the number of steps told so far, and whether it has the stage
    of the table."""

    verdict: Verdict
    told: int
    on_stage: bool = False

    @property
    def is_told(self) -> bool:
        """Whether all its steps are told."""
        return self.told >= len(self.verdict.steps)


def told_story(verdict: Verdict) -> Story:
    """Return a verdict with every step told."""
    return Story(verdict, len(verdict.steps))
