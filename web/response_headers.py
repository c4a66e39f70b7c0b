"""The headers of responses: a browser's rights for a page, a file, or anything else; compression;
and the responses without Flask.

Law: a page loads nothing from outside the Pi, runs no script within its text, and stands in no
frame but where a constant here says so.
"""

from collections.abc import Mapping
from typing import ClassVar

from tornado.web import RequestHandler

PROBLEM = "application/problem+json"
TEXT_TYPES = ("text/", "application/json", PROBLEM, "image/svg+xml")
"""The types that are worth compressing."""
HEADERS = {
    "Server": "companion",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FRAMED_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""The phone beside the simulated table of the same seat; no other page may be framed."""
FRAMING_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": HEADERS["Content-Security-Policy"] + "; frame-src 'self'",
}
"""The simulated table, which frames that phone."""
FILE_HEADERS = {
    name: HEADERS[name]
    for name in ("Server", "X-Content-Type-Options", "Cross-Origin-Resource-Policy")
}
"""Headers for scripts, styles and fonts: the others only matter for pages, and would weigh more
than many a file."""
DATA_HEADERS = {
    **FILE_HEADERS,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
"""Headers for files that could be opened as pages: a picture, a stream, a problem."""


class BareHandler(RequestHandler):
    """Answers without Flask, with these headers; an error is a status alone, and tells nothing
    about the software."""

    own_headers: ClassVar[Mapping[str, str]] = DATA_HEADERS

    def set_default_headers(self) -> None:
        for name, value in self.own_headers.items():
            self.set_header(name, value)

    def write_error(self, status_code: int, **_kwargs: object) -> None:
        """Send the status alone."""
        self.clear_header("Content-Type")
        self.finish()
