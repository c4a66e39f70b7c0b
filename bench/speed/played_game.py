"""Played games as requests: the signed bytes that each seat sends, in order.

Law: nothing is computed while it is measured; heads, bodies and signatures are made beforehand.
"""

import base64
import hashlib
import secrets
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from nacl.signing import SigningKey

from companion.core.events import Event, Started, to_json
from companion.games import make_rulebook
from companion.seating.identity import SignedRequest, body_digest


class AskedEvent(NamedTuple):
    """An event, the seat that asks for it, and whether everyone at the table sees that it came."""

    seat: int
    event: Event
    is_public: bool


class PlayedGame(NamedTuple):
    """A game: its start, and its requests in order."""

    game: str
    start: Started
    asked: Sequence[AskedEvent]

    @property
    def seats(self) -> int:
        return self.start.players


def make_played_game(game: str, events: Iterable[Event], most: int) -> PlayedGame:
    """Return a game of these events, the first one its start, with at most this many requests."""
    rules, (start, *later) = make_rulebook(game), events
    assert isinstance(start, Started)
    asked, before = list[AskedEvent](), rules.apply(None, start)
    for event in later[:most]:
        assert before is not None
        after = rules.apply(before, event)
        is_public = rules.public_view(before) != rules.public_view(after)
        asked.append(AskedEvent(getattr(event, "seat", before.active), event, is_public))
        before = after
    return PlayedGame(game, start, asked)


class PhoneKey:
    """The key of a phone, and the number of the start of its table, once that is served."""

    def __init__(self) -> None:
        self._key, self.start = SigningKey.generate(), ""

    @property
    def public_key(self) -> str:
        return bytes(self._key.verify_key).hex()

    def sign_body(self, path: str, body: bytes) -> dict[str, str]:
        """Return the headers that a write needs."""
        attempt = secrets.token_hex(16)
        signed = SignedRequest("POST", path, body_digest(body)).signed_text(self.start, attempt)
        signature = self._key.sign(signed).signature.hex()
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        return {
            "Companion-Signature": f"{self.start}.{attempt}.{signature}",
            "Content-Digest": f"sha-256=:{digest}:",
            "Content-Type": "application/json",
        }


def write_request(asked: AskedEvent, version: int, cookie: str, key: PhoneKey) -> bytes:
    """Return the whole request of a seat."""
    fields: dict[str, object] = msgspec.json.decode(to_json(asked.event))
    fields.pop("seat", None)
    body = msgspec.json.encode({"event": fields, "version": version, "key": f"k{version}"})
    path = f"/api/seats/{asked.seat}/requests"
    return write_head("POST", path, cookie, key.sign_body(path, body), len(body)) + body


def write_head(
    method: str, path: str, cookie: str, headers: dict[str, str], length: int = 0
) -> bytes:
    """Return the head of a request as a page of the table sends it."""
    lines = [
        f"{method} {path} HTTP/1.1", "Host: localhost", f"Cookie: companion={cookie}",
        "Origin: http://localhost", f"Content-Length: {length}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]  # fmt: skip
    return "\r\n".join([*lines, "", ""]).encode()
