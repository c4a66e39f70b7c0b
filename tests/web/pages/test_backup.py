"""Backups on the host's page: what is refused."""

import http.client
import json
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest

from tests.worlds.host_browser import HostsBrowser, safe_of
from tests.worlds.scripted_table import TWO, ScriptedTable
from tests.worlds.served import Served
from tests.worlds.signer import Signer, browser_of, new_cookie, signer_of
from tests.worlds.visitor import UNHURRIED
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

    def __init__(self, folder: Path) -> None:
        self.table = ScriptedTable(folder)
        self.vault = safe_of(self.table.table, folder)
        here = AppContext(self.table.table, host=self.table.host, backups=self.vault)
        app = create_app(here, limits=UNHURRIED)
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

    def goes_on(self) -> None:
        """The table is as it was, and its safe is free."""
        assert self.vault.status().doing == ""
        assert self.vault.status().proven is None
        assert not list(self.table.folder.glob(".rest*"))

    def shut(self) -> None:
        """Everyone goes home."""
        self.vault.close()
        self.served.shut()
        self.table.close()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Strongbox]:
    """A table with its safe, at which nothing is under way."""
    box = Strongbox(tmp_path)
    yield box
    box.shut()


def test_backup_and_restore_are_refused_during_a_game(box: Strongbox) -> None:
    old = box.packed()
    assert box.sends(old).status == 204
    id = box.waits()
    assert box.table.host.begin_game(TWO) is None
    for answer in (box.asks("backup"), box.sends(old), box.asks("restore", id=id)):
        assert (answer.status, answer.says()) == (409, "A game is under way.")


def test_backup_needs_the_host(box: Strongbox) -> None:
    old, host, cookie = box.packed(), box.signer, box.head.pop("Cookie")
    assert [box.asks("backup").status, box.sends(old).status] == [403, 403]
    box.head["Cookie"], box.signer = box.stranger()
    assert [box.asks("backup").status, box.sends(old).status] == [401, 401]
    box.head["Cookie"] = cookie
    assert [box.asks("backup").status, box.sends(old).status] == [403, 403], "the key is another"
    box.signer, box.head["Origin"] = host, "http://evil.example"
    assert [box.asks("backup").status, box.sends(old).status] == [403, 403]
    assert box.vault.status().proven is None


def test_an_upload_that_was_heard_is_not_received_again(box: Strongbox) -> None:
    old = box.packed()
    heard = box.signer.head(f"/api/host/{FILE}", old)
    assert box.posts(FILE, old, **RAW, **heard).status == 204
    assert box.asks("restore/end").status == 204
    answer = box.posts(FILE, old, **RAW, **heard)
    assert (answer.status, json.loads(answer.body)["code"]) == (403, "attempt_used")
    assert box.vault.status().proven is None


def test_a_file_that_is_not_the_signed_one_is_dropped(box: Strongbox) -> None:
    signed = box.signer.head(f"/api/host/{FILE}", b"another file")
    answer = box.posts(FILE, box.packed(), **RAW, **signed)
    assert (answer.status, json.loads(answer.body)["code"]) == (403, "bad_signature")
    assert box.vault.status().proven is None


def test_only_the_backup_that_was_shown_is_put_back(box: Strongbox) -> None:
    assert box.sends(box.packed()).status == 204
    said = "Another backup waits by now; look at it first."
    assert box.asks("restore", id="0" * 16).says() == said
    assert box.asks("restore/end").status == 204
    assert box.asks("restore", id="0" * 16).says() == said
    box.goes_on()
