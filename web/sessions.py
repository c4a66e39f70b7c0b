"""Sessions: which browser asks, and whether it is signed in as the host.

Law: the cookie carries a random id without meaning; which seat that is, and whether it is the
host, is stored at the table.
"""

import secrets

from flask import Response, make_response, redirect, request, session

BROWSER_KEY = "browser"
REDIRECTED_KEY = "led"
"""Marks a browser that a page redirected to the seats, because it lost its seat."""


def browser_id() -> str:
    """Return the random id of the asking browser; set it in the cookie first if there is none."""
    if BROWSER_KEY not in session:
        session[BROWSER_KEY] = secrets.token_urlsafe(16)
    return str(session[BROWSER_KEY])


def set_browser_id(browser: str) -> None:
    """Make the asking browser this one from now on."""
    session[BROWSER_KEY] = browser


def redirect_away(target: str = "/") -> Response:
    """Redirect away from a page that this browser may no longer see, and mark the browser so."""
    session[REDIRECTED_KEY] = True
    return make_response(redirect(target, 303))


def is_direct_visit() -> bool:
    """Check that a person opened this page, rather than a left-open page redirecting here."""
    return not session.pop(REDIRECTED_KEY, False) and request.method == "GET"
