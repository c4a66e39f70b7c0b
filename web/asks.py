"""Asks: what a seat asks of the game, answered without Flask's way through a request.

A sealed bid, a card that is turned: these are felt while they are waited for, and half of the time
would go into finding the view and building a response that is always the same. Laws: the checks are
those of `web.security` and of the declared operation, in the same order, and the operation is the
same; what is not plainly right goes to Flask as it came, before anything of it is used up; all that
is answered but the one 204 is worded by Flask, to which the outcome is handed.
"""

import io
import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from flask import Flask
from werkzeug.sansio.utils import host_is_trusted
from werkzeug.wsgi import ClosingIterator

from companion.core.errors import NotWritten, Refusal
from companion.identity.browser_keys import Signature, SignedRequest, body_digest, parse_signature
from web.api import seats
from web.api.operation import Operation
from web.body_validation import JSON, Asked, decode_json
from web.context import CONTEXT_KEY, AppContext
from web.rate_limits import RATE_LIMITER, RateLimiter
from web.security import OUTCOME, SIGNATURE, raise_if_too_quick
from web.server.sockets import MAX_JSON_SIZE
from web.sessions import BROWSER_KEY

if TYPE_CHECKING:
    from _typeshed import OptExcInfo
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

Ask = Callable[[AppContext, str, int, Asked], Refusal | None]
SIGNATURE_KEY = "HTTP_" + SIGNATURE.upper().replace("-", "_")
REMEMBERED, REMEMBERED_SIZE = 256, 2048
"""Cookie headers and hosts that are remembered, and their characters."""
DEFAULT_PORTS = (":80", ":443")


def install(app: Flask) -> None:
    """Put what answers asks before this app."""
    (operation,) = (
        each for each in seats.api.operations if each.takes is Asked and each.who == "seat"
    )
    app.wsgi_app = QuickAsks(app, operation, seats.ask_table)  # type: ignore[method-assign]


class SignedAsk(NamedTuple):
    """An ask as it came: who asks, from where, in the name of which seat, signed how."""

    browser: str
    address: str
    seat: int
    path: str
    body: bytes
    signature: Signature


class QuickAsks:
    """Stands before Flask, and answers the asks to one operation by itself."""

    def __init__(self, app: Flask, operation: Operation, ask: Ask) -> None:
        self._app, self._operation, self._ask = app, operation, ask
        self.flask: Callable[..., Iterable[bytes]] = app.wsgi_app
        self._context: AppContext = app.extensions[CONTEXT_KEY]
        self._limiter: RateLimiter = app.extensions[RATE_LIMITER]
        self._path = re.compile(operation.path.replace("<int:seat>", "([0-9]{1,2})"))
        self._granted: tuple[str, list[tuple[str, str]]] | None = None
        self._read_browser = lru_cache(REMEMBERED)(self._find_browser)
        self._is_our_host = lru_cache(REMEMBERED)(self._check_host)

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer a request."""
        asked = self._read_ask(environ)
        if asked is None or not self._use_signature(asked):
            return self.flask(environ, start_response)
        try:
            outcome = self._do(asked)
        except Exception as error:  # noqa: BLE001 – Flask words it, or reports it.
            return self._word_outcome(environ, start_response, partial(_raise_again, error))
        if outcome is not None:
            return self._word_outcome(environ, start_response, lambda: outcome)
        return self._grant(environ, start_response)

    def _read_ask(self, environ: "WSGIEnvironment") -> SignedAsk | None:
        """Return an ask that looks as our pages send it; None for anything else."""
        found = self._path.fullmatch(environ["PATH_INFO"])
        host, size = environ.get("HTTP_HOST", ""), environ.get("CONTENT_LENGTH", "")
        if (
            found is None
            or environ["REQUEST_METHOD"] != "POST"
            or environ.get("CONTENT_TYPE") != JSON
            or environ.get("QUERY_STRING")
            or environ.get("HTTP_ORIGIN") != f"{environ['wsgi.url_scheme']}://{host}"
            or not self._is_our_host(host)
            or not (size.isdecimal() and int(size) <= MAX_JSON_SIZE)
        ):
            return None
        browser = self._read_browser(environ.get("HTTP_COOKIE", "")[: REMEMBERED_SIZE + 1])
        signature = parse_signature(environ.get(SIGNATURE_KEY, ""))
        if not browser or signature is None:
            return None
        body = environ["wsgi.input"].read(int(size))
        environ["wsgi.input"] = io.BytesIO(body)
        seat, address = int(found[1]), environ.get("REMOTE_ADDR", "")
        return SignedAsk(browser, address, seat, environ["PATH_INFO"], body, signature)

    def _find_browser(self, cookies: str) -> str:
        """Return the browser of a Cookie header; “” if there is none, or its cookie is to be set
        anew."""
        if len(cookies) > REMEMBERED_SIZE:
            return ""
        asking = self._app.request_class({"HTTP_COOKIE": cookies})
        session = self._app.session_interface.open_session(self._app, asking)
        return str(session.get(BROWSER_KEY, "")) if session and not session.modified else ""

    def _check_host(self, host: str) -> bool:
        """Check that this is a host of ours, written as browsers write it."""
        is_plain = host == host.lower() and not host.endswith(DEFAULT_PORTS)
        return is_plain and host_is_trusted(host, self._app.config["TRUSTED_HOSTS"])

    def _use_signature(self, asked: SignedAsk) -> bool:
        """Use up the counter of an ask that its browser signed; False if nothing was used up."""
        signed = SignedRequest("POST", asked.path, body_digest(asked.body))
        try:
            unproven = self._context.browser_keys.check_signature(
                asked.browser, signed, asked.signature
            )
        except NotWritten:
            return False
        return unproven is None

    def _do(self, asked: SignedAsk) -> object:
        """Return what the operation comes to for this ask; None if it is granted."""
        context, browser = self._context, asked.browser
        context.note_signed(browser, asked.address)
        claimant = context.find_claimant(browser, asked.address)
        raise_if_too_quick(self._limiter.wait_to_write(claimant, browser))
        denial = context.find_denial(self._operation.who, browser, asked.seat)
        if denial is not None:
            return denial
        context.note_visitor()
        return self._ask(context, browser, asked.seat, decode_json(asked.body, Asked))

    def _word_outcome(
        self,
        environ: "WSGIEnvironment",
        start_response: "StartResponse",
        outcome: Callable[[], object],
    ) -> Iterable[bytes]:
        """Have Flask answer what was done."""
        environ[OUTCOME] = outcome
        return self.flask(environ, start_response)

    def _grant(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer as Flask did when it worded this for the first time."""
        if self._granted is not None:
            start_response(*self._granted)
            return ClosingIterator(())

        def note_head(
            status: str,
            headers: list[tuple[str, str]],
            exc_info: "OptExcInfo | None" = None,
        ) -> Callable[[bytes], object]:
            self._granted = (status, headers)
            return start_response(status, headers, exc_info)

        return self._word_outcome(environ, note_head, lambda: None)


def _raise_again(error: Exception) -> object:
    raise error
