"""The games that were played at a live table, as its journal has them.

Law: they are read under the lock of the table, so never while a line is being written.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from companion.core.errors import Refusal, refusal
from companion.core.events import Started
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal, StoredGame
from companion.records.format import Record
from companion.records.past_games import FindNames, GameList, list_past_games
from companion.records.store import export_record, make_last_record
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

    def list_past(self, names_of: FindNames) -> GameList:
        """Return all past games, as `companion records` lists them, with the names that are
        known."""
        with self._lock:
            return GameList(tuple(list_past_games(self._journal, names_of)))

    def export(self, id: str) -> bytes:
        """Return the record of a game; raise Malformed if there is none that may be had."""
        with self._lock:
            return export_record(self._journal, id)

    def list_games(self) -> list[StoredGame]:
        """Return every game of the journal, the oldest first."""
        with self._lock:
            return self._journal.list_games()
