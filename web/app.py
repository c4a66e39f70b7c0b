"""The web app of a table: its pages, its API and their guards."""

from flask import Flask

from web import api, captive_portal, security, static_files, streams
from web.browsers import DEFAULT_LIMITS, RATE_LIMIT, Limits, RateLimit, UntimedSessions
from web.context import CONTEXT_KEY, AppContext
from web.pages import host, join, judge, manifest, names, phone, play, rules, setup, table
from web.rendering import game_words, screens

PAGE_MODULES = (
    join, phone, table, play, judge, rules, names, host, setup,
    captive_portal, manifest, streams,
)  # fmt: skip


def create_app(context: AppContext, *, limits: Limits = DEFAULT_LIMITS) -> Flask:
    """Return the Flask app of this table, answering only to the hosts of its machine."""
    app = Flask("web", static_folder=None)
    app.secret_key = context.browsers.identity.state.cookie_key
    app.session_interface = UntimedSessions()
    app.extensions[CONTEXT_KEY] = context
    app.extensions[RATE_LIMIT] = RateLimit(limits)
    game_words.install(app)  # First, as the others add to its environment.
    security.install(app, context.machine)
    captive_portal.install(app)
    static_files.install(app.jinja_env)
    screens.install(app)
    for page in PAGE_MODULES:
        app.register_blueprint(page.blueprint)
    api.install(app)
    return app
