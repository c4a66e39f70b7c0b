"""Uploads: receive a file as the whole body of a request, as our pages send it.

Laws: only the file of a signed-in host is received, a chunk at a time, each written on a thread
before the next is read; of any other client not a byte is kept. The sender says the SHA-256 of the
body first and signs it, which is checked and counts when the head has come; the hash is computed
again while the body comes. Flask is then asked for the same request with the id of the file in its
place, so permissions and answers are decided where all others are.
"""

import base64
import hashlib
import re
from collections.abc import Callable
from copy import copy
from typing import TypeVar

import msgspec
from tornado.http1connection import HTTP1Connection
from tornado.web import stream_request_body
from werkzeug.http import parse_options_header

from companion.backup.service import IncomingBackup
from web import security
from web.api.machine import OCTET_STREAM
from web.api.operation import JSON
from web.browsers import browser_id
from web.context import CONTEXT_KEY, AppContext, current_context
from web.server.pages import FlaskHandler, Pages

DIGEST = re.compile(r"sha-256=:([A-Za-z0-9+/]{43}=):")
"""The SHA-256 of a body in base64, as RFC 9530 has it."""
MAX_BODY_SIZE = 1 << 31
"""Bytes that are read of a file that is too large, and dropped, so that its browser gets an answer:
no browser listens while it sends."""
UPLOAD_TIMEOUT = 600.0
"""Seconds for the whole body to arrive."""
MAX_NAME = 200
"""Letters of a file's name that are kept."""

T = TypeVar("T")


@stream_request_body
class UploadHandler(FlaskHandler):
    """Receives one request with a file, and answers it through Flask."""

    def initialize(self, pages: Pages) -> None:
        super().initialize(pages)
        self._app = pages.app
        self._incoming: IncomingBackup | None = None
        self._flaw = ""
        self._hash = hashlib.sha256()

    async def prepare(self) -> None:
        """Receive the body if a host sends it; else ask Flask without it."""
        content_type, _ = parse_options_header(self.request.headers.get("Content-Type"))
        self._flaw = self._find_flaw()
        if content_type != OCTET_STREAM or self._flaw:
            await self._forward_without_file("")
            return
        connection = self.request.connection
        assert isinstance(connection, HTTP1Connection)
        connection.set_max_body_size(MAX_BODY_SIZE)
        connection.set_body_timeout(UPLOAD_TIMEOUT)
        context: AppContext = self._app.extensions[CONTEXT_KEY]
        service = context.backups
        if service is not None:
            name = self.get_query_argument("name", "")[:MAX_NAME]
            self._incoming = await self._run_in_thread(service.begin_upload, name)

    async def data_received(self, chunk: bytes) -> None:
        """Write a chunk; the next one is read when it is written."""
        self._hash.update(chunk)
        if self._incoming is not None:
            await self._run_in_thread(self._incoming.write, chunk)

    async def post(self) -> None:
        """Finish the file, and hand it to Flask."""
        incoming, self._incoming = self._incoming, None
        try:
            if self._hash.hexdigest() != self._promised_digest():
                self._flaw = "bad_signature"
            await self._forward_without_file("" if incoming is None else incoming.id)
        finally:  # Unless it was accepted: Flask may have refused by its rate limit.
            self._discard(incoming)

    def on_connection_close(self) -> None:
        """Discard the file of a client that disconnected."""
        self._discard(self._incoming)

    def _discard(self, incoming: IncomingBackup | None) -> None:
        if incoming is not None:
            incoming.abort_upload()

    async def _run_in_thread(self, function: Callable[..., T], *args: object) -> T:
        return await self.pages.run_in_thread(self.request, function, *args)

    def _find_flaw(self) -> str:
        """Return the code of the reason this cannot be from our page in a host's browser, which
        signed it; “” if one did."""
        outgoing = copy(self.request)
        outgoing.headers = self.request.headers.copy()  # environ() takes from them.
        with self._app.request_context(self.pages.environ(outgoing)):
            flaw = security.find_upload_flaw(self._promised_digest())
            is_host = current_context().browsers.is_host(browser_id())
            return flaw or ("" if is_host and security.comes_from_own_page() else "not_host")

    def _promised_digest(self) -> str:
        """Return the SHA-256 in hexadecimal that the body is said to have; empty if none is."""
        said = DIGEST.fullmatch(self.request.headers.get("Content-Digest", ""))
        return base64.b64decode(said.group(1)).hex() if said else ""

    async def _forward_without_file(self, upload: str) -> None:
        """Ask Flask for this request with the id of the upload in place of the file."""
        key, outgoing = self.get_query_argument("key", ""), self.request
        outgoing.upload_flaw = self._flaw  # type: ignore[attr-defined]
        outgoing.body = msgspec.json.encode({"key": key, "upload": upload})
        outgoing.headers["Content-Type"] = JSON
        outgoing.headers["Content-Length"] = str(len(outgoing.body))
        outgoing.headers.pop("Transfer-Encoding", None)
        await self.forward_to_flask(outgoing)
