"""The browser that asks, known again by a signed cookie.

Law: what the cookie carries is a random name without meaning; who it is, is decided by who sits
where.
"""

import secrets

from flask import session

BROWSER = "browser"
TABLE_SCREEN = "table screen"
"""Marks the browser of a touch screen on which somebody plays: it is a table screen again after."""


def my_browser() -> str:
    """The name of the browser that asks; a new one is given a name first."""
    if BROWSER not in session:
        session.permanent = True
        session[BROWSER] = secrets.token_urlsafe(16)
    return str(session[BROWSER])
