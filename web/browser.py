"""The browser that asks, known again by a signed cookie.

Law: what the cookie carries is a random name without meaning; who it is, is decided by who sits
where.
"""

import secrets

from flask import Response, make_response, redirect, request, session

BROWSER = "browser"
LED = "led"
"""Marks a browser that a page led to the seats by itself, because its seat is no longer there."""


def my_browser() -> str:
    """The name of the browser that asks; a new one is given a name first."""
    if BROWSER not in session:
        session.permanent = True
        session[BROWSER] = secrets.token_urlsafe(16)
    return str(session[BROWSER])


def led_away(where: str = "/") -> Response:
    """The way from a page that is no longer this browser's."""
    session[LED] = True
    return make_response(redirect(where, 303))


def came() -> bool:
    """Whether it is a person who comes here, not a page that was left open and led away."""
    return not session.pop(LED, False) and request.method == "GET"
