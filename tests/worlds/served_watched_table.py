"""A table with scripted readers, and its pages at an address."""

from pathlib import Path

from companion.host.settings import TableSettings
from tests.worlds.named_keys import named_seats
from tests.worlds.served_app import Served
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext


class House(Watched):
    """One table with readers, and its pages at an address."""

    def __init__(self, path: Path, language: str = "en", seats: int = 3) -> None:
        super().__init__(path, seats=seats)
        settings = TableSettings(language=language)
        self.room = AppContext(self.table, named_seats(open_house=True), settings=settings)
        self._served = Served(create_app(self.room))
        self.address = self._served.address

    def shut(self) -> None:
        """Everyone goes home."""
        self._served.shut()
        self.table.close()
