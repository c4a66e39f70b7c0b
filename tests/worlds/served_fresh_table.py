"""A table that was never set up, and its pages at an address."""

from pathlib import Path

from tests.worlds.fresh_table import Fresh
from tests.worlds.served_app import Served


class Workshop(Fresh):
    """Where a table is set up with a real browser; its hand moves when the test lets time pass."""

    def __init__(self, path: Path, **how: str) -> None:
        folder = path.with_suffix("")
        folder.mkdir()
        super().__init__(folder, **how)
        self._served = Served(self.app)
        self.address = self._served.address

    def shut(self) -> None:
        """Everyone goes home."""
        self._served.shut()
        super().shut()
