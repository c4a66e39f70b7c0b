"""A browser without a screen: it keeps cookies, reads pages and sends what their scripts send."""

import html
import re
import secrets
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from companion.core import commitment
from companion.hotspot.machine import Machine
from companion.hotspot.network import Wifi
from tests.worlds import signer
from tests.worlds.event_story import NONCE
from web.browsers import Limits
from web.context import CONTEXT_KEY

OURS = "http://localhost"
Flask.test_client_class = signer.SigningClient
UNHURRIED = Limits(tokens=10**9, per_second=1e9)
"""For tests that ask faster than people do."""


class Visitor:
    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()
        self.app = app
        self.seat = 0

    def get(self, page: str, **how: Any) -> TestResponse:
        """A page; of those of a seat the own one."""
        if self.seat and page in ("/phone", "/play"):
            page = f"{page}/{self.seat}"
        return self.client.get(page, base_url=OURS, **how)

    def post(self, path: str, origin: str | None = OURS, /, **body: Any) -> TestResponse:
        """Send these fields, with a key of their own."""
        return self.tells(path, {"key": secrets.token_hex(8), **body}, origin)

    def tells(self, path: str, body: Any, origin: str | None = OURS) -> TestResponse:
        """Send this very body as JSON."""
        headers = {} if origin is None else {"Origin": origin}
        return self.client.post(path, json=body, headers=headers, base_url=OURS)

    def reads(self, page: str) -> str:
        """What stands on a page, without its tags."""
        return words(self.get(page).text)

    def sits(self, seat: int) -> TestResponse:
        """Sit down, and play from there."""
        self.get("/")
        self.seat = seat
        return self.post(f"/api/join/seats/{seat}")

    def asks(self, do: str, /, **fields: Any) -> TestResponse:
        """Ask the game for an event in the name of the own seat."""
        return self.requests(f"/api/seats/{self.seat}/requests", do, fields)

    def requests(self, path: str, do: str, fields: dict[str, Any]) -> TestResponse:
        """Ask for an event, about the newest view; `version` and `key` may be others."""
        about = {name: fields.pop(name) for name in ("version", "key") if name in fields}
        body = {"event": {"event": do, **fields}, "version": self.version()}
        return self.post(path, **(body | about))

    def hands(self, act: str, **fields: Any) -> TestResponse:
        """Do something on the simulated table: lift, put, turn, press, faults, bots…"""
        return self.post(f"/api/play/{self.seat}/{act}", **fields)

    def version(self) -> int:
        """The newest version of the game."""
        return self.app.extensions[CONTEXT_KEY].table.version

    def closes(self, seat: int, coins: int, game: str, round: int = 1) -> TestResponse:
        seal = commitment.make_seal(game, round, seat, coins, NONCE)
        return self.asks("sealed", seal=seal)

    def opens(self, coins: int) -> TestResponse:
        return self.asks("opened", value=coins, nonce=NONCE)


def words(page: str) -> str:
    """The words between the tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


class PlacedMachine(Machine):
    """A machine with these addresses, a Wi-Fi of its own, and more hosts that it answers to."""

    def __init__(self, *typed: str, wifi: Wifi | None = None, hosts: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.addresses, self.wifi = typed, wifi
        self.hosts += hosts
