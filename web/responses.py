"""Responses: success, a result or an error, as JSON for programs and as a page for plain forms.

Law: a page with scripts gets 204 (the event stream brings the news) or a problem (RFC 9457), which
it shows at its form. A plain form gets a redirect to its page, or that page again with the same
sentence at the same form. A page is compressed each time. Event streams are not: compressing for
every viewer would cost more than the few kilobytes saved on a local network, and viewers could not
share the bytes.
"""

import gzip
import re

import msgspec
from flask import Response, make_response, redirect, render_template, request, session

from companion.core.errors import Malformed, NotWritten, Refusal
from companion.core.i18n import N_, Message, get_language, message
from companion.core.pseudonyms import word_seats
from web import forms
from web.context import current_context
from web.rendering import templates
from web.rendering.page_list import has_page
from web.rendering.screens import RefusedForm, render_screen, requested_screen
from web.response_headers import PROBLEM, TEXT_TYPES
from web.sessions import BROWSER_KEY

MIN_COMPRESSED_SIZE = 600
"""Bytes below which compressing gains nothing."""
PAGE_COMPRESSION = 5
API_PREFIX, HEALTHZ = "/api/", "/healthz"
"""The paths that only programs ask for."""

PERMISSION_ERRORS = {
    "not_your_seat": (403, N_("This browser does not play from that seat.")),
    "not_host": (401, N_("Sign in with the PIN of this table first.")),
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
        N_("The signature of this browser does not fit what was sent. Load the page again."),
    ),
    "counter_used": (403, N_("The table already has this; it counts once.")),
    "no_cookie": (
        403,
        N_(
            "This browser keeps no cookies, so the table would not know this phone again. Allow "
            "cookies for this page, or open {address} in another browser."
        ),
    ),
}
"""Status and sentence of a request that is not allowed, by the code of the reason."""
FORM_TARGETS = {
    "login": "/host",
    "host_pass": "/host",
    "setup_login": "/first",
    "new_game": "/host",
    "quick_start": "/play",
}
"""Where the forms of a page lead when granted, if not back to that page."""
_PAGE_FIELD = re.compile(r"([a-z_]+)(?:/([0-9]{1,2}))?")


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wrong, as RFC 9457 has it: `title` in the reader's language, `code` for machines."""

    status: int
    title: str
    code: str
    rule: str = ""
    field: str = ""
    next_counter: int = 0
    """The next counter that this browser can sign with, if the one it used is too low."""
    type: str = "about:blank"


def wants_json() -> bool:
    """Check that the client wants JSON rather than a page, as a form without scripts does."""
    accepts_problem = PROBLEM in request.headers.get("Accept", "")
    is_api = request.path.startswith(API_PREFIX) or request.path == HEALTHZ
    return accepts_problem or (is_api and not forms.is_form_post())


def success_response(anchor: str = "") -> Response:
    """Return 204, or for a plain form a redirect to its page, at this anchor."""
    if wants_json():
        return Response(status=204)
    return make_response(redirect(_redirect_target() + (f"#{anchor}" if anchor else ""), 303))


def json_response(value: object, status: int = 200) -> Response:
    """Return a value as JSON."""
    return Response(msgspec.json.encode(value), status, content_type="application/json")


def page_response(template: str, **facts: object) -> Response:
    """Return a page that belongs to no screen, rendered in the language of the request."""
    return make_response(
        render_template(template, **templates.template_words(request_language()), **facts)
    )


def file_response(name: str, data: bytes, content_type: str) -> Response:
    """Return bytes as a download under this file name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, content_type=content_type, headers=headers)


def refusal_response(refusal: Refusal, field: str = "") -> Response:
    """Return 409 with the sentence of the refusal; a form shows it at `field`."""
    return _error_response(409, refusal.say, refusal.code, refusal.rule, field)


def malformed_response(error: Malformed) -> Response:
    """Return 400 with the field that could not be read."""
    return _error_response(400, error.say, "malformed", field=error.field)


def not_written_response(error: NotWritten) -> Response:
    """Return 409 with the sentence about the disk, and whether it may count all the same."""
    return _error_response(409, error.say, error.code)


def permission_response(code: str) -> Response:
    """Return the status and sentence of this code from PERMISSION_ERRORS."""
    status, sentence = PERMISSION_ERRORS[code]
    return _error_response(status, message(sentence), code)


def unproven_response(code: str, next_counter: int = 0) -> Response:
    """Return that a write is not proven to come from its browser, as a page of its own where a form
    was posted: nothing is told, or remembered, of who asks."""
    status, sentence = PERMISSION_ERRORS[code]
    said = message(sentence, address=request.host_url)
    if wants_json():
        text = templates.template_words(request_language())["say"](said)
        return problem_response(Problem(status, text, code, next_counter=next_counter))
    return _plain_page(status, said)


def failure_response(refusal: Refusal) -> Response:
    """Return that a game has failed, as a page of its own: its pages may be what fails."""
    if wants_json():
        text = say_to_reader(refusal.say)
        return problem_response(Problem(409, text, refusal.code, refusal.rule))
    return _plain_page(409, refusal.say)


def _plain_page(status: int, said: Message) -> Response:
    response = page_response("error.html", saying=said)
    response.status_code = status
    return response


def _error_response(
    status: int, sentence: Message, code: str, rule: str = "", field: str = ""
) -> Response:
    """Return a problem as JSON, or the form's own page with the sentence at the form."""
    text = say_to_reader(sentence)
    if wants_json():
        return problem_response(Problem(status, text, code, rule, field))
    page, seat = _form_page()
    refused_form = RefusedForm(forms.form_name(request.form), text, rule, field)
    return render_screen(requested_screen(page, seat), refused_form, status)


def problem_response(problem: Problem) -> Response:
    """Return a problem as JSON."""
    return Response(msgspec.json.encode(problem), problem.status, content_type=PROBLEM)


def request_language() -> str:
    """Return the language of the asking browser, as templates.session_language has it."""
    return templates.session_language()


def say_to_reader(said: Message) -> str:
    """Return a message in the language of the asking browser."""
    words = get_language(request_language())
    return word_seats(words(said), words)


def _form_page() -> tuple[str, int]:
    """Return page and seat of the form that was posted; the join page if it names none of ours."""
    match = _PAGE_FIELD.fullmatch(request.form.get(forms.PAGE, ""))
    if match is None or not has_page(match.group(1)):
        return "join", 0
    return match.group(1), int(match.group(2) or 0)


def _redirect_target() -> str:
    """Return the address to which a granted form leads."""
    page, seat = _form_page()
    if page in FORM_TARGETS:
        return FORM_TARGETS[page]
    if page == "join":
        seats, browser = current_context().seats, session.get(BROWSER_KEY)
        return "/phone" if seats.seats_of(browser) and not seats.guest_of(browser) else "/"
    return f"/{page}/{seat}" if seat else f"/{page}"


def compress_response(response: Response) -> Response:
    """Compress a page if it is text, large enough, and the browser accepts gzip."""
    if response.content_encoding or not (response.mimetype or "").startswith(TEXT_TYPES):
        return response
    response.vary.add("Accept-Encoding")
    if accepts_gzip() and len(response.get_data()) >= MIN_COMPRESSED_SIZE:
        response.set_data(gzip.compress(response.get_data(), PAGE_COMPRESSION, mtime=0))
        response.content_encoding = "gzip"
    return response


def accepts_gzip() -> bool:
    """Check that the asking browser takes gzip."""
    return request.accept_encodings.quality("gzip") > 0
