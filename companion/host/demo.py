"""The demo loop: recorded evenings while nobody is at the table, the table itself once somebody is.

Laws: what people do counts, and nothing that bots do: a press, a piece that moves, a page that is
asked for something, somebody who sits down. After five minutes without any of it a game that is
still under way is ended, which the journal says, and put away as the host would; but not one that
the host has paused; and half a minute before, the pages say so. Time comes in from outside.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle

from companion.core.i18n import N_
from companion.core.sensor_events import Arrived, ButtonPressed, Evidence, Left
from companion.host.demo_scenes import Scene, iter_scenes, load_evenings
from companion.host.host import Host
from companion.records.format import Record

PLAYS = N_("The demo plays on the table screen until somebody presses a button or opens a page.")
IDLE = 5 * 60.0
"""Seconds without anybody, after which the demo plays."""
NOTICE = 30.0
"""Seconds before that in which the pages say that the table is put away."""
LONG_AGO = float("-inf")


class DemoLoop:
    """What plays at one table while nobody is there; pages know it as `web.context.Demo`."""

    def __init__(
        self,
        house: Host,
        clock: Callable[[], float] = time.monotonic,
        shown: Sequence[Record] = (),
    ) -> None:
        self._house, self._clock = house, clock
        self._evenings = cycle(shown or load_evenings())
        self._scenes: Iterator[Scene] = iter(())
        self._scene: Scene | None = None
        self._until = 0.0
        self._leaving = False
        self._people = self._who()
        self._last = clock() if self._left() else LONG_AGO
        house.felt = self.note_evidence

    # What pages ask and tell.

    def scene(self) -> Scene | None:
        """The moment of a recorded evening that is shown now; None while the table itself is."""
        return self._scene

    def is_due(self) -> bool:
        """Whether the table is put away in a moment, if nobody does anything."""
        return self._leaving

    def note_visitor(self) -> None:
        """Somebody is here."""
        self._last = self._clock()

    # What happens at the table.

    def note_evidence(self, evidence: Evidence) -> None:
        """A press, or a piece that moves; while bots play at a simulated table it may be theirs."""
        table = self._house.table
        if self._house.simulated and not table.history.is_over:
            return
        moves = self._scene is None and isinstance(evidence, Arrived | Left)
        if moves or isinstance(evidence, ButtonPressed):
            self.note_visitor()

    def advance(self) -> None:
        """Give way, begin, or go on to the next moment."""
        now, people = self._clock(), self._who()
        if people != self._people or self._paused():
            self._people = people
            self.note_visitor()
        alone = now - self._last
        self._tell_leaving(IDLE - NOTICE <= alone < IDLE and self._left())
        if alone < IDLE:
            self._show(None)
        elif self._scene is None:
            self._begin(now)
        elif now >= self._until:
            self._go_on(now)

    def _begin(self, now: float) -> None:
        """Put away what was left; where that cannot be written, try again later."""
        if self._left() and self._house.abandon_game() is not None:
            self._last = now
            return
        self._people, self._last = self._who(), LONG_AGO  # Putting away was nobody's touch.
        self._scenes = iter(())
        self._go_on(now)

    def _go_on(self, now: float) -> None:
        scene = next(self._scenes, None)
        if scene is None:
            self._scenes = iter_scenes(next(self._evenings))
            scene = next(self._scenes)
        self._until = now + scene.lasts
        self._show(scene)

    def _show(self, scene: Scene | None) -> None:
        if scene is not self._scene:
            self._scene = scene
            self._house.table.notify_watchers()

    def _tell_leaving(self, leaving: bool) -> None:
        if leaving != self._leaving:
            self._leaving = leaving
            self._house.table.notify_watchers()

    def _who(self) -> tuple[str, frozenset[int]]:
        """Which game is on the table, and who sits at it."""
        state = self._house.table.state
        return str(state.id) if state is not None else "", self._house.seats.taken_seats()

    def _left(self) -> bool:
        """Whether there is anything on the table, or somebody sits there."""
        return self._who() != ("", frozenset())

    def _paused(self) -> bool:
        history = self._house.table.history
        return history.paused and not history.is_over
