"""The web app: Flask answers requests, Tornado owns the sockets and the event streams.

A page is one blueprint in `web/pages` and one folder of templates. Pages read the table through its
views and write to it through requests; `rendering.screens` decides what a page shows, `security`
and `rate_limits` which requests are let in.
"""

import logging
from collections.abc import Sequence

from flask import Flask

from web import api, captive_portal, responses, security, static_files
from web.context import CONTEXT_KEY, AppContext
from web.pages import (
    evening,
    health,
    host,
    host_pass,
    join,
    judge,
    phone,
    play,
    rules,
    setup,
    share,
    table,
)
from web.rate_limits import DEFAULT_LIMITS, RATE_LIMITER, Limits, RateLimiter
from web.rendering import evening_card, game_words, screens, templates
from web.session_cookies import UntimedSessions

__all__ = ["AppContext", "create_app"]

logging.getLogger(__name__).addHandler(logging.NullHandler())  # Until the program sets it up.

PAGE_MODULES = (
    join, phone, share, table, play, judge, rules, evening, host, host_pass, health, setup,
    captive_portal,
)  # fmt: skip


def create_app(
    context: AppContext,
    *,
    trusted_hosts: Sequence[str] = security.LOOPBACK,
    port: int = security.PORT,
    limits: Limits = DEFAULT_LIMITS,
) -> Flask:
    """Return the Flask app of this table, answering only to `trusted_hosts` at this port."""
    app = Flask(__name__, static_folder=None)
    app.secret_key = context.identity.cookie_key
    app.session_interface = UntimedSessions()
    app.extensions[CONTEXT_KEY] = context
    app.extensions[RATE_LIMITER] = RateLimiter(limits)
    templates.install(app)  # First, as the others add to its environment.
    security.install(app, trusted_hosts, port)
    captive_portal.install(app)
    static_files.install(app)
    app.after_request(responses.compress_response)
    screens.install(app)
    game_words.install(app)
    evening_card.install(app)
    for page in PAGE_MODULES:
        app.register_blueprint(page.blueprint)
    api.install(app)
    return app
