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
from web.rate_limits import LIMITS, USUAL, Limits, Patience
from web.rendering import screens, templates

__all__ = ["AppContext", "create_app"]

PAGES = (join, phone, share, table, play, judge, host, health, setup, captive_portal)


def create_app(
    context: AppContext,
    *,
    hosts: Sequence[str] = security.LOOPBACK,
    port: int = security.PORT,
    key: bytes = b"",
    limits: Limits = USUAL,
) -> Flask:
    """The pages of this room, for whoever asks at one of these `hosts` and this port; by its `key`
    it knows browsers again.
    """
    app = Flask(__name__, static_folder=None)
    app.secret_key = key or secrets.token_bytes(32)
    app.extensions[CONTEXT_KEY] = context
    app.extensions[LIMITS] = Patience(limits)
    security.guard(app, hosts, port)
    captive_portal.teach(app)
    static_files.packs(app)
    templates.teach(app)
    screens.teach(app)
    for page in PAGES:
        app.register_blueprint(page.blueprint)
    api.teach(app)
    return app
