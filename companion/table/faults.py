"""Faults of journal, hardware and games, shown on every screen until they are over.

Laws: play goes on where it can. What cannot be written has not happened and is told to no one. An
error in the code of a game, or of ours, changes nothing, is told in one sentence until the next
event is granted, and is logged once: by the class of the error and the line of code, never by the
text of the error, which may hold what only one seat knows. Only an error that came out of a game's
own files is told as that of its rules.
"""

import logging
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from companion.core.cards import Box
from companion.core.databases import Database
from companion.core.errors import ExplainedError, Refusal, show_safely
from companion.core.i18n import N_, Message
from companion.core.log_lines import log_line
from companion.games import find_game, list_games
from companion.games.game import Game
from companion.journal import Journal, JournalFailed

T = TypeVar("T")
LOG = logging.getLogger("companion.table")
DISK_INTERVAL = 5.0
"""Seconds after which a disk that took no seat or host is tried again."""
RETRY_INTERVAL = 1.0
"""Seconds after which a failed write is tried again, unless a request comes before."""


class TableFaults:
    """The faults of one table: its journal, its game, and one other that is reported."""

    def __init__(self, journal: Journal, clock: Callable[[], float]) -> None:
        self._journal = journal
        self._clock = clock
        self.write_failure: Message | None = None
        self._database = Database(None, ())
        self.game_fault: Message | None = None
        """Last error of the game, or of ours in its place, until the next event is granted."""
        self.other_fault: Message | None = None
        """Any other fault of the table, for as long as it lasts."""
        self._notices: tuple[Message, ...] = ()
        self._tried_at = 0.0
        self.checked_at: float | None = None
        """Time when the last old game was verified; None while that goes on."""
        self._failed_at = 0.0
        self.said = self.messages()
        """Faults as the screens show them: all at the last call of `has_changed`."""

    def watch_database(self, database: Database, notices: Sequence[Message] = ()) -> None:
        """Report faults of the file of seats, hosts and all else outside the journal, and the
        notices of the start, until the companion stops."""
        self._database, self._notices = database, tuple(notices)

    def note_success(self) -> None:
        """Note that a line was written: earlier faults are over."""
        self.write_failure = self.game_fault = None

    def note_failure(self, why: Message) -> None:
        """Note a failed write and its reason."""
        self.write_failure, self._failed_at = why, self._clock()

    @property
    def is_retry_due(self) -> bool:
        """Return whether to retry a failed write now: not on every turn of the loop."""
        has_waited = abs(self._clock() - self._failed_at) >= RETRY_INTERVAL
        return self.write_failure is not None and has_waited

    def has_changed(self) -> bool:
        """Return whether the messages differ from those of the last call."""
        before, self.said = self.said, self.messages()
        return before != self.said

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
        """Return the reason no line, seat or host can be written; None while all is well."""
        return self.write_failure or self._journal.fault or self._database.fault

    def messages(self) -> tuple[Message, ...]:
        """Return all faults for the screens, the most pressing first."""
        troubles = (self.write_fault, self.game_fault, self.other_fault)
        return (*filter(None, troubles), *self._journal.notices, *self._notices)


# Games that fail.

SHOWN = ("view", "screen", "page", "lamp")
"""Requests that only show something."""
NOTHING_CHANGED = N_("The rules of {game} failed; nothing was changed.")
NOT_SHOWN = N_("The rules of {game} failed; it cannot be shown as it stands.")
FAILED = N_("Something went wrong at the table. The game is safe in the journal.")
"""What is told of an error of ours."""


class GameGuard:
    """Reports and logs errors in the code of games and around it, and explains them to people."""

    def __init__(self, tell: Callable[[Message], None], box: Box) -> None:
        self._tell = tell
        self.box = box
        """The box on the table, the first suspect for an error."""
        self._logged: set[str] = set()

    def refuse(self, asked: str, error: Exception, box: Box | None = None) -> Refusal:
        """Return the refusal of a failed call, in which the game of the table or of this box is the
        first suspect; raise our own explained errors."""
        failed = find_failed_box(box or self.box, error)
        if failed is None and isinstance(error, ExplainedError):
            raise error
        return self._note_failure(failed, asked, error)

    def find_failure(self, asked: str, error: Exception) -> Refusal | None:
        """Return the refusal of a call that failed in a game's own code; None if it was ours."""
        box = find_failed_box(self.box, error)
        return None if box is None else self._note_failure(box, asked, error)

    def refuse_failure(self, asked: str, call: Callable[[], T]) -> T | Refusal:
        """Return the result of a call, or a refusal if a game's own code fails in it."""
        try:
            return call()
        except Exception as error:
            refused = self.find_failure(asked, error)
            if refused is None:
                raise
            return refused

    def _note_failure(self, box: Box | None, asked: str, error: Exception) -> Refusal:
        """Return the failure of a game, or of our code, for people; tell and log it."""
        if box is None:
            event, game, say = "table_failed", None, Message(FAILED)
        else:
            text = NOT_SHOWN if asked in SHOWN else NOTHING_CHANGED
            event, game, say = "game_failed", box.game, Message(text, {"game": box.title})
        kind, at = show_safely(type(error).__name__), _name_line(box, error)
        line = log_line(event, game=game, asked=asked, error=kind, at=at)
        if line not in self._logged:
            self._logged.add(line)
            LOG.error(line)
        self._tell(say)
        return Refusal("failed", "T.end", say)


def find_failed_box(on_table: Box, error: BaseException) -> Box | None:
    """Return the box of the game from whose own code an error came; None if it is ours."""
    for game in sorted(list_games(), key=lambda game: game.name != on_table.game):
        if find_own_line(game, error) is not None:
            return game.standard_box()
    return None


def _name_line(failed: Box | None, error: BaseException) -> str:
    """Return file and line of an error, in the code of the game that has failed, if one has."""
    own = find_own_line(find_game(failed.game), error) if failed else None
    line = own or traceback.extract_tb(error.__traceback__)[-1]
    return "/".join(
        (*Path(line.filename).parts[-2:-1], f"{Path(line.filename).name}:{line.lineno}")
    )


def find_own_line(game: Game, error: BaseException) -> traceback.FrameSummary | None:
    """Return the last line of a game's own code on the way to an error; None if it has no part.

    A compiled template has no path of this machine, but a name: “games/NAME/file”.
    """
    frames, template = traceback.extract_tb(error.__traceback__), f"games/{game.name}/"
    own = [
        frame
        for frame in frames
        if frame.filename.startswith(template) or Path(frame.filename).is_relative_to(game.folder)
    ]
    return own[-1] if own else None
