"""The games that were played at a live table, as its journal has them.

Law: they are read under the lock of the table, so never while a line is being written.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from companion.core.errors import Refusal, refusal
from companion.core.events import Started
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal
from companion.journal.game_index import IndexedGame
from companion.records.end_line import EndLine, find_end_line
from companion.records.format import Record
from companion.records.past_games import describe_ended_game
from companion.records.store import make_last_record
from companion.table.history import History


class GamesPlayed:
    """What is asked of the journal of a table; `find_history` returns the game that is on now."""

    def __init__(
        self,
        journal: Journal,
        lock: AbstractContextManager[object],
        find_history: Callable[[], History],
    ) -> None:
        self._journal, self._lock, self._find_history = journal, lock, find_history
        self._end: EndLine | None = None

    def refuse_used_id(self, event: Started, rules: AnyRulebook) -> Refusal | None:
        """Refuse an id that was used before, or old seals would fit again."""
        text = "A game of this id is in the journal already."
        used = self._journal.has_game(event.id)
        return refusal("id", rules.start_rule, text) if used else None

    def last_record(self) -> Record | Refusal:
        """Return the record of the last game; refused while it would tell what is hidden."""
        with self._lock:
            return make_last_record(self._journal, self._find_history())

    def has_record(self) -> bool:
        """Return whether a game was played here to its end."""
        with self._lock:
            return self._find_history().is_over and self._journal.newest_game() is not None

    def describe_last(self) -> IndexedGame | None:
        """Return what a list of past games shows of the game that ended here last."""
        with self._lock:
            return describe_ended_game(self._journal, self._find_history())

    def end_line(self) -> EndLine | None:
        """Return the line with which the game at this table ended; None while it goes on, and
        where lines of it are lost."""
        with self._lock:
            self._end = find_end_line(self._journal, self._find_history(), self._end)
            return self._end

    def count_since(self, n: int, chain: str) -> int | None:
        """Return how many games began after this line of the journal; None if it has no such."""
        with self._lock:
            return self._journal.games_since(n, chain)
