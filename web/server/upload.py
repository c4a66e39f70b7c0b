"""The upload: a backup on its way in, as the file in a form, or alone, as programs send it.

Laws: only a signed-in host's file is taken in, a piece at a time, each written on a thread while
the next one waits; from anybody else not a byte is kept. What Flask is asked then is the same
without the file, so who may ask, and what is answered, is decided where everything else is.
"""

import asyncio
import secrets
from collections.abc import Callable
from copy import copy
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec
from flask import Flask, request
from tornado.http1connection import HTTP1Connection
from tornado.web import stream_request_body
from tornado.wsgi import WSGIContainer
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder, NeedData

from companion.backup.service import Coming
from web import forms
from web.context import CONTEXT_KEY, AppContext, current_context
from web.server.handlers import Door
from web.sessions import is_host

PATH = "/api/host/restore/file"
BYTES, JSON = "application/octet-stream", "application/json"
OF_THE_PAGE = {"page": "host", "form": "restore"}
"""The page with this form on it, and the form at which a refusal is said."""
DROPPED = 1 << 31
"""So much is read of a file that is too large, and dropped, for its browser to hear why: no browser
listens while it speaks."""
LASTS = 600.0
"""Seconds in which all of it must have come."""
HELD = 1 << 18
"""So many bytes are looked through for the end of a field."""

T = TypeVar("T")


@stream_request_body
class Upload(Door):
    """One form with a file, from its first byte to the answer."""

    def initialize(self, app: Flask, pages: WSGIContainer) -> None:  # type: ignore[override]
        super().initialize(app)
        self._pages = pages
        self._decoder: MultipartDecoder | None = None
        self._coming: Coming | None = None
        self._alone = self._takes = self._broken = False

    async def prepare(self) -> None:  # type: ignore[override]
        """Take in what comes from a host; ask for anything else without what it carries."""
        super().prepare()
        if self._finished:
            return
        kind, how = parse_options_header(self.request.headers.get("Content-Type"))
        form = kind == forms.KINDS[1] and bool(how.get("boundary"))
        self._alone = not form
        if not (form or kind == BYTES) or not self._from_a_host():
            await self._ask("")
            return
        line = self.request.connection
        assert isinstance(line, HTTP1Connection)
        line.set_max_body_size(DROPPED)
        line.set_body_timeout(LASTS)
        if form:
            self._decoder = MultipartDecoder(how["boundary"].encode(), HELD, max_parts=20)
        else:
            await self._receive("")

    async def data_received(self, chunk: bytes) -> None:
        """The next bytes; whoever sends them waits until they are written."""
        if self._alone and self._coming is not None:
            await self._on_a_thread(self._coming.write, chunk)
        elif not self._finished:
            await self._read(chunk)

    async def post(self) -> None:
        """All of it has come, or what was sent was no form."""
        await self._read(None)
        came, self._coming = self._coming, None
        if came is None or self._broken:
            self._drop(came)
            await self._ask("")
            return
        try:
            await self._ask(came.id)
        finally:
            self._drop(came)  # Unless it was proven: whoever asks too much is asked to wait.

    def on_connection_close(self) -> None:
        """Whoever sent it is gone."""
        self._drop(self._coming)

    def _drop(self, coming: Coming | None) -> None:
        if coming is not None:
            coming.broken_off()

    async def _read(self, chunk: bytes | None) -> None:
        """What these bytes hold; None is their end."""
        if self._decoder is None or self._broken:
            return
        try:
            self._decoder.receive_data(chunk)
            while not isinstance(event := self._decoder.next_event(), NeedData | Epilogue):
                await self._heed(event)
        except (ValueError, RequestEntityTooLarge):
            self._broken = True

    async def _heed(self, event: object) -> None:
        if isinstance(event, File | Field):
            self._takes = isinstance(event, File) and self._coming is None
            if isinstance(event, File) and self._takes:
                await self._receive(event.filename or "")
        elif isinstance(event, Data) and self._takes and self._coming is not None:
            await self._on_a_thread(self._coming.write, bytes(event.data))

    async def _receive(self, name: str) -> None:
        here: AppContext = self._app.extensions[CONTEXT_KEY]
        if here.backups is not None:
            self._coming = await self._on_a_thread(here.backups.receive, name)

    async def _on_a_thread(self, act: Callable[..., T], *how: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pages.executor, act, *how)

    def _from_a_host(self) -> bool:
        """Whether one of our own pages sent it, in the browser of a host."""
        asked = copy(self.request)
        asked.headers = self.request.headers.copy()  # environ() takes from them.
        with self._app.request_context(self._pages.environ(asked)):
            ours = request.host_url.rstrip("/") == request.headers.get("Origin")
            return ours and is_host(current_context().host_sessions)

    async def _ask(self, upload: str) -> None:
        """Ask Flask for what is asked for, in the name of the same browser."""
        asked, fields = self.request, {"key": secrets.token_hex(8), "upload": upload}
        if self._alone:
            kind, asked.body = JSON, msgspec.json.encode(fields)
        else:
            kind, asked.body = forms.KINDS[0], urlencode({**fields, **OF_THE_PAGE}).encode()
        asked.headers["Content-Type"] = kind
        asked.headers["Content-Length"] = str(len(asked.body))
        asked.headers.pop("Transfer-Encoding", None)
        self._finished = True
        await self._pages.handle_request(asked)
        self.on_finish()
