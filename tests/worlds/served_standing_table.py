"""A table in a given state of a given game, and its pages at an address."""

from pathlib import Path

from tests.worlds.served_app import Served
from tests.worlds.served_tables import host_cookie, served


class Standing(Served):
    """One such table; the browser with this cookie plays from seat 1, and is the host."""

    def __init__(self, path: Path, game: str, state: str) -> None:
        app = served(path, game, state)
        self.cookie = host_cookie(app)
        super().__init__(app)
