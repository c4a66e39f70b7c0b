"""Security of every request: Origin check, rate limits, signatures; headers, compression, errors.

Laws: a write comes from one of our own pages (its Origin is the address that was asked, and that
address is a trusted host, which stops forged requests and DNS rebinding); a page loads nothing from
elsewhere and runs no inline scripts; an error tells one sentence and nothing about the software.

What is not known to change nothing is signed by the key of the browser that its cookie names, from
this machine as well, and each attempt counts once, on arrival. A cookie alone writes nothing: the
refusal changes nothing, sets no cookie, and costs the true browser no share of its rate. A stream
may be opened without a signature, but then it takes the place of no signed one.

A page is compressed each time, an event of a stream once for all its viewers (web.server.viewers).
"""

import gzip
import math
import re

from flask import Flask, Response, current_app, g, make_response, render_template, request, session
from werkzeug.exceptions import (
    Forbidden,
    HTTPException,
    SecurityError,
    ServiceUnavailable,
    TooManyRequests,
)

from companion.core.i18n import N_, message
from companion.host.table_source import LoopBusy
from companion.hotspot.machine import Machine
from companion.seating.identity import (
    HEADER,
    Signature,
    SignedRequest,
    body_digest,
    parse_signature,
)
from companion.table.faults import FAILED
from web import captive_portal, responses
from web.browsers import (
    BROWSER_KEY,
    NEW_GAME,
    RATE_LIMIT,
    READ,
    TOO_MANY_REQUESTS,
    WRITE,
    RateLimit,
)
from web.context import current_context
from web.rendering.game_words import template_words
from web.rendering.screens import session_language
from web.response_headers import DATA_HEADERS, FRAMED_HEADERS, FRAMING_HEADERS, HEADERS, TEXT_TYPES
from web.server.sockets import MAX_JSON_SIZE

PORT, COOKIE = 8000, "companion"
"""Port of a table, and its cookie. Another table on the same machine has a cookie of its
own: browsers send the cookies of all ports to each port."""
BUSY_SECONDS = 1
"""Seconds after which a request that found the table busy is to be sent again."""
NEW_GAME_ENDPOINTS = ("api_play.seats", "api_play.deal", "api_demo.gather")
"""The writes that let anyone at a simulated table begin a game."""

MIN_COMPRESSED_SIZE = 600
"""Bytes below which compressing gains nothing."""
PAGE_COMPRESSION = 5

SIGNATURE = HEADER
UPLOAD = "companion.upload"
"""The key in the WSGI environment for the signature's result for a file that the server received by
itself: the code of its fault, or “”."""
CROWDED = "companion.crowded"
"""The key for the seconds after which a request may come again for which there was no place."""
READ_METHODS = ("GET", "HEAD", "OPTIONS")
OPEN_ENDPOINTS = tuple(
    f"api_judge.{name}" for name in ("decide", "fork", "possibilities", "better")
)
"""Posts that change nothing: the calculations of the judge."""
CASE_ENDPOINT = "judge.show_case"
"""The page that has the judge decide a case, which costs as much as a write."""
KEY_ENDPOINT = "api_browser.register_key"
"""The write that registers a key; it is proven by that very key."""
_IN_QUERY = re.compile(r"(?:^|&)signature=([0-9a-f.]*)$")

BESIDE = "beside"

SENTENCES = {
    400: N_("The table did not understand that."),
    403: N_("This was not sent from one of the table's own pages."),
    404: N_("There is no such page at this table."),
    405: N_("There is no such page at this table."),
    413: N_("That is more than the table takes at once."),
    415: N_("The table reads JSON."),
    429: TOO_MANY_REQUESTS,
    503: N_("The table was too busy to answer. Please try again; it counts only once."),
}


def install(app: Flask, machine: Machine) -> None:
    """Configure hosts, cookie and size limits of the app, and check every request."""
    app.config.update(
        TRUSTED_HOSTS=machine.hosts,
        MAX_CONTENT_LENGTH=MAX_JSON_SIZE,
        SESSION_COOKIE_NAME=COOKIE if machine.port == PORT else f"{COOKIE}-{machine.port}",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )
    app.before_request(check_origin)
    app.before_request(check_place)
    app.before_request(check_read_rate)
    app.before_request(check_write)
    app.after_request(finish_response)
    app.register_error_handler(HTTPException, handle_http_error)
    app.register_error_handler(LoopBusy, handle_busy_table)
    app.register_error_handler(Exception, handle_game_failure)


