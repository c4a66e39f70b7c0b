"""The pages: Flask answers what is asked, Tornado holds the sockets and the streams.

One blueprint is one module and one folder of templates. The pages know the table by its views
and its door; see `screens` for what they show, `guard` for who may ask.
"""

import secrets
from collections.abc import Sequence

from flask import Flask

from web import api, captive_portal, security, static_files
from web.context import CONTEXT_KEY, AppContext
from web.pages import health, host, join, judge, phone, play, setup, share, table
from web.rate_limits import DEFAULT_LIMITS, RATE_LIMITER, Limits, RateLimiter
from web.rendering import screens, templates

__all__ = ["AppContext", "create_app"]

PAGE_MODULES = (join, phone, share, table, play, judge, host, health, setup, captive_portal)


def create_app(
    context: AppContext,
    *,
    trusted_hosts: Sequence[str] = security.LOOPBACK,
    port: int = security.PORT,
    secret_key: bytes = b"",
    limits: Limits = DEFAULT_LIMITS,
) -> Flask:
    """The pages of this room, for whoever asks at one of these `hosts` and this port; by its `key`
    it knows browsers again.
    """
    app = Flask(__name__, static_folder=None)
    app.secret_key = secret_key or secrets.token_bytes(32)
    app.extensions[CONTEXT_KEY] = context
    app.extensions[RATE_LIMITER] = RateLimiter(limits)
    security.install(app, trusted_hosts, port)
    captive_portal.install(app)
    static_files.install(app)
    templates.install(app)
    screens.install(app)
    for page in PAGE_MODULES:
        app.register_blueprint(page.blueprint)
    api.install(app)
    return app
