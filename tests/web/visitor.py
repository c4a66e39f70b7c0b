"""A browser as far as these tests need one: it keeps cookies, reads pages and sends forms."""

import html
import json
import re
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from companion import sealed
from web.limits import Limits, Rate

OURS = "http://localhost"
NONCE = "0123456789abcdef" * 2
ENDLESS = Rate(10**9, 1e9)
UNHURRIED = Limits(reading=ENDLESS, writing=ENDLESS, writing_each=ENDLESS, signing_in=ENDLESS)
"""For tests that ask faster than people do."""


class Visitor:
    def __init__(self, app: Flask, scripts: bool = False) -> None:
        self.client = app.test_client()
        self.scripts = scripts

    def get(self, page: str, **how: Any) -> TestResponse:
        return self.client.get(page, base_url=OURS, **how)

    def post(self, page: str, /, origin: str | None = OURS, **fields: Any) -> TestResponse:
        headers = {"Accept": "application/problem+json"} if self.scripts else {}
        if origin is not None:
            headers["Origin"] = origin
        return self.client.post(page, data=fields, headers=headers, base_url=OURS)

    def reads(self, page: str) -> str:
        """What stands on a page, without its tags."""
        return words(self.get(page).text)

    def asks(self, do: str, **fields: Any) -> TestResponse:
        """Send a form of the phone page."""
        return self.post("/phone/do", do=do, **{name: json.dumps(v) for name, v in fields.items()})

    def moves(self, do: str, **fields: Any) -> TestResponse:
        """Move something on the simulated table."""
        return self.post("/play/move", do=do, **{name: json.dumps(v) for name, v in fields.items()})

    def closes(self, seat: int, coins: int, game: str, round: int = 1) -> TestResponse:
        seal = sealed.seal(game, round, seat, coins, NONCE)
        return self.asks("sealed", seal=seal)

    def opens(self, coins: int) -> TestResponse:
        return self.asks("opened", value=coins, nonce=NONCE)


def words(page: str) -> str:
    """The words between the tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
