"""A browser at a companion that runs as a program of its own."""

import json
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from companion.host.host_pass import write_pass
from tests.worlds.signer import REGISTER, Signer

LONG = 40.0
MOST_TRIES, BUSY = 20, 503
"""A page asks again where its table is busy; and after a restart, when another start is signed."""


class Browser:
    """A phone or the host's tablet: it keeps its cookies for as long as it was told."""

    def __init__(self, address: str) -> None:
        self.address, self.jar = address.rstrip("/"), CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self._signer, self._is_registered, self.data = Signer(), False, b""

    @property
    def said(self) -> str:
        """The last answer as text."""
        return self.data.decode(errors="replace")

    @property
    def public_key(self) -> bytes:
        return self._signer.public_key

    def get(self, path: str) -> int:
        """Open a page; return the status."""
        return self._open(urllib.request.Request(self.address + path))

    def read(self, path: str) -> Any:
        """What is told there in JSON; None if it is refused."""
        return json.loads(self.said) if self.get(path) == 200 else None

    def post(self, path: str, **fields: object) -> int:
        if not self._is_registered:
            self._is_registered = self._send(REGISTER, self._signer.registration()) == 204
        return self._send(path, json.dumps({"key": f"{time.monotonic_ns():x}", **fields}).encode())

    def becomes_host(self, folder: Path) -> int:
        """By a pass that is printed on the machine."""
        return self.post("/api/host/pass", answer=self._signer.answers(write_pass(folder)))

    def send_file(self, path: str, data: bytes) -> int:
        """Send the bytes of a file."""
        return self._send(path, data, "application/octet-stream")

    def _send(self, path: str, body: bytes, kind: str = "application/json") -> int:
        for _ in range(MOST_TRIES):
            self.data = b""
            headers = {"Origin": self.address, "Content-Type": kind}
            headers |= self._signer.head(path, body)
            status = self._open(urllib.request.Request(self.address + path, body, headers))
            if status != BUSY and not self._signer.learns(self.data):
                break
        return status

    def _open(self, asked: urllib.request.Request) -> int:
        asked.add_header("Accept", "application/json, text/html")
        try:
            with self._opener.open(asked, timeout=LONG) as answer:
                self.data = answer.read()
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                self.data = error.read()
                return error.code
