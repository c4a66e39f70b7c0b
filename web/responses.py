"""Responses: a result or a problem as JSON, and pages.

Law: a write is answered with 204 (the event stream brings the news), a result, or a problem (RFC
9457), which the page shows at its form.
"""

import msgspec
from flask import Response, make_response, render_template, request

from companion.core.durable_files import say_without_folder
from companion.core.errors import ExplainedError, Malformed, NotWritten, Refusal
from companion.core.i18n import N_, Message, get_language, message
from web.context import current_context
from web.rendering.game_words import template_words
from web.rendering.screens import requested_names, session_language
from web.response_headers import PROBLEM

DATA_PREFIXES, HEALTHZ = ("/api/", "/stream/"), "/healthz"
"""The paths that only programs ask for."""

PERMISSION_ERRORS = {
    "not_your_seat": (403, N_("This browser does not play from that seat.")),
    "not_host": (401, N_("Only the host may do this.")),
    "unsigned": (
        403,
        N_(
            "What this browser sends is not signed. Allow scripts for this page, and load it again."
        ),
    ),
    "unknown_key": (
        403,
        N_("The table does not know the key of this browser. Load the page again."),
    ),
    "bad_signature": (
        403,
        N_("This browser’s signature does not match. Load the page again."),
    ),
    "attempt_used": (403, N_("The table already has this; it counts once.")),
    "other_start": (
        403,
        N_("The table has restarted meanwhile. Check whether it has this; if not, send it again."),
    ),
    "no_cookie": (
        403,
        N_(
            "This browser keeps no cookies, so the table would not know this phone again. Allow "
            "cookies for this page, or open {address} in another browser."
        ),
    ),
}
"""Status and sentence of a request that is not allowed, by the code of the reason."""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Error after RFC 9457: `title` in the reader's language, `code` for machines."""

    status: int
    title: str
    code: str
    rule: str = ""
    field: str = ""
    start: str = ""
    """The number of this start, to sign with, if another was signed."""
    type: str = "about:blank"


def wants_json() -> bool:
    """Return whether the request accepts a problem as JSON rather than a page."""
    return request.path.startswith(DATA_PREFIXES) or request.path == HEALTHZ


def json_response(value: object, status: int = 200) -> Response:
    """Return a value as JSON."""
    return Response(msgspec.json.encode(value), status, content_type="application/json")


def page_response(template: str, **facts: object) -> Response:
    """Return a page that belongs to no screen, rendered in the language of the request."""
    return make_response(render_template(template, **template_words(session_language()), **facts))


def file_response(name: str, data: bytes, content_type: str) -> Response:
    """Return bytes as a download under this file name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, content_type=content_type, headers=headers)


def refusal_response(refusal: Refusal, field: str = "") -> Response:
    """Return 409 with the sentence of the refusal; its page shows it at `field`."""
    return _say_problem(409, refusal.say, refusal.code, rule=refusal.rule, field=field)


def error_response(error: ExplainedError) -> Response:
    """Return 400 with the unreadable field, or 409 with the reason and code of the failure."""
    if isinstance(error, Malformed) and not isinstance(error, NotWritten):
        return _say_problem(400, error.say, "malformed", field=error.field)
    return _say_problem(409, say_without_folder(error), getattr(error, "code", NotWritten.code))


def permission_response(code: str) -> Response:
    """Return the status and sentence of this code from PERMISSION_ERRORS."""
    status, sentence = PERMISSION_ERRORS[code]
    said = say_to_reader(message(sentence, address=request.host_url))
    start = current_context().browsers.attempts.start if code == "other_start" else ""
    return problem_response(Problem(status, said, code, start=start))


def failure_response(refusal: Refusal) -> Response:
    """Return the response of a failed game, as a page of its own, since the game's pages may be at
    fault."""
    if wants_json():
        return refusal_response(refusal)
    response = page_response("error.html", saying=refusal.say)
    response.status_code = 409
    return response


def _say_problem(
    status: int, said: Message, code: str, *, rule: str = "", field: str = ""
) -> Response:
    return problem_response(Problem(status, say_to_reader(said), code, rule, field))


def problem_response(problem: Problem) -> Response:
    """Return a problem as JSON."""
    return Response(msgspec.json.encode(problem), problem.status, content_type=PROBLEM)


def say_to_reader(said: Message) -> str:
    """Return a message in the language of the asking browser."""
    return get_language(session_language()).with_names(requested_names())(said)
