"""A table without a game, and its pages at an address."""

from pathlib import Path

from tests.worlds.empty_table import Hall
from tests.worlds.served_app import Served


class Open(Hall):
    """Where people come in with real browsers."""

    def __init__(self, path: Path, **how: object) -> None:
        super().__init__(path, **how)  # type: ignore[arg-type]
        self._served = Served(self.app)
        self.address = self._served.address

    def shut(self) -> None:
        """Everyone goes home."""
        self._served.shut()
        self.journal.close()
