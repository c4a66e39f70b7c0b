"""Keys of browsers: registered once each, and asked for every write.

Laws: a key belongs to one browser for good, and a browser has one key for good. A browser that
comes with another key is another browser: it gets a new id, and what belongs to the first one stays
there. A key that comes back without its cookie gets its browser back, as only its owner can sign.

A signature is over method, address, the number of this start, the number of the attempt and the
SHA-256 of the body, under a first line that nothing else of the companion signs. It travels as the
two numbers and itself in hexadecimal, with dots between them.

    companion request 1
    POST
    /api/seats/1/requests
    8f3c1b0e5d7a42969c0d11e2f3a4b5c6
    0b6d7e2f4a5c48d19e3f2a1b0c9d8e7f
    e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855

The table draws the number of a start when it starts, and tells it whoever signed with another. The
browser draws that of each attempt, which counts once, on arrival, whatever the answer: what was
heard on its way is worth nothing a second time, nor after a restart.
"""

import hashlib
import re
import secrets
import threading

import msgspec
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from companion.identity.store import IdentityStore

PURPOSE = "companion request 1"
HEADER = "Companion-Signature"
"""The header of a request in which its signature comes."""
_SIGNATURE = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{32})\.([0-9a-f]{128})")
NUMBER_BYTES = 16
MAX_ATTEMPTS = 100_000
"""Attempts that are remembered, none of them forgotten, before a new start number is drawn."""


class Signature(msgspec.Struct, frozen=True):
    """A signature with the numbers of the start and the attempt that it is over."""

    start: str
    attempt: str
    value: bytes


def parse_signature(written: str) -> Signature | None:
    """Return the signature that is written so; None if none is."""
    found = _SIGNATURE.fullmatch(written)
    return Signature(found[1], found[2], bytes.fromhex(found[3])) if found else None


def body_digest(body: bytes) -> str:
    """Return the SHA-256 of a body in hexadecimal, as it is signed."""
    return hashlib.sha256(body).hexdigest()


class SignedRequest(msgspec.Struct, frozen=True):
    """What a signature is over, but for its numbers; `target` is the path with its query."""

    method: str
    target: str
    digest: str

    def signed_text(self, start: str, attempt: str) -> bytes:
        """Return the bytes that are signed."""
        parts = (PURPOSE, self.method, self.target, start, attempt, self.digest)
        return "\n".join(parts).encode()

    def is_signed_by(self, public_key: bytes, signature: Signature) -> bool:
        """Check a signature over this request with the public key of its sender."""
        text = self.signed_text(signature.start, signature.attempt)
        try:
            VerifyKey(public_key).verify(text, signature.value)
        except BadSignatureError:
            return False
        return True


class Attempts:
    """The number of this start, and the attempts that have come since. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._draw_start()

    def count(self, signature: Signature) -> str:
        """Count an attempt that has come: return “” if it is the first of its number, else the
        code of the reason why it is worth nothing.

        It counts before its signature is checked, as a browser whose key or cookie is missing sends
        the same act again when it has them.
        """
        with self._lock:
            if signature.start != self.start:
                return "other_start"
            attempt = bytes.fromhex(signature.attempt)
            if attempt in self._used:
                return "attempt_used"
            self._used.add(attempt)
            if len(self._used) >= MAX_ATTEMPTS:
                self._draw_start()
            return ""

    def _draw_start(self) -> None:
        self.start = secrets.token_hex(NUMBER_BYTES)
        self._used: set[bytes] = set()


class BrowserKeys:
    """The keys of the browsers of one table. Thread-safe."""

    def __init__(self, store: IdentityStore) -> None:
        self._store = store
        self._lock = threading.Lock()

    def check_signature(self, browser: str, asked: SignedRequest, signature: Signature) -> str:
        """Return “” if this browser signed this request, else the code of the reason."""
        key = self._store.public_key(browser)
        if key is None:
            return "unknown_key"
        return "" if asked.is_signed_by(key, signature) else "bad_signature"

    def is_registered(self, key: bytes) -> bool:
        """Check whether a browser has this key."""
        return self._store.browser_of_key(key) is not None

    def register_key(
        self, claimed: str, key: bytes, asked: SignedRequest, signature: Signature
    ) -> str | None:
        """Register a key, proven by a signature with it; return the id of its browser, None if the
        signature is another's.

        That is the browser that has this key already, else the claimed one if that has no key,
        else a new one.
        """
        if not asked.is_signed_by(key, signature):
            return None
        with self._lock:
            known = self._store.browser_of_key(key)
            if known is not None:
                return known
            is_free = bool(claimed) and self._store.public_key(claimed) is None
            browser = claimed if is_free else secrets.token_urlsafe(NUMBER_BYTES)
            self._store.bind_key(browser, key)
            return browser
