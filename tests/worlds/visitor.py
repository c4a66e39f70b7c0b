"""A browser without a screen: it keeps cookies, reads pages and sends forms."""

import html
import json
import re
import secrets
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from companion.core import commitment
from tests.worlds import signer
from web.context import CONTEXT_KEY
from web.forms import FORM_FIELDS
from web.rate_limits import Limits, Rate

OURS = "http://localhost"
ABOUT_THE_FORM = ("form", "key", "version", "page")
NONCE = "0123456789abcdef" * 2
ENDLESS = Rate(10**9, 1e9)
Flask.test_client_class = signer.SigningClient
UNHURRIED = Limits(
    reads=ENDLESS,
    writes=ENDLESS,
    writes_per_browser=ENDLESS,
    sign_ins=ENDLESS,
    new_games=ENDLESS,
    connects=ENDLESS,
    new_keys=ENDLESS,
)
"""For tests that ask faster than people do."""


class Visitor:
    def __init__(self, app: Flask, scripts: bool = False) -> None:
        self.client = app.test_client()
        self.app = app
        self.seat = 0
        self.scripts = scripts

    def get(self, page: str, **how: Any) -> TestResponse:
        """A page; of those of a seat the own one."""
        if self.seat and page in ("/phone", "/play"):
            page = f"{page}/{self.seat}"
        return self.client.get(page, base_url=OURS, **how)

    def post(self, page: str, origin: str | None = OURS, /, **fields: Any) -> TestResponse:
        """Send a form, as a browser does; with scripts as `forms.mjs` does."""
        if self.scripts:
            return self.tells(page, spelled(fields), origin)
        headers = {"Origin": origin} if origin is not None else {}
        return self.client.post(page, data=fields, headers=headers, base_url=OURS)

    def tells(self, page: str, body: Any, origin: str | None = OURS) -> TestResponse:
        """Send JSON, as a page with scripts or a program does."""
        headers = {"Accept": "application/problem+json, application/json"}
        if origin is not None:
            headers["Origin"] = origin
        return self.client.post(page, json=body, headers=headers, base_url=OURS)

    def reads(self, page: str) -> str:
        """What stands on a page, without its tags."""
        return words(self.get(page).text)

    def sits(self, seat: int) -> TestResponse:
        """Sit down, and play from there."""
        self.get("/")
        self.seat = seat
        return self.post(f"/api/join/seats/{seat}", form=f"seat {seat}", page="join")

    def asks(self, do: str, /, page: str = "phone", **fields: Any) -> TestResponse:
        """Send a form of the phone page."""
        return self._sends(f"/api/seats/{self.seat}/requests", page, do, fields)

    def hands(self, act: str, **fields: Any) -> TestResponse:
        """Do something on the simulated table: lift, put, turn, press, faults, bots…"""
        there = f"/api/play/{self.seat}/{act}"
        return self.post(there, **({"page": f"play/{self.seat}", "form": act} | fields))

    def _sends(self, to: str, page: str, do: str, fields: dict[str, Any]) -> TestResponse:
        written = {n: v if n in ABOUT_THE_FORM else json.dumps(v) for n, v in fields.items()}
        return self.sends(to, **({"do": do, "page": f"{page}/{self.seat}"} | written))

    def sends(self, to: str = "", /, origin: str | None = OURS, **fields: str) -> TestResponse:
        """A form as its page sends it, about the newest view unless it says otherwise."""
        to = to or f"/api/seats/{self.seat}/requests"
        about = {"page": f"phone/{self.seat}", "version": self.version()}
        return self.post(to, origin, **(about | fields))

    def deals(self, **how: Any) -> TestResponse:
        """Have the cards of the simulated table dealt again."""
        fields = {"page": f"phone/{self.seat}", "form": "deal"}
        return self.post(f"/api/play/{self.seat}/deal", **(fields | how))

    def version(self) -> int:
        """The version of the game, as every form of its pages carries it."""
        return self.app.extensions[CONTEXT_KEY].table.version

    def closes(self, seat: int, coins: int, game: str, round: int = 1) -> TestResponse:
        seal = commitment.make_seal(game, round, seat, coins, NONCE)
        return self.asks("sealed", seal=seal)

    def opens(self, coins: int) -> TestResponse:
        return self.asks("opened", value=coins, nonce=NONCE)


def spelled(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a form as the scripts of its page send them; each time with another key."""
    found: dict[str, Any] = {"key": fields.get("key", secrets.token_hex(8))}
    if "version" in fields:
        found["version"] = int(fields["version"])
    if "do" not in fields:
        return found | {n: v for n, v in fields.items() if n not in ABOUT_THE_FORM}
    own = {n: json.loads(v) for n, v in fields.items() if n not in FORM_FIELDS}
    return found | {
        "event": {"event": fields["do"], **json.loads(fields.get("choice", "{}")), **own}
    }


def words(page: str) -> str:
    """The words between the tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
