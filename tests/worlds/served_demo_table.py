"""The demo table, and its pages at an address."""

from pathlib import Path

from tests.worlds.demo_table import QuietTable
from tests.worlds.served_app import Served


class Open(QuietTable):
    """People come in with real browsers."""

    def __init__(self, path: Path, **how: str) -> None:
        super().__init__(path, **how)
        self._served = Served(self.app)
        self.url = self._served.address

    def shut(self) -> None:
        self._served.shut()
        super().shut()
