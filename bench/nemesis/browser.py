"""A browser at the table: it keeps its cookies, and every request goes out here.

Laws: what is sent is noted first. An answer that does not come leaves the attempt unknown; it is
sent again only with the same key. Each browser has a loopback address of its own.
"""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from bench.nemesis.attempts import Attempt, Recorder
from tests.worlds.signer import REGISTER, Signer, counter_ahead

PATIENCE = 3.0
"""Seconds until a browser gives a request up."""
SILENCE = 12.0
"""Seconds without a heartbeat after which a stream is opened anew."""
UNKNOWN = ("unknown_key", "bad_signature", "no_cookie")
TRIES = 4
JSON = "application/problem+json, application/json"


class HeadLines:
    """Reads the head of a response line by line, and remembers the last one."""

    def __init__(self, file: Any) -> None:
        self._file, self.last = file, b""

    def readline(self, most: int = -1) -> bytes:
        self.last = self._file.readline(most)
        return self.last

    def close(self) -> None:
        self._file.close()


class WholeResponse(http.client.HTTPResponse):
    """A response whose head came to its end; http.client would take half a head for a whole one."""

    def begin(self) -> None:
        """Read the head; raise IncompleteRead if it was cut off."""
        file: Any = self.fp
        lines: Any = HeadLines(file)
        self.fp = lines
        try:
            super().begin()
        finally:
            self.fp = file if self.fp is lines else self.fp
        if lines.last != b"\r\n":
            raise http.client.IncompleteRead(lines.last)


class Line(http.client.HTTPConnection):
    """A connection that takes whole responses only."""

    response_class = WholeResponse


class Browser:
    """One client; `port` is where it connects to, `host` what it takes the table to be."""

    def __init__(self, name: str, address: str, port: int, host: str, recorder: Recorder) -> None:
        self.name, self.recorder = name, recorder
        self._address, self._port, self._host = address, port, host
        self._cookies: dict[str, str] = {}
        self._signer, self._is_registered = Signer(), False
        self._lock = threading.Lock()

    @property
    def is_known(self) -> bool:
        """Return whether the table has given it a cookie."""
        return bool(self._cookies)

    def read(self, path: str, kind: str, seat: int = 0) -> Attempt:
        """Ask for something that changes nothing."""
        return self.look(path, kind, seat)[0]

    def look(self, path: str, kind: str, seat: int = 0) -> tuple[Attempt, Any]:
        """Ask for something that changes nothing; return what was answered as well."""
        return self._try(Attempt(self.name, kind, seat), "GET", path, None)

    def write(self, path: str, kind: str, key: str, seat: int = 0, **sent: Any) -> Attempt:
        """Ask for a change, under a key of its own."""
        attempt = Attempt(self.name, kind, seat, key, sent)
        return self._try(attempt, "POST", path, {**sent, "key": key})[0]

    def write_again(self, path: str, before: Attempt) -> Attempt:
        """Send the very same request once more."""
        attempt = Attempt(
            self.name, before.kind, before.seat, before.key, before.sent, is_again=True
        )
        return self._try(attempt, "POST", path, {**before.sent, "key": before.key})[0]

    def _try(self, attempt: Attempt, method: str, path: str, body: Any) -> tuple[Attempt, Any]:
        self.recorder.begin(attempt)
        answer = None
        try:
            with closing(self._connect(PATIENCE)) as line:
                if body is None:
                    status, told = self._ask(line, method, path, None, {})
                else:
                    status, told = self._ask_signed(line, path, json.dumps(body).encode())
            answer = json.loads(told) if told else None
            self.recorder.end(attempt, status, answer)
        except (OSError, http.client.HTTPException, ValueError):
            self.recorder.give_up(attempt)  # Whether it had its effect is unknown.
        if attempt.status == 500:
            self.recorder.note(f"500: {method} {path} for {attempt}")
        return attempt, answer

    def _ask(
        self, line: Line, method: str, path: str, data: bytes | None, more: dict[str, str]
    ) -> tuple[int, bytes]:
        line.request(method, path, data, self._headers() | more)
        response = line.getresponse()
        told = response.read()
        self._keep_cookies(response)
        return response.status, told

    def _ask_signed(self, line: Line, path: str, data: bytes) -> tuple[int, bytes]:
        """Send a write, signed; put key or counter right and send it again, as pages do."""
        if not self._is_registered:
            status, _ = self._post(line, REGISTER, self._signer.registration())
            self._is_registered = status == 200
        status, told = self._post(line, path, data)
        if status == 403 and json.loads(told)["code"] in UNKNOWN:
            self._post(line, REGISTER, self._signer.registration())
            status, told = self._post(line, path, data)
        return status, told

    def _post(self, line: Line, path: str, data: bytes) -> tuple[int, bytes]:
        for _ in range(TRIES):
            with self._lock:
                signed = self._signer.head(path, data)
            status, told = self._ask(line, "POST", path, data, signed)
            ahead = counter_ahead(told) if status == 403 else 0
            if not ahead:
                break
            with self._lock:
                self._signer.counter = max(self._signer.counter, ahead - 1)
        return status, told

    def _connect(self, timeout: float) -> Line:
        return Line("127.0.0.1", self._port, timeout=timeout, source_address=(self._address, 0))

    def _headers(self) -> dict[str, str]:
        with self._lock:
            cookie = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        found = {"Host": self._host, "Origin": f"http://{self._host}", "Accept": JSON,
                 "Content-Type": "application/json"}  # fmt: skip
        return {**found, "Cookie": cookie} if cookie else found

    def _keep_cookies(self, response: http.client.HTTPResponse) -> None:
        with self._lock:
            for name, value in response.getheaders():
                if name.lower() == "set-cookie":
                    cookie, _, content = value.partition(";")[0].partition("=")
                    self._cookies[cookie] = content

    def stream(self, path: str, seat: int) -> Iterator[Attempt]:
        """Yield every view that a stream sends, until it ends or falls silent."""
        try:
            with closing(self._connect(SILENCE)) as line:
                line.request("GET", path, None, self._headers())
                begun = self.recorder.now()
                response = line.getresponse()
                if response.status == 200:
                    yield from self._read_events(response, seat, begun)
        except (OSError, http.client.HTTPException, ValueError):
            return

    def _read_events(
        self, response: http.client.HTTPResponse, seat: int, begun: float
    ) -> Iterator[Attempt]:
        event = ""
        for line in iter(response.readline, b""):
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "event":
                event = value
            elif name == "data" and event == "state":
                attempt = self.recorder.begin(Attempt(self.name, "stream", seat))
                attempt.invoked = begun
                self.recorder.end(attempt, 200, json.loads(value))
                yield attempt
