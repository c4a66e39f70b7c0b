"""Event streams: open one for a viewer that was admitted, and leave the sending to the broadcaster.

Laws: a connection begins with the full state, unless the client names it as its last event; a
heartbeat is a real event, so that a page can tell silence from a lost connection; the last event
says why the stream ends.
"""

from collections.abc import Callable
from typing import cast

from tornado.http1connection import HTTP1Connection
from tornado.httputil import HTTPServerRequest

from web.browsers import Client
from web.server.broadcast import Broadcaster
from web.server.pages import Pages
from web.server.pool import CrowdedError, Pool
from web.server.viewers import Viewer
from web.streams import ADMITTED, Admission


class EventStreams(Pages):
    """Pages that are streams: Flask admits the viewer, and the broadcaster sends."""

    def __init__(
        self,
        broadcaster: Broadcaster,
        pool: Pool,
        client_of: Callable[[HTTPServerRequest], Client],
    ) -> None:
        super().__init__(broadcaster.app, pool, client_of, broadcaster.answers)
        self._broadcaster = broadcaster

    async def handle_request(self, request: HTTPServerRequest) -> None:
        """Stream a screen until the client leaves or it is no longer for it."""
        environ, told = self.environ(request), list[Callable[[], None]]()
        answer = await self.run_in_thread(request, self.call_flask, environ, told)
        for tell in told:
            tell()
        admission: Admission | None = environ.get(ADMITTED)  # type: ignore[assignment]
        connection = cast(HTTP1Connection, request.connection)
        if admission is None:
            await connection.write_headers(answer.start, answer.headers, chunk=answer.body)
            connection.finish()
            return
        viewer = Viewer(admission, connection)
        if not self._broadcaster.admit(viewer):
            raise CrowdedError
        try:
            del answer.headers["Content-Length"]
            viewer.begin_stream(answer, request.headers.get("Last-Event-ID", ""))
            await self._broadcaster.follow(viewer)
        finally:
            self._broadcaster.release(viewer)
        connection.finish()
