"""Uploads: receive a backup as a file in a form, or as the whole body, as our pages send it.

Laws: only the file of a signed-in host is received, a chunk at a time, each written on a thread
before the next is read; of any other client not a byte is kept. The sender says the SHA-256 of the
body first and signs it; it is computed again while the body comes. Flask is then asked for the same
request without the file but with that hash, so signature, permissions and answers are decided where
all others are.
"""

import hashlib
import secrets
from collections.abc import Callable
from copy import copy
from typing import Protocol, TypeVar
from urllib.parse import urlencode

import msgspec
from flask import Flask, request
from tornado.http1connection import HTTP1Connection
from tornado.web import stream_request_body
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder, NeedData

from companion.backup.service import IncomingBackup
from web import forms, security
from web.context import CONTEXT_KEY, AppContext, current_context
from web.server.handlers import BaseHandler, FlaskHandler
from web.server.pages import Pages
from web.sessions import is_host
from web.upload_paths import (
    DIGEST_HEADER,
    OCTET_STREAM,
    UPLOAD_PATH,
    read_digest,
)

FORMS = {UPLOAD_PATH: "restore"}
"""The form on the host's page at which a refusal is shown."""
JSON = "application/json"
MAX_BODY_SIZE = 1 << 31
"""Bytes that are read of a file that is too large, and dropped, so that its browser gets an answer:
no browser listens while it sends."""
UPLOAD_TIMEOUT = 600.0
"""Seconds in which the whole body must have come."""
MAX_NAME = 200
"""Letters of a file's name that are kept."""
MAX_FIELD_SIZE = 1 << 18
"""Bytes that are searched for the end of a form field."""

T = TypeVar("T")


class UploadService(Protocol):
    """Whatever takes files, one at a time."""

    def begin_upload(self, name: str) -> IncomingBackup | None:
        """Begin an upload of this file name; None if none can be received now."""
        ...


Receiver = Callable[[AppContext], UploadService | None]


def receive_backup(context: AppContext) -> UploadService | None:
    """Return where backups are uploaded to."""
    return context.backups


@stream_request_body
class UploadHandler(FlaskHandler):
    """Receives one request with a file, and answers it through Flask."""

    def initialize(  # type: ignore[override]
        self, app: Flask, pages: Pages, receiver: Receiver
    ) -> None:
        super().initialize(app, pages)
        self._receiver = receiver
        self._decoder: MultipartDecoder | None = None
        self._incoming: IncomingBackup | None = None
        self._hash = hashlib.sha256()
        self._is_raw = self._in_file = self._malformed = False

    async def prepare(self) -> None:  # type: ignore[override]
        """Receive the body if a host sends it; else ask Flask without it."""
        BaseHandler.prepare(self)
        if self._finished:
            return
        content_type, options = parse_options_header(self.request.headers.get("Content-Type"))
        is_form = content_type == forms.FORM_TYPES[1] and bool(options.get("boundary"))
        is_form = is_form and self.request.path in FORMS
        self._is_raw = not is_form
        if not (is_form or content_type == OCTET_STREAM) or not self._may_send():
            await self._forward_without_file("", self._promised_digest())
            return
        connection = self.request.connection
        assert isinstance(connection, HTTP1Connection)
        connection.set_max_body_size(MAX_BODY_SIZE)
        connection.set_body_timeout(UPLOAD_TIMEOUT)
        if is_form:
            self._decoder = MultipartDecoder(
                options["boundary"].encode(), MAX_FIELD_SIZE, max_parts=20
            )
        else:
            await self._begin_file(self.get_query_argument("name", "")[:MAX_NAME])

    async def data_received(self, chunk: bytes) -> None:
        """Parse or write a chunk; the next one is read when it is written."""
        self._hash.update(chunk)
        if self._is_raw and self._incoming is not None:
            await self._run_in_thread(self._incoming.write, chunk)
        elif not self._finished:
            await self._parse_chunk(chunk)

    async def post(self) -> None:
        """Finish the file, and ask Flask what becomes of it."""
        await self._parse_chunk(None)
        incoming, self._incoming = self._incoming, None
        if incoming is None or self._malformed:
            self._discard(incoming)
            await self._forward_without_file("", self._hash.hexdigest())
            return
        try:
            await self._forward_without_file(incoming.id, self._hash.hexdigest())
        finally:
            self._discard(
                incoming
            )  # Unless it was accepted: Flask may have refused by its rate limit.

    def on_connection_close(self) -> None:
        """Discard the file of a client that disconnected."""
        self._discard(self._incoming)

    def _discard(self, incoming: IncomingBackup | None) -> None:
        if incoming is not None:
            incoming.abort_upload()

    async def _parse_chunk(self, chunk: bytes | None) -> None:
        """Parse a chunk of the form; None is the end of the body."""
        if self._decoder is None or self._malformed:
            return
        try:
            self._decoder.receive_data(chunk)
            while not isinstance(event := self._decoder.next_event(), NeedData | Epilogue):
                await self._handle_part(event)
        except (ValueError, RequestEntityTooLarge):
            self._malformed = True

    async def _handle_part(self, event: object) -> None:
        if isinstance(event, File | Field):
            self._in_file = isinstance(event, File) and self._incoming is None
            if isinstance(event, File) and self._in_file:
                await self._begin_file(event.filename or "")
        elif isinstance(event, Data) and self._in_file and self._incoming is not None:
            await self._run_in_thread(self._incoming.write, bytes(event.data))

    async def _begin_file(self, name: str) -> None:
        service = self._receiver(self._app.extensions[CONTEXT_KEY])
        if service is not None:
            self._incoming = await self._run_in_thread(service.begin_upload, name)

    async def _run_in_thread(self, function: Callable[..., T], *args: object) -> T:
        return await self.pages.run_in_thread(self.request, function, *args)

    def _may_send(self) -> bool:
        """Check that one of our own pages sent this, in the browser of a host, which signed it."""
        outgoing = copy(self.request)
        outgoing.headers = self.request.headers.copy()  # environ() takes from them.
        with self._app.request_context(self.pages.environ(outgoing)):
            ours = request.host_url.rstrip("/") == request.headers.get("Origin")
            signed = security.is_signed_upload(self._promised_digest())
            return ours and signed and is_host(current_context().host_sessions)

    def _promised_digest(self) -> str:
        """Return the SHA-256 in hexadecimal that the body is said to have; empty if none is."""
        return read_digest(self.request.headers.get(DIGEST_HEADER, ""))

    async def _forward_without_file(self, upload: str, digest: str) -> None:
        """Ask Flask for this request with the id of the upload in place of the file; its SHA-256
        is that of the file, or the promised one of a file that was not received."""
        outgoing, fields = self.request, {"key": secrets.token_hex(8), "upload": upload}
        outgoing.received_digest = digest  # type: ignore[attr-defined]
        if self._is_raw:
            content_type, outgoing.body = JSON, msgspec.json.encode(fields)
        else:
            content_type, outgoing.body = (
                forms.FORM_TYPES[0],
                urlencode({**fields, "page": "host", "form": FORMS[outgoing.path]}).encode(),
            )
        outgoing.headers["Content-Type"] = content_type
        outgoing.headers["Content-Length"] = str(len(outgoing.body))
        outgoing.headers.pop("Transfer-Encoding", None)
        await self.forward_to_flask(outgoing)
