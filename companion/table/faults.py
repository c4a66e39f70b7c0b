"""Faults of journal, clock, hardware and games, shown on every screen until they are over.

Laws: play goes on where it can. What cannot be written has not happened and is told to no one; a
clock that was set back changes no order, because lines are counted, not timed. What a game's own
code raises changes nothing and is told in one sentence, until the next event is granted.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from companion.core.cards import Box
from companion.core.databases import Database
from companion.core.errors import Refusal
from companion.core.i18n import N_, Message
from companion.journal import Journal, JournalFailed
from companion.table.game_failure import FailureLog, GameFailed, find_failed_box

T = TypeVar("T")
CLOCK_TOLERANCE = 60.0
"""Seconds by which a clock may be set back without a message."""
DISK_INTERVAL = 5.0
"""Seconds after which a disk that took no seat or host is tried again."""
RETRY_INTERVAL = 1.0
"""Seconds after which a failed write is tried again, unless a request comes before."""

CLOCK_SET_BACK = N_("The clock was set back by {minutes}. The order of the moments is not touched.")


class TableFaults:
    """The faults of one table: its journal, its clock, and one other that is reported."""

    def __init__(self, journal: Journal, clock: Callable[[], float]) -> None:
        self._journal = journal
        self._clock = clock
        self._write_failure: Message | None = None
        self._clock_back: Message | None = None
        self._database = Database(None, ())
        self.game_fault: Message | None = None
        """What the game's own code has failed with, until the next event is granted."""
        self.other_fault: Message | None = None
        """Any other fault of the table, for as long as it lasts."""
        self._notices: tuple[Message, ...] = ()
        self._last_messages: tuple[Message, ...] = ()
        self._tried_at = 0.0
        self.checked_at: float | None = None
        """Time at which the last old game was verified; None while that goes on."""
        self._failed_at = 0.0

    def watch_database(self, database: Database, notices: Sequence[Message] = ()) -> None:
        """Tell of the file of all that is not in the journal, such as seats and hosts, and what the
        start found beside the journal, for as long as the companion runs."""
        self._database, self._notices = database, tuple(notices)

    def read_clock(self) -> float:
        """Return the time of the next line; note if the clock was set back."""
        now = self._clock()
        behind = self._journal.last_at - now
        back = Message(CLOCK_SET_BACK, {"minutes": round(behind / 60)})
        self._clock_back = back if behind > CLOCK_TOLERANCE else None
        return now

    def report_failure(self, why: Message) -> None:
        self._write_failure, self._failed_at = why, self._clock()

    def report_success(self) -> None:
        self._write_failure = self.game_fault = None

    @property
    def is_retry_due(self) -> bool:
        """Return whether to try again what failed; not on every turn of the loop."""
        return (
            self._write_failure is not None
            and abs(self._clock() - self._failed_at) >= RETRY_INTERVAL
        )

    def has_changed(self) -> bool:
        """Return whether the messages differ from those of the last call."""
        said, self._last_messages = self._last_messages, self.messages()
        return said != self._last_messages

    def run_maintenance(self) -> bool:
        """Check the next old game, try a failed disk again; return `has_changed`."""
        now = self._clock()
        if abs(now - self._tried_at) >= DISK_INTERVAL:
            self._tried_at = now
            self._database.try_again()
        with suppress(JournalFailed):  # Then it is said when a line cannot be written either.
            proven = self._journal.check_next()
            self.checked_at = (self.checked_at or now) if proven else None
        return self.has_changed()

    @property
    def write_fault(self) -> Message | None:
        """Return why no line, seat or host can be written; None while all is well."""
        return self._write_failure or self._journal.fault or self._database.fault

    def messages(self) -> tuple[Message, ...]:
        """Return all faults for the screens, the most pressing first."""
        troubles = (self.write_fault, self.game_fault, self.other_fault, self._clock_back)
        return (*filter(None, troubles), *self._journal.notices, *self._notices)


class GameGuard:
    """Asks a game, and tells and logs what goes wrong in it."""

    def __init__(self, tell: Callable[[Message], None], find_box: Callable[[], Box]) -> None:
        """Tell failures to `tell`; the box on the table is asked first whose code it was."""
        self._tell, self._find_box = tell, find_box
        self._log = FailureLog()

    def ask(self, asked: str, call: Callable[[], T], box: Box | None = None) -> T:
        """Return what a call comes to that runs the game on the table, or of this box, and nothing
        else; raise GameFailed."""
        try:
            return call()
        except (KeyboardInterrupt, GameFailed, JournalFailed):
            raise
        except BaseException as error:
            raise self._note_failure(box or self._find_box(), asked, error) from error

    def show(self, asked: str, call: Callable[[], T]) -> T | None:
        """Return what a call shows of the game on the table; None if the game fails in it."""
        try:
            return self.ask(asked, call)
        except GameFailed:
            return None

    def refuse_failure(self, asked: str, call: Callable[[], T]) -> T | Refusal:
        """Return what a call returns, or the refusal if a game fails in its own code meanwhile."""
        try:
            return call()
        except Exception as error:
            failed = self.find_failure(asked, error)
            if failed is None:
                raise
            return failed.refusal

    def find_failure(self, asked: str, error: Exception) -> GameFailed | None:
        """Return the failure of the game from whose own code an error came; None if it is ours."""
        if isinstance(error, GameFailed):
            return error
        box = find_failed_box(self._find_box(), error)
        return None if box is None else self._note_failure(box, asked, error)

    def _note_failure(self, box: Box, asked: str, error: BaseException) -> GameFailed:
        failed = self._log.describe_failure(box, asked, error)
        self._tell(failed.refusal.say)
        return failed
