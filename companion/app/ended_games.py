"""Keep each game that ends at the running table in the index of past games.

Law: the index is a convenience. What cannot be written to it is worked out again by the next list.
"""

from contextlib import suppress
from pathlib import Path

from companion.journal import Journal, JournalFailed
from companion.journal.game_index import add_to_index
from companion.table.history import History
from companion.table.table import Table


class EndedGames:
    """Adds the game that ended last at this table to the index, once."""

    def __init__(self, table: Table, journal: Journal, index: Path) -> None:
        self._table, self._journal, self._index = table, journal, index
        self._added: History | None = None

    def add_to_index(self) -> None:
        """Add the game if it is over and was not when this was called before."""
        history = self._table.history
        if not history.is_over or history is self._added:
            return
        self._added = history
        with suppress(JournalFailed):
            ended = self._table.played.describe_last()
            if ended is not None and not self._journal.notices:
                add_to_index(self._index, self._journal, self._journal.end, [ended])
