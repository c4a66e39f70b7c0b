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
from web.rendering.screens import Refused, here, my_screen, show
from web.sessions import BROWSER

PROBLEM = "application/problem+json"
API, HEALTHZ = "/api/", "/healthz"
"""What programs ask for."""

STRANGERS = {
    "not_your_seat": (403, N_("This browser does not play from that seat.")),
    "not_host": (401, N_("Sign in with the PIN of this table first.")),
}
"""Why somebody may not ask for something, each with its status."""
LEADS = {"login": "/host", "setup_login": "/first", "new_game": "/host", "quick_start": "/play"}
"""Where a form leads when it is granted, if not back to its own page."""
_PAGE = re.compile(r"([a-z]+)(?:/([0-9]{1,2}))?")


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wrong, as RFC 9457 has it: `title` in the reader's language, `code` for machines."""

    status: int
    title: str
    code: str
    rule: str = ""
    field: str = ""
    type: str = "about:blank"


def machine() -> bool:
    """Whether whoever asks wants JSON and no page; a form without scripts wants a page."""
    asked = PROBLEM in request.headers.get("Accept", "")
    api = request.path.startswith(API) or request.path == HEALTHZ
    return asked or (api and not forms.plain())


def done(at: str = "") -> Response:
    """It is granted, and on disk; a page comes again, where it says what came of it."""
    where = _back() + (f"#{at}" if at else "")
    return Response(status=204) if machine() else make_response(redirect(where, 303))


def found(what: Any, status: int = 200) -> Response:
    """What was asked for."""
    return Response(msgspec.json.encode(what), status, content_type="application/json")


def shown(template: str, **facts: Any) -> Response:
    """A page that is nothing but this answer."""
    return make_response(render_template(template, **templates.words(my_language()), **facts))


def file(name: str, data: bytes, kind: str) -> Response:
    """What was asked for, to be kept under this name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, content_type=kind, headers=headers)


def refused(why: Refusal, field: str = "") -> Response:
    """It is understood, and the answer is no; `field` is the one at which it is to be said."""
    return _no(409, why.say, why.code, why.rule, field)


def malformed(what: Malformed) -> Response:
    """Nobody can tell what was asked."""
    return _no(400, what.say, "malformed", field=what.field)


def stranger(code: str) -> Response:
    """Whoever asks may not."""
    status, sentence = STRANGERS[code]
    return _no(status, message(sentence), code)


def _no(status: int, saying: Message, code: str, rule: str = "", field: str = "") -> Response:
    said = templates.words(my_language())["say"](saying)
    if machine():
        return problem(Problem(status, said, code, rule, field))
    page, seat = _page()
    at_the_form = Refused(forms.name(request.form), said, rule, field)
    return show(my_screen(page, seat), at_the_form, status)


def problem(what: Problem) -> Response:
    """A problem as a machine takes it."""
    return Response(msgspec.json.encode(what), what.status, content_type=PROBLEM)


def my_language() -> str:
    """The language of whoever asks."""
    return templates.my_language(current_context().language)


def _page() -> tuple[str, int]:
    """The page whose form this is, and its seat; only one of ours."""
    asked = _PAGE.fullmatch(request.form.get(forms.PAGE, ""))
    if asked is None or not here(asked.group(1)):
        return "join", 0
    return asked.group(1), int(asked.group(2) or 0)


def _back() -> str:
    page, seat = _page()
    if page in LEADS:
        return LEADS[page]
    if page == "join":
        seats, browser = current_context().seats, session.get(BROWSER)
        return "/phone" if seats.of(browser) and not seats.guest(browser) else "/"
    return f"/{page}/{seat}" if seat else f"/{page}"
