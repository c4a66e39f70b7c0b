"""Requests of all kinds to everything that a host may ask, from a browser that is signed in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Flask

from tests.worlds.campaign import pick
from tests.worlds.host_browser import AtHome, HostsBrowser
from tests.worlds.request_campaign import Campaign
from tests.worlds.visitor import UNHURRIED
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext

EACH = pick(4, 6, 64)


class Decisions(Campaign):
    """Only what the host decides; whoever signed out signs in again."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        self.browser = HostsBrowser(app)

    def operations(self) -> Iterator[Any]:
        return (each for each in super().operations() if each.path.startswith("/api/host"))

    def cookies(self, who: str) -> dict[str, str]:
        if self.browser.get("/host").request.path != "/host":
            self.browser.signs_in()
        return {"companion": self.browser.client.get_cookie("companion").value}


def test_random_host_requests_are_answered_as_documented(tmp_path: Path):
    table = Watched(tmp_path / "journal.sqlite3")
    house = AtHome(table.table, table.journal)
    here = AppContext(table.table, host=house, backups=house.safe(tmp_path))
    campaign = Decisions(create_app(here, limits=UNHURRIED))
    campaign.ask_all(EACH, "host")
    assert campaign.wrong == []
    assert campaign.statuses[204] > EACH
    assert campaign.statuses[401] == 0
    table.journal.close()
