"""A browser of the host's, as far as these tests need one."""

import secrets
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests.web.visitor import OURS, Visitor
from web.room import ROOM


class HostsBrowser(Visitor):
    """Somebody who stands at the table, and may know its PIN."""

    def __init__(self, app: Flask, scripts: bool = False) -> None:
        super().__init__(app, scripts)
        self.house = app.extensions[ROOM].house

    def signs_in(self) -> "HostsBrowser":
        """With a PIN that was just made."""
        answer = self.types(self.house.pin.renew())
        assert answer.status_code in (303, 204), answer.text
        return self

    def types(self, digits: str) -> TestResponse:
        return self.post("/api/host/session", page="enter", form="session", pin=digits)

    def taps(self, what: str, /, **fields: Any) -> TestResponse:
        """Post a form of the host's page."""
        return self.post(f"/api/host/{what}", **({"page": "host", "form": "tapped"} | fields))

    def decides(self, do: str, **fields: str) -> TestResponse:
        """Ask the game for something in the name of the table."""
        return self.taps("requests", form=do, do=do, version=self.version(), **fields)

    def wishes(self, *players: str, **fields: Any) -> TestResponse:
        """Send the form of a new game."""
        wish = {"game": "bankueberfall", "players[]": list(players), "first": "1"} | fields
        return self.taps("games", page="new", form="new", **wish)

    def calls(self, what: str, **fields: Any) -> TestResponse:
        """The same as a program asks it."""
        return self.client.post(
            f"/api/host/{what}",
            json={"key": secrets.token_hex(4), **fields},
            headers={"Origin": OURS},
            base_url=OURS,
        )
