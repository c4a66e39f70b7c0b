"""Downloads: stream a response of Flask through Tornado with back-pressure.

Law: no more than one piece of the response is in memory; each is fetched on a thread, and a client
that takes nothing for WRITE_TIMEOUT seconds is disconnected.
"""

from contextlib import closing
from typing import cast

from tornado.http1connection import HTTP1Connection
from tornado.httputil import HTTPServerRequest

from web.server.pages import Pages, send_or_close


class StreamingPages(Pages):
    """Pages whose responses are streamed instead of collected."""

    async def handle_request(self, request: HTTPServerRequest) -> None:
        """Call Flask, and stream its response."""
        connection = cast(HTTP1Connection, request.connection)
        environ = self.environ(request)
        start, headers, pieces = await self.run_in_thread(request, self.begin_response, environ)
        with closing(pieces):
            await connection.write_headers(start, headers)
            while piece := await self.run_in_thread(request, next, iter(pieces), b""):
                await send_or_close(connection, connection.write(piece))
            connection.finish()
