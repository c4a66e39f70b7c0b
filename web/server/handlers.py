"""The door: what Tornado itself answers, before any page, and what never reaches one.

Laws: the address that was asked for is one of ours, on every path; whatever is wrong with a
request, the answer is a problem with a sentence (RFC 9457), under the headers of every page, and
says nothing of what runs here.

At once: the one answer that waits for no other, on the loop itself.

Law: whoever looks after the table hears of it as long as the loop goes round, even while every
thread that paints pages is busy; else a hundred phones that come back together would look like a
table that is dead. It is the answer of the operation of the same name, with the same limits.
"""

import math
from typing import Any

import msgspec
from flask import Flask
from tornado.web import FallbackHandler, RequestHandler
from tornado.wsgi import WSGIContainer
from werkzeug.sansio.utils import host_is_trusted

from web import responses, security
from web.api.health import take_glance
from web.context import CONTEXT_KEY, AppContext
from web.rate_limits import RATE_LIMITER, RateLimiter
from web.rendering import templates


class BaseHandler(RequestHandler):
    """A handler that knows who may come in."""

    def initialize(self, app: Flask) -> None:
        self._app = app
        self.rate_limiter: RateLimiter = app.extensions[RATE_LIMITER]
        self.address = self.request.remote_ip or ""

    def set_default_headers(self) -> None:
        """What stands in the head of every answer."""
        for name, value in security.HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        """Refuse whoever asks for an address that is not ours."""
        if not host_is_trusted(self.request.host, self._app.config["TRUSTED_HOSTS"]):
            self.send_problem(400)

    def send_problem(
        self, status: int, sentence: str = "", code: str = "", wait: float = 0.0
    ) -> None:
        """Say no, in the language of the table."""
        title = templates.template_words(self._app.extensions[CONTEXT_KEY].language)["_"](
            sentence or security.SENTENCES.get(status, security.DEFAULT_SENTENCE)
        )
        self.set_status(status)
        self.set_header("Content-Type", responses.PROBLEM)
        if wait:
            self.set_header("Retry-After", math.ceil(wait))
        problem = responses.Problem(status, title, code or f"http_{status}")
        self.finish(msgspec.json.encode(problem))

    def write_error(self, status_code: int, **_why: Any) -> None:
        """Whatever went wrong is one sentence."""
        self.send_problem(status_code)


class FlaskHandler(BaseHandler, FallbackHandler):
    """Everything that Flask answers."""

    def initialize(self, app: Flask, pages: WSGIContainer) -> None:  # type: ignore[override]
        BaseHandler.initialize(self, app)
        FallbackHandler.initialize(self, pages)

    def prepare(self) -> None:
        """Hand over what may come in."""
        BaseHandler.prepare(self)
        if not self._finished:
            FallbackHandler.prepare(self)


class HealthzHandler(BaseHandler):
    """How the table is, in one glance."""

    def initialize(self, app: Flask) -> None:
        super().initialize(app)
        self._context: AppContext = app.extensions[CONTEXT_KEY]

    def get(self) -> None:
        """The lights as they were seen a moment ago."""
        wait, at_home = self.rate_limiter.wait_to_read(self.address), self._context.host
        if wait:
            self.send_problem(429, wait=wait)
        elif at_home is None:
            self.send_problem(404)
        else:
            found, status = take_glance(at_home)
            self.set_status(status)
            self.set_header("Content-Type", "application/json")
            self.set_header("Cache-Control", "no-store")
            self.finish(msgspec.json.encode(found))

    head = get
