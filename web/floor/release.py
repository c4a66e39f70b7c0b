"""The release that staff gives to the floor, which hands it to the tables when it updates them.

Laws: only a browser that is let in gives one, and has signed its hash before a byte of it is kept;
none comes in the place of another while tables are being updated. Whether its maker signed it, root
decides at each table.
"""

import asyncio
import hashlib

from tornado.http1connection import HTTP1Connection
from tornado.web import stream_request_body

from companion.caretaker.desk import IncomingRelease
from companion.caretaker.errands import MOST_SENT
from companion.core.i18n import N_, message
from web.floor.doing import UNDER_WAY, DoingHandler, FloorDesk
from web.floor.refusals import UNPROVEN, SaidError
from web.floor.server import FloorPages, FloorRoute
from web.upload_paths import DIGEST_HEADER, read_digest

UPLOAD_TIMEOUT = 600.0
NOT_KEPT = N_("The release did not come whole, or the disk of the floor is full.")


def release_routes(pages: FloorPages, desk: FloorDesk) -> list[FloorRoute]:
    """Return who answers these addresses."""
    facts: dict[str, object] = {"pages": pages, "desk": desk}
    return [(r"/release", ReleaseHandler, facts), (r"/release/drop", DropHandler, facts)]


@stream_request_body
class ReleaseHandler(DoingHandler):
    """Take a release as the whole body of a request."""

    _incoming: IncomingRelease | None = None

    async def prepare(self) -> None:
        """Check who sends it, and begin to take it; what is refused to a browser that is let in is
        read and dropped, as no browser listens while it sends."""
        self.check_upload()
        self._hash = hashlib.sha256()
        self._promised = read_digest(self.request.headers.get(DIGEST_HEADER, ""))
        connection = self.request.connection
        assert isinstance(connection, HTTP1Connection)
        connection.set_max_body_size(MOST_SENT)
        connection.set_body_timeout(UPLOAD_TIMEOUT)
        await self.require_signature(self._promised)
        refuse_round(self.desk)
        try:
            self._incoming = IncomingRelease(self.desk.actor.release.path)
        except OSError:
            raise SaidError(503, message(NOT_KEPT)) from None

    async def data_received(self, chunk: bytes) -> None:
        """Write a chunk; the next one is read when it is written."""
        if self._incoming is not None:
            self._hash.update(chunk)
            await asyncio.to_thread(self._incoming.write, chunk)

    async def post(self) -> None:
        """Keep what came, if it is whole, and what was signed."""
        incoming, self._incoming = self._incoming, None
        if incoming is None:
            raise SaidError(503, message(NOT_KEPT))
        if self._hash.hexdigest() != self._promised:
            incoming.abort_upload()
            raise SaidError(403, message(UNPROVEN["bad_signature"]), "bad_signature")
        if not await asyncio.to_thread(incoming.keep_file):
            raise SaidError(503, message(NOT_KEPT))
        self.redirect("/all", status=303)

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
