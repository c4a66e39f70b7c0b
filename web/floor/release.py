"""The release that staff gives to the floor, which hands it to the tables when it updates them.

Laws: only a browser that is let in gives one, and none comes in the place of another while tables
are being updated. Whether its maker signed it, root decides at each table.
"""

import asyncio

from tornado.http1connection import HTTP1Connection
from tornado.web import stream_request_body

from companion.caretaker.desk import IncomingRelease
from companion.caretaker.errands import MOST_SENT
from companion.core.i18n import N_, message
from web.floor.doing import UNDER_WAY, DoingHandler, FloorDesk
from web.floor.server import FloorHandler, FloorPages, SaidError

UPLOAD_TIMEOUT = 600.0
NOT_KEPT = N_("The release did not come whole, or the disk of the floor is full.")


def release_routes(
    pages: FloorPages, desk: FloorDesk
) -> list[tuple[str, type[FloorHandler], dict[str, object]]]:
    """Return who answers these addresses."""
    facts: dict[str, object] = {"pages": pages, "desk": desk}
    return [(r"/release", ReleaseHandler, facts), (r"/release/drop", DropHandler, facts)]


@stream_request_body
class ReleaseHandler(DoingHandler):
    """Take a release as the whole body of a request."""

    _incoming: IncomingRelease | None = None

    def prepare(self) -> None:
        """Check who sends it, and begin to take it."""
        super().prepare()
        if self._finished or self.request.method != "POST":
            return
        refuse_round(self.desk)
        connection = self.request.connection
        assert isinstance(connection, HTTP1Connection)
        connection.set_max_body_size(MOST_SENT)
        connection.set_body_timeout(UPLOAD_TIMEOUT)
        try:
            self._incoming = IncomingRelease(self.desk.actor.release.path)
        except OSError:
            raise SaidError(503, message(NOT_KEPT)) from None

    async def data_received(self, chunk: bytes) -> None:
        """Write a chunk; the next one is read when it is written."""
        if self._incoming is not None:
            await asyncio.to_thread(self._incoming.write, chunk)

    async def post(self) -> None:
        """Keep what came, if it is whole."""
        incoming, self._incoming = self._incoming, None
        if incoming is None or not await asyncio.to_thread(incoming.keep_file):
            raise SaidError(503, message(NOT_KEPT))
        self.set_status(204)

    def on_connection_close(self) -> None:
        """Forget what a browser did not send to its end."""
        if self._incoming is not None:
            self._incoming.abort_upload()


class DropHandler(DoingHandler):
    """Forget the release."""

    def post(self) -> None:
        refuse_round(self.desk)
        self.desk.actor.release.drop()
        self.redirect("/all", status=303)


def refuse_round(desk: FloorDesk) -> None:
    """Raise 409 while a round is under way."""
    if desk.round is not None and not desk.round.is_over:
        raise SaidError(409, message(UNDER_WAY))