def check_origin() -> None:
    """Reject writes of other pages (CSRF, DNS rebinding); each counts for its source."""
    # `request.host` is read first, as it also refuses to read under a name that is not ours.
    if not comes_from_own_page() and request.method not in READ_METHODS:
        check_rate("", WRITE)
        raise Forbidden


def comes_from_own_page() -> bool:
    """Return whether the Origin header is the address that was asked."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.host}"


def check_place() -> None:
    """Raise 503 for a request that found no place at the server; its attempt is used up."""
    wait: int | None = request.environ.get(CROWDED)
    if wait is not None:
        signature = sent_signature()
        if signature is not None:
            _count_attempt(signature)
        raise ServiceUnavailable(retry_after=wait)


def check_read_rate() -> None:
    """Raise 429 with Retry-After if this browser or its source reads more than its rate. A stream
    that is signed counts for its browser, wherever it comes from."""
    if request.method in READ_METHODS:
        g.stream_flaw = _find_stream_flaw()
        is_judged = request.endpoint == CASE_ENDPOINT
        check_rate(session.get(BROWSER_KEY, ""), WRITE if is_judged else READ)


def check_write() -> Response | None:
    """Return the refusal of a write that its browser has not signed; raise 429 with Retry-After if
    this browser, or its source, writes more than its rate.

    What a browser did not sign counts for its source: a copied cookie could use up its share.
    """
    if request.method in READ_METHODS:
        return None
    is_signed = needs_signature()
    refused = find_flaw() if is_signed else ""
    is_browsers = is_signed and not refused and request.endpoint != KEY_ENDPOINT
    cost = NEW_GAME if request.endpoint in NEW_GAME_ENDPOINTS else WRITE
    check_rate(session[BROWSER_KEY] if is_browsers else "", cost)
    return responses.permission_response(refused) if refused else None


def check_rate(browser: str, tokens: int) -> None:
    """Take tokens of whom this request counts for; raise 429 if there are seconds to wait."""
    limit: RateLimit = current_app.extensions[RATE_LIMIT]
    client = current_context().browsers.find_client(browser, request.remote_addr or "")
    if wait := limit.take(client.key, tokens):
        raise TooManyRequests(retry_after=math.ceil(wait))


def needs_signature() -> bool:
    """Check whether this request may change something."""
    if request.method in READ_METHODS or request.routing_exception is not None:
        return False
    return request.endpoint not in OPEN_ENDPOINTS


def find_flaw() -> str:
    """Use up the attempt of this write; return the code of its signature's fault, “” if there is
    none. A registration is checked with the key that it brings."""
    if UPLOAD in request.environ:
        return str(request.environ[UPLOAD])
    signature = sent_signature()
    if signature is None:
        return "unsigned"
    flaw = _count_attempt(signature)
    if flaw or request.endpoint == KEY_ENDPOINT:
        return flaw
    return _check_signature(signed_request(), signature)


def stream_flaw() -> str:
    """Return the code of the fault in this stream's signature, “” if there is none."""
    return str(g.stream_flaw)


def _find_stream_flaw() -> str:
    """Use up the attempt of a stream, whose signature is in the query, as an EventSource sends no
    headers; return the code of its signature's fault, “” if there is none."""
    found = _IN_QUERY.search(request.query_string.decode("latin-1"))
    signature = parse_signature(found[1]) if found else None
    if signature is None:
        return "unsigned"
    target = _join_target(_IN_QUERY.sub("", request.query_string.decode("latin-1")))
    asked = SignedRequest("GET", target, body_digest(b""))
    return _count_attempt(signature) or _check_signature(asked, signature)


