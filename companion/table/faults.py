"""Troubles: what is wrong with journal, clock and wires, said on every screen until it is over.

Law: play goes on where it can. What cannot be written has not happened, and nobody is told that it
has; a clock that was set back changes no order, because lines are counted, not timed.
"""

from collections.abc import Callable
from contextlib import suppress

from companion.core.i18n import N_, Message
from companion.journal import Journal, JournalFailed

BACK = 60.0
"""Seconds by which a clock may be set back without a word."""
EVERY = 5.0
"""Seconds after which what the readers said is written, if no line took it along."""
PAUSE = 1.0
"""Seconds after which a write that failed is tried again, unless somebody asks before."""
SLICE = 200
"""Old lines that are checked in one turn."""

CLOCK = N_("The clock was set back by {n} minutes. The order of the moments is not touched.")


class Troubles:
    """The state of one journal and its clock."""

    def __init__(self, journal: Journal, clock: Callable[[], float]) -> None:
        self._journal = journal
        self._clock = clock
        self._failed: Message | None = None
        self._clock_back: Message | None = None
        self.besides: Message | None = None
        """What else is wrong with the table, for as long as it is."""
        self._said: tuple[Message, ...] = ()
        self._flushed = 0.0
        self.checked: float | None = None
        """When the last old line of the journal was proven; None while that goes on."""
        self._failed_at = 0.0

    def now(self) -> float:
        """The time of the next line; how far the clock went back is noticed."""
        now = self._clock()
        behind = self._journal.last_at - now
        back = Message(CLOCK, {"n": round(behind / 60)})
        self._clock_back = back if behind > BACK else None
        return now

    def failed(self, why: Message) -> None:
        """A line could not be written."""
        self._failed, self._failed_at = why, self._clock()

    def written(self) -> None:
        """A line was written."""
        self._failed = None

    @property
    def due(self) -> bool:
        """Whether what failed is to be tried again; a full disk is not to be asked all the time."""
        return self._failed is not None and abs(self._clock() - self._failed_at) >= PAUSE

    def news(self) -> bool:
        """Whether there is something else to say than when this was asked last."""
        said, self._said = self._said, self.says()
        return said != self._said

    def turn(self) -> bool:
        """Check a slice of what is old, write what may wait; whether there is news."""
        now = self._clock()
        if abs(now - self._flushed) >= EVERY:
            self._flushed = now
            self._journal.flush()
        with suppress(JournalFailed):  # Then it is said when a line cannot be written either.
            proven = self._journal.check(SLICE)
            self.checked = (self.checked or now) if proven else None
        return self.news()

    @property
    def unwritten(self) -> Message | None:
        """Why no line can be written; None while all is well."""
        return self._failed or self._journal.trouble

    def says(self) -> tuple[Message, ...]:
        """What every screen says, the most pressing first."""
        troubles = (self.unwritten, self.besides, self._clock_back)
        return (*filter(None, troubles), *self._journal.notices)
