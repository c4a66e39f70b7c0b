"""Static files, answered on the event loop: they lie in memory, and a thread would cost more.

Law: what is no file of ours, or asked for by a host name that is not ours, is answered like any
other page.
"""

from collections.abc import Callable
from typing import Any

from tornado.httputil import HTTPHeaders, HTTPServerRequest, ResponseStartLine
from tornado.routing import Matcher, Rule

from web.static_files import StaticFile, find_file


class _OurFile(Matcher):
    """Matches a request for a static file."""

    def __init__(self, is_trusted: Callable[[str], bool]) -> None:
        self._is_trusted = is_trusted

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        """Return the file as the argument of `_send_file`; None if this is another request."""
        file = find_file(request.path) if request.method in ("GET", "HEAD") else None
        return None if file is None or not self._is_trusted(request.host) else {"file": file}


def file_rule(is_trusted: Callable[[str], bool]) -> Rule:
    """Return the rule that answers static files; `is_trusted` tells our own host names."""
    return Rule(_OurFile(is_trusted), _send_file)


def _send_file(request: HTTPServerRequest, file: StaticFile) -> None:
    headers = HTTPHeaders(file.headers)
    body = file.plain
    if file.compressed:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
            body = file.compressed
    headers["Content-Length"] = str(len(body))
    connection = request.connection
    assert connection is not None
    chunk = b"" if request.method == "HEAD" else body
    connection.write_headers(ResponseStartLine("HTTP/1.1", 200, "OK"), headers, chunk)
    connection.finish()
