"""The socket of the program in the file system: the same pages and operations, for this machine.

Laws: it is a file, so its owner and group decide who may ask; what is asked through it may read
what the host reads, and writes no more than a stranger. It shares the threads of the pages, as a
known claimant.
"""

from collections.abc import Callable

from flask import Flask
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPServerRequest
from tornado.web import Application

from companion.host.fair_threads import Claimant, FairThreads
from web.rights import LOCAL
from web.server.handlers import FlaskHandler
from web.server.pages import AnswerFirst, Pages

HERE = "127.0.0.1"
CLAIMANT = Claimant("local socket", is_known=True)
IDLE_TIMEOUT = 30.0


class LocalPages(Pages):
    """Hands a request over to Flask, marked as one of this machine."""

    def environ(self, request: HTTPServerRequest) -> dict[str, object]:
        """Return the environment of a request that came through the socket."""
        return super().environ(request) | {"REMOTE_ADDR": HERE, LOCAL: True}


def make_local_server(app: Flask, threads: FairThreads, answers: AnswerFirst) -> HTTPServer:
    """Return a server for the socket of the program."""
    find: Callable[[HTTPServerRequest], Claimant] = lambda _request: CLAIMANT  # noqa: E731
    pages = LocalPages(app, threads, find, answers)
    routes = Application([(r".*", FlaskHandler, {"app": app, "pages": pages})], claimant_of=find)
    return HTTPServer(routes, idle_connection_timeout=IDLE_TIMEOUT, max_body_size=16 * 1024)
