"""Telling: a new verdict is told step by step, on all screens at once.

Laws: what a verdict brought is on no screen before its step is told. How far it is told follows
from the moment at which it was decided, so all screens agree, and a late one joins where the others
are. Telling holds up nothing: the game asks for the next act meanwhile, and what it asks is shown
to the seat that is asked. The clock is handed in; without one everything is told at once.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from companion.core.verdict import Verdict
from companion.table.activity_log import table_status
from companion.table.faults import GameGuard
from companion.table.history import History
from companion.table.view import View, open_view, seat_view

Clock = Callable[[], float]

FIRST = 0.6
"""Seconds until the first step is told."""
EACH, SHORTEST, LONGEST = 0.8, 5.2, 7.6
"""Seconds from step to step, and the limits for all steps of a verdict that has `MANY`."""
MANY = 4
STANDS = 4.0
"""Seconds for which the whole picture keeps the stage."""


class Telling(msgspec.Struct, frozen=True, eq=False):
    """A verdict that is told, since when, and what the viewers saw before it; `is_last` if the game
    is over with it."""

    verdict: Verdict
    view_before: Callable[[int], View | None]
    begun: float
    is_last: bool = False

    @property
    def seconds(self) -> float:
        """The seconds until the last step is told."""
        return telling_seconds(len(self.verdict.steps))

    def told(self, now: float) -> int:
        """Return how many steps are told by now."""
        steps, passed = len(self.verdict.steps), now - self.begun - FIRST
        if passed < 0 or not steps:
            return 0
        pace = self._pace
        return min(steps, 1 + int(passed / pace + 1e-6)) if pace else steps

    def next_change(self, now: float) -> float | None:
        """Return the seconds until more is told or the stage is free again; None after that."""
        told, passed = self.told(now), now - self.begun
        if told < len(self.verdict.steps):
            return max(FIRST + told * self._pace - passed, 0.0)
        return rest if (rest := self.seconds + STANDS - passed) > 0 else None

    @property
    def _pace(self) -> float:
        steps = len(self.verdict.steps)
        return (self.seconds - FIRST) / (steps - 1) if steps > 1 else 0.0


def telling_seconds(steps: int) -> float:
    """Return the seconds until so many steps are told."""
    if steps < MANY:
        return FIRST + EACH * max(steps - 1, 0)
    return min(max(EACH * steps, SHORTEST), LONGEST)


class Brought(msgspec.Struct, frozen=True, eq=False):
    """A verdict that an event brought: the game before it and after it."""

    before: History
    after: History


class TellingClock:
    """How far the newest verdict is told, for all screens. It begins with the first look at it."""

    def __init__(
        self,
        clock: Clock | None = None,
        find_newest: Callable[[], Brought | None] = lambda: None,
        guard: GameGuard | None = None,
    ) -> None:
        self._clock, self._find_newest, self._guard = clock, find_newest, guard
        self._telling: Telling | None = None
        self._newest: Brought | None = None
        self.is_calm = False
        """Whether every verdict is told at once."""

    def begin(
        self, verdict: Verdict, view_before: Callable[[int], View | None], is_last: bool = False
    ) -> None:
        """Tell this verdict from now on, as everyone may know it."""
        tells = self._clock is not None and not self.is_calm
        begun = self._clock() if self._clock is not None else 0.0
        self._telling = Telling(verdict, view_before, begun, is_last) if tells else None

    def _look_for_verdict(self) -> None:
        newest = self._find_newest()
        if newest is self._newest:
            return
        verdict = None if newest is None else self._find_public_verdict(newest.after)
        if newest is None or verdict is None:
            self._telling = None
        else:
            self.begin(verdict, partial(view_of, newest.before), newest.after.is_over)
        self._newest = newest  # Last, as another thread may look as well.

    def _find_public_verdict(self, history: History) -> Verdict | None:
        """Return the verdict as everyone may know it; None if the game fails to show it."""

        def look() -> Verdict | None:
            public: Any = history.rules.public_view(history.state)
            verdict: Verdict | None = public.verdict
            return verdict

        return look() if self._guard is None else self._guard.show("view", look)

    def look(self) -> "tuple[Telling | None, Brought | None, Clock | None]":
        """Return the verdict that is told, what brought it, and the clock by which it is."""
        self._look_for_verdict()
        return self._telling, self._newest, self._clock

    def told_history(self, history: History) -> History:
        """Return the game as far as it is told: without the newest verdict until that is."""
        newest = self._newest
        return history if newest is None or self.unfinished() is None else newest.before

    def story_of(self, verdict: Verdict | None) -> "Story | None":
        """Return the verdict of a view as far as it is told; None before the first one."""
        telling = self.current()
        if telling is not None:
            return Story(telling.verdict, self.told(telling), on_stage=True)
        return None if verdict is None else told_story(verdict)

    def use_clock(self, clock: Clock) -> None:
        """Tell verdicts by this clock from now on."""
        self._clock = clock

    def set_calm(self, is_calm: bool) -> None:
        """Tell every verdict at once, or step by step again."""
        self.is_calm = is_calm
        if is_calm:
            self.skip()

    def skip(self) -> bool:
        """Tell the rest at once; return whether there was one."""
        telling, self._telling = self.current(), None
        return telling is not None

    def current(self) -> Telling | None:
        """Return what has the stage: a verdict that is being told, or was told a moment ago."""
        self._look_for_verdict()
        telling = self._telling
        if telling is None or self._clock is None or telling.next_change(self._clock()) is None:
            return None
        return telling

    def unfinished(self) -> Telling | None:
        """Return the verdict of which some step has still to be told; the last one of a game until
        the stage is free."""
        telling = self.current()
        if telling is None or telling.is_last or self.told(telling) < len(telling.verdict.steps):
            return telling
        return None

    def told(self, telling: Telling) -> int:
        """Return how many steps of this verdict are told."""
        if self._clock is None:
            return len(telling.verdict.steps)
        return telling.told(self._clock())

    def next_change(self) -> float | None:
        """Return the seconds until a screen has more to show; None if it is all told."""
        self._look_for_verdict()
        telling = self._telling
        if telling is None or self._clock is None:
            return None
        return telling.next_change(self._clock())


def view_of(history: History, seat: int) -> View | None:
    """Return what a seat, or with seat 0 the table screen, saw of a game; None if it is none."""
    rules, state, at = history.rules, history.state, history.at
    if state is None or seat > len(state.players):
        return None
    status = table_status(history)
    if seat:
        return seat_view(rules, state, at, seat, table=status)
    return open_view(rules, state, at, table=status)


class Story(msgspec.Struct, frozen=True):
    """What a screen shows of a verdict: how many of its steps are told, and whether it has the
    stage of the table."""

    verdict: Verdict
    told: int
    on_stage: bool = False

    @property
    def is_told(self) -> bool:
        """Whether all its steps are told."""
        return self.told >= len(self.verdict.steps)


def told_story(verdict: Verdict) -> Story:
    """Return a verdict of which every step is told."""
    return Story(verdict, len(verdict.steps))
