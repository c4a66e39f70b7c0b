"""A table in a given state of a given game, and its pages at an address."""

from pathlib import Path

from tests.worlds.request_campaign import HOST, Campaign, served
from tests.worlds.served_app import Served


class Standing(Served):
    """One such table; the browser with this cookie plays from seat 1, and is the host."""

    def __init__(self, path: Path, game: str, state: str) -> None:
        app = served(path, game, state)
        self.cookie = Campaign(app).cookies(HOST)["companion"]
        super().__init__(app)
