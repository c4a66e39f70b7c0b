"""Answers: done, found, or refused in a sentence, for whoever reads JSON and for a plain form.

Law: a page with scripts stays where it is — it gets nothing (204, the stream brings the news) or a
problem (RFC 9457) to show at its form. A plain form gets a redirect to its page, or that page
again with the same sentence at the same form.
"""

import re
from typing import Any

import msgspec
from flask import Response, make_response, redirect, render_template, request, session

from companion.core.errors import Malformed, Refusal
from companion.core.i18n import N_, Message, message
from web import forms
from web.context import current_context
from web.rendering import templates
from web.rendering.screens import RefusedForm, has_page, render_screen, requested_screen
from web.sessions import BROWSER_KEY

PROBLEM = "application/problem+json"
API_PREFIX, HEALTHZ = "/api/", "/healthz"
"""What programs ask for."""

PERMISSION_ERRORS = {
    "not_your_seat": (403, N_("This browser does not play from that seat.")),
    "not_host": (401, N_("Sign in with the PIN of this table first.")),
}
"""Why somebody may not ask for something, each with its status."""
FORM_TARGETS = {
    "login": "/host",
    "setup_login": "/first",
    "new_game": "/host",
    "quick_start": "/play",
}
"""Where a form leads when it is granted, if not back to its own page."""
_PAGE_FIELD = re.compile(r"([a-z]+)(?:/([0-9]{1,2}))?")


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wrong, as RFC 9457 has it: `title` in the reader's language, `code` for machines."""

    status: int
    title: str
    code: str
    rule: str = ""
    field: str = ""
    type: str = "about:blank"


def wants_json() -> bool:
    """Whether whoever asks wants JSON and no page; a form without scripts wants a page."""
    asked = PROBLEM in request.headers.get("Accept", "")
    api = request.path.startswith(API_PREFIX) or request.path == HEALTHZ
    return asked or (api and not forms.is_form_post())


def success_response(anchor: str = "") -> Response:
    """It is granted, and on disk; a page comes again, where it says what came of it."""
    where = _redirect_target() + (f"#{anchor}" if anchor else "")
    return Response(status=204) if wants_json() else make_response(redirect(where, 303))


def json_response(value: Any, status: int = 200) -> Response:
    """What was asked for."""
    return Response(msgspec.json.encode(value), status, content_type="application/json")


def page_response(template: str, **facts: Any) -> Response:
    """A page that is nothing but this answer."""
    return make_response(
        render_template(template, **templates.template_words(request_language()), **facts)
    )


def file_response(name: str, data: bytes, content_type: str) -> Response:
    """What was asked for, to be kept under this name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, content_type=content_type, headers=headers)


def refusal_response(refusal: Refusal, field: str = "") -> Response:
    """It is understood, and the answer is no; `field` is the one at which it is to be said."""
    return _error_response(409, refusal.say, refusal.code, refusal.rule, field)


def malformed_response(error: Malformed) -> Response:
    """Nobody can tell what was asked."""
    return _error_response(400, error.say, "malformed", field=error.field)


def permission_response(code: str) -> Response:
    """Whoever asks may not."""
    status, sentence = PERMISSION_ERRORS[code]
    return _error_response(status, message(sentence), code)


def _error_response(
    status: int, sentence: Message, code: str, rule: str = "", field: str = ""
) -> Response:
    said = templates.template_words(request_language())["say"](sentence)
    if wants_json():
        return problem_response(Problem(status, said, code, rule, field))
    page, seat = _form_page()
    at_the_form = RefusedForm(forms.form_name(request.form), said, rule, field)
    return render_screen(requested_screen(page, seat), at_the_form, status)


def problem_response(problem: Problem) -> Response:
    """A problem as a machine takes it."""
    return Response(msgspec.json.encode(problem), problem.status, content_type=PROBLEM)


def request_language() -> str:
    """The language of whoever asks."""
    return templates.session_language(current_context().language)


def _form_page() -> tuple[str, int]:
    """The page whose form this is, and its seat; only one of ours."""
    asked = _PAGE_FIELD.fullmatch(request.form.get(forms.PAGE, ""))
    if asked is None or not has_page(asked.group(1)):
        return "join", 0
    return asked.group(1), int(asked.group(2) or 0)


def _redirect_target() -> str:
    page, seat = _form_page()
    if page in FORM_TARGETS:
        return FORM_TARGETS[page]
    if page == "join":
        seats, browser = current_context().seats, session.get(BROWSER_KEY)
        return "/phone" if seats.seats_of(browser) and not seats.guest_of(browser) else "/"
    return f"/{page}/{seat}" if seat else f"/{page}"
