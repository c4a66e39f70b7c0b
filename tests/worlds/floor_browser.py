"""A browser at the pages of a floor, without a screen: it signs what it sends, as scripts do."""

import http.client
import json
import secrets
from contextlib import closing, suppress
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from nacl.bindings import (
    crypto_core_ed25519_scalar_reduce,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)

from companion.floor.pin_seal import cover_bytes, cover_text
from tests.worlds.signer import REGISTER, Signer

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ACCEPT = {"Accept": "application/problem+json"}
Answer = tuple[int, str, http.client.HTTPMessage]


class FloorBrowser:
    """One browser: its key, its cookie, and the headers that it sends with everything."""

    def __init__(self, address: str, **head: str) -> None:
        self.address, self.head = address, head
        self.signer, self.cookie = Signer(), ""

    def read(self, path: str, **head: str) -> Answer:
        """Open a page."""
        return self.send("GET", path, b"", {**self._own_head(), **head})

    def post(self, path: str, body: str | bytes = "", **head: str) -> Answer:
        """Send a body, signed; after a restart with the counter that the floor asks for."""
        sent = body.encode() if isinstance(body, str) else body
        if not self.cookie:
            self.register()
        answer = self.send("POST", path, sent, self.signed_head(path, sent) | head)
        ahead = find_next_counter(answer[1]) if answer[0] == 403 else 0
        if ahead:
            self.signer.counter = ahead - 1
            answer = self.send("POST", path, sent, self.signed_head(path, sent) | head)
        return answer

    def enter(self, pin: str, **head: str) -> Answer:
        """Type the PIN."""
        if not self.cookie:
            self.register()
        sealed = seal_pin(pin, self.read("/enter")[1], self.signer.public_key.hex())
        return self.post("/enter", urlencode({"sealed": sealed}), **head)

    def register(self) -> None:
        """Register the key; the cookie then names this browser."""
        body = self.signer.registration()
        status, _, head = self.send("POST", REGISTER, body, self.signed_head(REGISTER, body))
        assert status == 200
        cookie = SimpleCookie(head["Set-Cookie"])["floor"]
        self.cookie = f"floor={cookie.value}"

    def signed_head(self, path: str, body: bytes) -> dict[str, str]:
        """Return the headers of a write."""
        signed = self.signer.head(path, body)
        return {**self._own_head(), **ACCEPT, **FORM, **signed, "Origin": self.address}

    def send(self, method: str, path: str, body: bytes, head: dict[str, str]) -> Answer:
        """Send a request with these headers and no others."""
        line = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=60)
        with closing(line):
            with suppress(BrokenPipeError, ConnectionResetError):  # Refused while it was sent.
                line.request(method, path, body or None, head)
            answer = line.getresponse()
            return answer.status, answer.read().decode(), answer.headers

    def _own_head(self) -> dict[str, str]:
        return {**self.head, **({"Cookie": self.cookie} if self.cookie else {})}


def find_next_counter(refused: str) -> int:
    """Return the counter that a refusal asks for; 0 if it asks for none."""
    return int(json.loads(refused).get("next_counter", 0))


def seal_pin(pin: str, floor: str, signer: str) -> str:
    """Seal a PIN as the script of the page does (floor_pin.mjs)."""
    secret = crypto_core_ed25519_scalar_reduce(secrets.token_bytes(64))
    made = crypto_scalarmult_ed25519_base_noclamp(secret).hex()
    point = crypto_scalarmult_ed25519_noclamp(secret, bytes.fromhex(floor)).hex()
    return made + cover_text(pin.encode(), cover_bytes(floor, made, signer, point)).hex()
