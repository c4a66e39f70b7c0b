"""Signatures as browsers and programs make them, for requests that tests send."""

import base64
import hashlib
import io
import json
import secrets
from contextlib import suppress
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from flask import Flask
from flask.testing import FlaskClient
from itsdangerous import BadSignature
from nacl.signing import SigningKey

from companion.seating.identity import IdentityStore, SignedRequest, body_digest
from web.browsers import BROWSER_KEY, make_serializer
from web.context import CONTEXT_KEY
from web.security import READ_METHODS
from web.security import SIGNATURE as HEADER

REGISTER = "/api/browser/key"


class Signer:
    """A private key, and the number of the start of its table, once that has told it."""

    def __init__(self, seed: bytes = b"", start: str = "0" * 32) -> None:
        self.key = SigningKey(seed) if seed else SigningKey.generate()
        self.start = start

    @property
    def public_key(self) -> bytes:
        return bytes(self.key.verify_key)

    def signs(self, target: str, body: bytes = b"", method: str = "POST") -> str:
        """The signature of a request, with a fresh attempt number."""
        return self.signs_digest(target, body_digest(body), method)

    def signs_digest(self, target: str, digest: str, method: str = "POST") -> str:
        """The signature of a request whose body has this hash."""
        attempt = secrets.token_hex(16)
        text = SignedRequest(method, target, digest).signed_text(self.start, attempt)
        return f"{self.start}.{attempt}.{self.key.sign(text).signature.hex()}"

    def learns(self, said: bytes) -> bool:
        """Whether a refusal tells another number of the start, which is signed from now on."""
        with suppress(ValueError):
            if start := json.loads(said).get("start"):
                self.start = start
                return True
        return False

    def answers(self, word: str) -> str:
        """The answer to the word of a pass."""
        return hashlib.sha256(word.encode() + self.public_key).hexdigest()

    def head(self, target: str, body: bytes) -> dict[str, str]:
        """The headers that a write needs, as a program sends it to a real server."""
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        return {HEADER: self.signs(target, body), "Content-Digest": f"sha-256=:{digest}:"}

    def registration(self) -> bytes:
        """The body that registers this key."""
        return json.dumps({"key": "k", "public_key": self.public_key.hex()}).encode()


class SigningClient(FlaskClient):
    """A client that signs what it writes with the key of the browser that its cookie names.

    A browser without a cookie gets one first; the key of a browser follows from its id, so that
    clients with the same cookie are the same browser.
    """

    def run_wsgi_app(self, environ: Any, buffered: bool = False) -> Any:
        """Sign the request if it writes."""
        if not is_to_be_signed(environ):
            return super().run_wsgi_app(environ, buffered)
        self._add_cookies_to_wsgi(environ)
        name = self.application.session_interface.get_cookie_name(self.application)
        if self._cookies is None:
            start = self.application.extensions[CONTEXT_KEY].browsers.attempts.start
            environ[HEADER_KEY] = Signer(start=start).signs(environ["PATH_INFO"])
            return super().run_wsgi_app(environ, buffered)
        if name not in SimpleCookie(environ.get("HTTP_COOKIE", "")):
            self.set_cookie(name, new_cookie(self.application), domain=host_of(environ))
            self._add_cookies_to_wsgi(environ)
        sign_environ(self.application, environ, environ["wsgi.input"].read())
        return super().run_wsgi_app(environ, buffered)


def is_to_be_signed(environ: Any) -> bool:
    """Whether the scripts of a page would sign this: a test may have signed it already."""
    return environ["REQUEST_METHOD"] not in READ_METHODS and HEADER_KEY not in environ


HEADER_KEY = f"HTTP_{HEADER.upper().replace('-', '_')}"
_SIGNERS: WeakKeyDictionary[IdentityStore, dict[str, Signer]] = WeakKeyDictionary()


def signer_of(app: Flask, browser: str) -> Signer:
    """The key of a browser, which the table knows."""
    context = app.extensions[CONTEXT_KEY]
    identity = context.browsers.identity
    known = _SIGNERS.setdefault(identity, {})
    if browser not in known:
        known[browser] = Signer(seed_of(browser))
        identity.bind_key(browser, known[browser].public_key)
    known[browser].start = context.browsers.attempts.start
    return known[browser]


def seed_of(browser: str) -> bytes:
    """The private key that a browser of this id has in tests."""
    return hashlib.sha256(f"test {browser}".encode()).digest()


def sign_environ(app: Flask, environ: Any, body: bytes) -> None:
    """Sign the request of this environment, unless its cookie names no browser."""
    environ["wsgi.input"] = io.BytesIO(body)
    browser = browser_of(app, environ.get("HTTP_COOKIE", ""))
    if browser:
        signer, query = signer_of(app, browser), environ.get("QUERY_STRING", "")
        target = environ["PATH_INFO"] + (f"?{query}" if query else "")
        environ[HEADER_KEY] = signer.signs(target, body, environ["REQUEST_METHOD"])


def browser_of(app: Flask, cookies: str) -> str:
    """The browser that a cookie names; nobody's if there is none of ours."""
    name = app.session_interface.get_cookie_name(app)
    found = SimpleCookie(cookies).get(name)
    serializer = make_serializer(app)
    with suppress(BadSignature):
        return str(serializer.loads(found.value).get(BROWSER_KEY, "")) if found else ""
    return ""


def new_cookie(app: Flask) -> str:
    """The cookie of a browser that was never here."""
    browser = SigningKey.generate().encode().hex()[:20]
    return str(make_serializer(app).dumps({BROWSER_KEY: browser}))


def host_of(environ: Any) -> str:
    return str(urlsplit(f"//{environ['HTTP_HOST']}").hostname)
