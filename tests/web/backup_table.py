"""A table with its data folder and pages, and a host who sends backups to it."""

import asyncio
import http.client
import json
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from companion.backup.service import Backups
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.host_browser import AtHome, HostsBrowser
from tests.worlds.served import Served
from tests.worlds.signer import Signer, browser_of, new_cookie, signer_of
from tests.worlds.visitor import UNHURRIED
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext

RAW = {"Content-Type": "application/octet-stream"}
FILE = "restore/file?key=file"
ACCEPT = "application/problem+json, application/json"


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes

    def says(self) -> str:
        """The sentence of a problem."""
        return str(json.loads(self.body)["title"])


class Strongbox:
    """One table at which nothing is under way, and the safe in its folder."""

    def __init__(self, folder: Path, game: str = "bankueberfall") -> None:
        self.folder = folder
        self.watched = Watched(folder / "journal.sqlite3", game)
        self.watched.do(0, "ended")
        self.house = AtHome(self.watched.table, self.watched.journal)
        self.vault: Backups = self.house.safe(folder)
        app = create_app(
            AppContext(self.watched.table, host=self.house, backups=self.vault), limits=UNHURRIED
        )
        cookie = HostsBrowser(app).signs_in().client.get_cookie("companion")
        assert cookie is not None
        self.app, self.signer = app, signer_of(app, browser_of(app, f"companion={cookie.value}"))
        self.served = Served(app)
        self.host = self.served.address.removeprefix("http://")
        self.head = {
            "Cookie": f"companion={cookie.value}",
            "Origin": self.served.address,
            "Accept": ACCEPT,
        }

    def stranger(self) -> tuple[str, Signer]:
        """The cookie and the key of a browser that is not signed in."""
        cookie = f"companion={new_cookie(self.app)}"
        return cookie, signer_of(self.app, browser_of(self.app, cookie))

    def asks(self, path: str, **fields: Any) -> Answer:
        """Ask for something as a program does."""
        body = json.dumps({"key": secrets.token_hex(4), **fields}).encode()
        return self.posts(path, body, **{"Content-Type": "application/json"})

    def sends(self, data: bytes, name: str = "old.zip") -> Answer:
        """Send a file as its page does: as it is, with its name in the address."""
        key = secrets.token_hex(4)
        return self.posts(f"restore/file?name={quote(name)}&key={key}", data, **RAW)

    def posts(self, path: str, body: bytes | Iterable[bytes], /, **head: str) -> Answer:
        """Send these very bytes; what comes in pieces is sent in pieces."""
        line = http.client.HTTPConnection(self.host)
        pieces = [body] if isinstance(body, bytes) else list(body)
        signed = self.signer.head(f"/api/host/{path}", b"".join(pieces))
        try:
            sent = body if isinstance(body, bytes) else iter(pieces)
            line.request("POST", f"/api/host/{path}", sent, {**self.head, **signed, **head})
            answer = line.getresponse()
            return Answer(answer.status, answer.read())
        finally:
            line.close()

    def packed(self) -> bytes:
        """A backup of this table."""
        answer = self.asks("backup")
        assert answer.status == 200, answer
        return answer.body

    def waits(self) -> str:
        """The id of the backup that waits for a yes."""
        proven = self.vault.status().proven
        assert proven is not None
        return proven.id

    def turns(self, n: int) -> None:
        """Have the loop that serves, and takes the table's turn, go round so often."""

        async def turn() -> None:
            self.watched.table.run_maintenance()

        for _ in range(n):
            asyncio.run_coroutine_threadsafe(turn(), self.served.loop).result()

    def goes_on(self) -> None:
        """The table is as it was, and its safe is free."""
        assert self.vault.status().doing == ""
        assert self.vault.status().proven is None
        assert not list(self.folder.glob(".rest*"))

    def begins(self, id: str = "g2") -> None:
        """Another game begins."""
        started = self.watched.rules.start_event(id=id, players=2)
        assert self.watched.table.start(started, HOST_AUTHOR) is None

    def shut(self) -> None:
        """Everyone goes home."""
        self.vault.close()
        self.served.shut()
        self.watched.table.close()
