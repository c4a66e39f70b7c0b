"""Tornado handlers: a request is handed over to Flask, or answered on the event loop.

Law: an error is a problem with a sentence (RFC 9457), under headers that let it do nothing, and
tells nothing about the software.
"""

import asyncio
import math

import msgspec
from flask import Flask
from tornado.httputil import HTTPServerRequest
from tornado.iostream import StreamClosedError
from tornado.web import RequestHandler

from companion.identity.browser_keys import HEADER, parse_signature
from web import responses, security
from web.browsers import Client
from web.context import CONTEXT_KEY, AppContext
from web.rate_limits import RATE_LIMIT, RateLimit
from web.rendering import templates
from web.response_headers import DATA_HEADERS, PROBLEM
from web.server.pages import Pages
from web.server.pool import CrowdedError

CROWDED_SECONDS = 2.0
"""Seconds after which a request that found no place may be made again."""


class BaseHandler(RequestHandler):
    """Sends errors, for all handlers."""

    def initialize(self, app: Flask) -> None:
        self._app = app
        self.rate_limit: RateLimit = app.extensions[RATE_LIMIT]
        self.client: Client = self.settings["connections"].client_of(self.request)

    def set_default_headers(self) -> None:
        """Set the security headers of what these handlers answer: data, and no page."""
        for name, value in DATA_HEADERS.items():
            self.set_header(name, value)

    def send_problem(
        self, status: int, sentence: str = "", code: str = "", wait: float = 0.0
    ) -> None:
        """Send a problem in the language of the table, by default the status's sentence."""
        title = templates.template_words(self._app.extensions[CONTEXT_KEY].settings.language)["_"](
            sentence or security.SENTENCES.get(status, security.DEFAULT_SENTENCE)
        )
        self.set_status(status)
        self.set_header("Content-Type", PROBLEM)
        if wait:
            self.set_header("Retry-After", math.ceil(wait))
            if self.request.method == "GET":  # A browser loads a page again by itself.
                self.set_header("Refresh", math.ceil(wait))
        problem = responses.Problem(status, title, code or f"http_{status}")
        self.finish(msgspec.json.encode(problem))

    def write_error(self, status_code: int, **_kwargs: object) -> None:
        """Send an unhandled error as one sentence."""
        self.send_problem(status_code)


class FlaskHandler(BaseHandler):
    """Hands a request over to Flask."""

    def initialize(self, app: Flask, pages: Pages) -> None:  # type: ignore[override]
        super().initialize(app)
        self.pages = pages

    async def prepare(self) -> None:
        """Hand over."""
        await self.forward_to_flask(self.request)

    async def forward_to_flask(self, request: HTTPServerRequest) -> None:
        """Let Flask answer; send 503 with Retry-After if there is no place in the line."""
        try:
            await self.pages.handle_request(request)
        except CrowdedError:
            self._use_attempt()
            await asyncio.sleep(CROWDED_SECONDS)  # A flood is to wait for its refusals.
            self.send_problem(503, wait=CROWDED_SECONDS)
        except StreamClosedError:  # The client has left.
            self._finished = True
        else:
            self._finished = True
            self.on_finish()

    def _use_attempt(self) -> None:
        """Use up the attempt of a request that Flask never saw: it may not be sent again later."""
        signature = parse_signature(self.request.headers.get(HEADER, ""))
        if signature is not None:
            context: AppContext = self._app.extensions[CONTEXT_KEY]
            context.browsers.attempts.count(signature)
