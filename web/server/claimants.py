"""Claimants: whom a connection counts for, by the cookie that it shows."""

from collections import OrderedDict
from collections.abc import Callable

from flask import Flask

from companion.host.fair_threads import Claimant
from web.context import CONTEXT_KEY, AppContext
from web.sessions import BROWSER_KEY

MAX_COOKIES, MAX_COOKIE_SIZE = 512, 2048
"""Cookie headers whose browser is remembered, and their bytes."""


def make_claimant_finder(app: Flask) -> Callable[[str, str], Claimant]:
    """Return a function that finds the claimant of a Cookie header and an address.

    It runs on the event loop for each request of a flood, so it remembers the browser of a cookie.
    """
    context: AppContext = app.extensions[CONTEXT_KEY]
    browsers: OrderedDict[str, str] = OrderedDict()

    def read_browser(header: str) -> str:
        if header not in browsers:
            asking = app.request_class({"HTTP_COOKIE": header})
            cookie = app.session_interface.open_session(app, asking)
            browsers[header] = str(cookie.get(BROWSER_KEY, "")) if cookie else ""
            if len(browsers) > MAX_COOKIES:
                browsers.popitem(last=False)
        return browsers[header]

    def find(header: str, address: str) -> Claimant:
        browser = read_browser(header) if 0 < len(header) <= MAX_COOKIE_SIZE else ""
        return context.find_claimant(browser, address)

    return find
