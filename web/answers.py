"""Answers to a write: done, or refused in a sentence, for a page with scripts and for one without.

Law: a page with scripts stays where it is — it gets nothing (204, the stream brings the news) or a
problem (RFC 9457) to show at its form. A page without gets a redirect, or itself again with the
same sentence at the same form.
"""

import msgspec
from flask import Response, make_response, redirect, request

from companion.errors import Malformed, Refusal
from web.screens import Screen, in_language, show

PROBLEM = "application/problem+json"


def scripted() -> bool:
    """Whether the page that asks can show a problem by itself."""
    return PROBLEM in request.headers.get("Accept", "")


def done(there: str) -> Response:
    """It is granted, and on disk."""
    return Response(status=204) if scripted() else make_response(redirect(there, 303))


def refused(why: Refusal, screen: Screen, do: str = "") -> Response:
    """It is understood, and the answer is no."""
    return _no(409, why, screen, do)


def malformed(what: Malformed, screen: Screen, do: str = "") -> Response:
    """Nobody can tell what was asked."""
    return _no(400, Refusal("malformed", "", what.say), screen, do)


def _no(status: int, why: Refusal, screen: Screen, do: str) -> Response:
    told = in_language(screen, do, why)
    if scripted():
        return problem(status, told.text, why.code, told.rule)
    return show(screen, told, status)


def problem(status: int, title: str, code: str, rule: str = "") -> Response:
    """A problem as a page with scripts takes it."""
    told = {"status": status, "title": title, "code": code, "rule": rule}
    return Response(msgspec.json.encode(told), status, content_type=PROBLEM)
