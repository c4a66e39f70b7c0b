"""Faults of journal, clock, hardware and games, shown on every screen until they are over.

Laws: play goes on where it can. What cannot be written has not happened and is told to no one; a
clock that was set back changes no order, because lines are counted, not timed. What a game's own
code raises changes nothing, is told in one sentence until the next event is granted, and is logged
once: by the class of the error and the line of code, never by the text of the error, which may hold
what only one seat knows.
"""

import logging
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from companion.core.cards import Box
from companion.core.databases import Database
from companion.core.errors import ExplainedError, Refusal, refusal, show_safely
from companion.core.i18n import N_, Message
from companion.core.log_lines import log_line
from companion.games import find_game, game_names, list_games
from companion.games.game import Game
from companion.journal import Journal, JournalFailed

T = TypeVar("T")
LOG = logging.getLogger("companion.table")
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
        """Return the reason no line, seat or host can be written; None while all is well."""
        return self._write_failure or self._journal.fault or self._database.fault

    def messages(self) -> tuple[Message, ...]:
        """Return all faults for the screens, the most pressing first."""
        troubles = (self.write_fault, self.game_fault, self.other_fault, self._clock_back)
        return (*filter(None, troubles), *self._journal.notices, *self._notices)


# Games that fail.

SHOWN = ("view", "screen", "page", "lamp")
"""What is asked when nothing is done, but shown."""
NOT_SHOWN = N_("The rules of {game} failed; it cannot be shown as it stands.")


class GameFailed(Exception):
    """A game's own code has failed; `refusal` says so to people."""

    def __init__(self, refused: Refusal) -> None:
        self.refusal = refused
        super().__init__(refused.code)


class GameGuard:
    """Asks a game, and tells and logs what goes wrong in it."""

    def __init__(self, tell: Callable[[Message], None], find_box: Callable[[], Box]) -> None:
        """Tell failures to `tell`; the box on the table is asked first whose code it was."""
        self._tell, self._find_box = tell, find_box
        self._logged: set[str] = set()

    def ask(self, asked: str, call: Callable[[], T], box: Box | None = None) -> T:
        """Return the result of a call that runs the game on the table, or of this box, and nothing
        else; raise GameFailed."""
        box = box or self._find_box()
        try:
            return call()
        except (KeyboardInterrupt, GameFailed):
            raise
        except BaseException as error:
            if isinstance(error, ExplainedError) and find_failed_box(box, error) is None:
                raise
            raise self._note_failure(box, asked, error) from error

    def show(self, asked: str, call: Callable[[], T]) -> T | None:
        """Return the result of a call that shows the game on the table; None if the game fails in
        it."""
        try:
            return self.ask(asked, call)
        except GameFailed:
            return None

    def refuse_failure(self, asked: str, call: Callable[[], T]) -> T | Refusal:
        """Return the result of a call, or a refusal if the game's own code fails."""
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
        """Return the failure of a game for people; tell and log it."""
        at = _name_line(box.game, error)
        name = show_safely(type(error).__name__)
        line = log_line("game_failed", game=box.game, asked=asked, error=name, **at)
        if line not in self._logged:
            self._logged.add(line)
            LOG.error(line)
        text = "The rules of {game} failed; nothing was changed."
        refused = refusal("game_failed", "T.end", text, game=box.title)
        if asked in SHOWN:
            refused = Refusal("game_failed", "T.end", Message(NOT_SHOWN, {"game": box.title}))
        self._tell(refused.say)
        return GameFailed(refused)


def find_failed_box(on_table: Box, error: BaseException) -> Box | None:
    """Return the box of the game from whose own code an error came; None if it is ours."""
    for game in sorted(list_games(), key=lambda game: game.name != on_table.game):
        if find_own_line(game, error) is not None:
            return game.standard_box()
    return None


def _name_line(name: str, error: BaseException) -> dict[str, str]:
    """Return file and number of the line of the game at which it went wrong; where ours met what
    the game lacks, the file of its rule book, and our line besides."""
    game = find_game(name) if name in game_names() else None
    own = find_own_line(game, error) if game is not None else None
    line = own or find_last_line(error)
    at = f"{_short_path(line.filename)}:{line.lineno}" if line else ""
    if game is None or own is not None:
        return {"at": at}
    return {"at": _short_path(find_own_file(game)), "ours": at}


def _short_path(file: str) -> str:
    return "/".join(Path(file).parts[-2:])


def find_own_line(game: Game, error: BaseException) -> traceback.FrameSummary | None:
    """Return the last line of a game's own code on the way to an error; None if it has no part."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(game.folder)]
    return own[-1] if own else None


def find_own_file(game: Game) -> str:
    """Return the file in which the rule book of a game stands; "" if it was not read from one."""
    return getattr(sys.modules.get(game.rulebook.__module__), "__file__", None) or ""


def find_last_line(error: BaseException) -> traceback.FrameSummary | None:
    """Return the line that raised an error; None if it was never raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1] if frames else None