def find_upload_flaw(digest: str) -> str:
    """Use up the attempt of a file whose body is said to have this SHA-256; return the code of its
    signature's fault, “” if there is none."""
    signature = sent_signature()
    if signature is None:
        return "unsigned"
    asked = SignedRequest(request.method, _target(), digest)
    return _count_attempt(signature) or _check_signature(asked, signature)


def _count_attempt(signature: Signature) -> str:
    """Use up an attempt; return the code of its fault, “” if there is none."""
    return current_context().browsers.attempts.count(signature)


def _check_signature(asked: SignedRequest, signature: Signature) -> str:
    """Return the flaw of a signature, “” if it is valid; remember the address of a valid one."""
    context, browser = current_context(), session.get(BROWSER_KEY)
    if browser is None:
        return "no_cookie"
    flaw = context.browsers.identity.check_signature(browser, asked, signature)
    if not flaw:
        context.browsers.note_signed(browser, request.remote_addr or "")
    return flaw


def signed_request() -> SignedRequest:
    """Return the text that this request's signature must be over."""
    return SignedRequest(request.method, _target(), body_digest(request.get_data()))


def sent_signature() -> Signature | None:
    """Return the signature in the header; None if there is none."""
    return parse_signature(request.headers.get(SIGNATURE, ""))


def _target() -> str:
    return _join_target(request.query_string.decode("latin-1"))


def _join_target(query: str) -> str:
    """Return the path of the request with this query."""
    return f"{request.path}?{query}" if query else request.path


def finish_response(response: Response) -> Response:
    """Add the security headers of a page or of data, neither of which may be cached, and compress a
    large text if the browser accepts gzip."""
    is_page = response.mimetype == "text/html"
    response.headers.update(_page_headers() if is_page else DATA_HEADERS)
    response.headers.setdefault("Cache-Control", "no-store")
    return _compress(response)


def _compress(response: Response) -> Response:
    if response.content_encoding or not (response.mimetype or "").startswith(TEXT_TYPES):
        return response
    if len(response.get_data()) < MIN_COMPRESSED_SIZE:
        return response
    response.vary.add("Accept-Encoding")
    if accepts_gzip():
        response.set_data(gzip.compress(response.get_data(), PAGE_COMPRESSION, mtime=0))
        response.content_encoding = "gzip"
    return response


def accepts_gzip() -> bool:
    """Return whether the asking browser takes gzip."""
    return request.accept_encodings.quality("gzip") > 0


def _page_headers() -> dict[str, str]:
    """Return the headers of a page, with framing only for a phone beside its simulated table."""
    if request.endpoint == "play.show_play":
        return FRAMING_HEADERS
    if request.endpoint == "phone.show_phone" and BESIDE in request.args:
        return FRAMED_HEADERS
    return HEADERS


def handle_game_failure(error: Exception) -> Response:
    """Return one sentence if the game failed in its own code; re-raise errors of ours."""
    failed = current_context().table.guard.find_failure("page", error)
    if failed is None:
        raise error
    return responses.failure_response(failed)


def handle_http_error(error: HTTPException) -> Response:
    """Return the error as one sentence, with Retry-After where waiting helps.

    A browser then loads the page again by itself.
    """
    response = _error_response(error)
    if isinstance(error, (TooManyRequests, ServiceUnavailable)):
        response.headers["Retry-After"] = str(error.retry_after)
        if request.method in READ_METHODS:
            response.headers["Refresh"] = str(error.retry_after)
    return response


def handle_busy_table(_busy: LoopBusy) -> Response:
    """Return 503: the same request may be sent again with its key, and counts once."""
    return handle_http_error(ServiceUnavailable(retry_after=BUSY_SECONDS))


def _error_response(error: HTTPException) -> Response:
    status = error.code or 500
    sentence = message(SENTENCES.get(status, FAILED))
    if isinstance(error, SecurityError):  # The Host header is not ours: no page, no cookie.
        return captive_portal.captive_portal_response() or Response(
            sentence.text, status, content_type="text/plain; charset=utf-8"
        )
    words = template_words(session_language())
    if responses.wants_json():
        code = f"http_{status}"
        return responses.problem_response(responses.Problem(status, words["say"](sentence), code))
    return make_response(render_template("error.html", **words, saying=sentence), status)
