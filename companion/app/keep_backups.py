"""Keep a backup of the data folder after each game that ends at the running table.

Law: it is written in a thread of its own, so that the event loop never waits for the disk.
"""

import threading

from companion.backup.service import Backups
from companion.table.table import Table


class BackupKeeper:
    """Has a backup written once for each game that ends; called in every turn of the loop."""

    def __init__(self, table: Table, backups: Backups) -> None:
        self._table, self._backups = table, backups
        self._kept = table.history if table.history.is_over else None
        self._writing: threading.Thread | None = None

    def back_up_when_due(self) -> None:
        """Begin a backup if a game has ended since the last one, and none is being written."""
        history = self._table.history
        is_writing = self._writing is not None and self._writing.is_alive()
        if history.state is None or not history.is_over or history is self._kept or is_writing:
            return
        self._kept = history
        self._writing = threading.Thread(target=self._backups.keep, name="backup", daemon=True)
        self._writing.start()
