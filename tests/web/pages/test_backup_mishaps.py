"""Backups on the host's page: what goes wrong on the way, and who comes meanwhile."""

import os
import secrets
import socket
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from companion.core.events import Passed, to_json
from tests.backup.test_backup_and_restore import room_for
from tests.worlds.backup_table import FILE, RAW, Strongbox
from tests.worlds.campaign import pick
from web.server import pages

BROKEN = "The upload was broken off; nothing was changed."
LONG = bytes(100_000)
FULL = "The disk of this table is full; nothing was changed."


def raw(box: Strongbox, path: str, kind: str, body: bytes) -> bytes:
    """A request of the host's, byte by byte."""
    signed = box.signer.head(f"/api/host/{path}", body)
    head = {
        **box.head,
        **signed,
        "Host": box.host,
        "Content-Type": kind,
        "Content-Length": str(len(body)),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    return f"POST /api/host/{path} HTTP/1.1\r\n{lines}\r\n".encode() + body


def there(box: Strongbox) -> tuple[str, int]:
    """Where it is served."""
    name, _, port = box.host.partition(":")
    return name, int(port)


def sent(box: Strongbox, left: int) -> socket.socket:
    """An upload of which all but so many bytes have come, and no more."""
    line = socket.create_connection(there(box))
    line.sendall(raw(box, FILE, RAW["Content-Type"], LONG)[:-left])
    return line


def becomes(box: Strongbox, *, says: str = "", doing: str = "") -> None:
    """Wait until the safe is so."""
    there = threading.Event()

    def look() -> None:
        inside = box.vault.status()
        if inside.doing == doing and (inside.says.text if inside.says else "") == says:
            there.set()

    box.watched.table.watch(look)
    look()
    assert there.wait(60), box.vault.status()


def test_an_upload_that_is_broken_off_is_forgotten(box: Strongbox) -> None:
    with sent(box, 40_000):
        becomes(box, doing="coming")
    becomes(box, says=BROKEN)
    box.goes_on()


def test_an_upload_of_a_host_signed_out_meanwhile_leaves_no_file(box: Strongbox) -> None:
    with sent(box, 40_000) as line:
        becomes(box, doing="coming")
        box.house.sessions.sign_all_out()
        line.sendall(LONG[-40_000:])
        assert b" 401 " in line.recv(400)
    becomes(box, says=BROKEN)
    box.goes_on()


@pytest.mark.parametrize("long", [1, 7, 1000])
def test_however_it_is_cut_it_is_the_same_file(box: Strongbox, long: int) -> None:
    old = box.packed()
    pieces = (old[at : at + long] for at in range(0, len(old), long))
    assert box.posts(FILE, pieces, **RAW).status == 204
    assert box.vault.status().proven


def test_of_two_at_once_the_second_waits(box: Strongbox) -> None:
    old = box.packed()
    with sent(box, 40_000):
        becomes(box, doing="coming")
        busy = "Another backup is being packed or looked into just now; wait a moment."
        assert [box.asks("backup").says(), box.sends(old).says()] == [busy, busy]
        assert box.asks("restore/end").says() == busy
    becomes(box, says=BROKEN)
    assert box.sends(old).status == 204


@pytest.mark.parametrize("size", pick([600], [0, 600, 9_000], [0, 600, 9_000]))
def test_a_full_disk_leaves_everything_as_it_was(box: Strongbox, size: int) -> None:
    old = box.packed()
    assert box.sends(old).status == 204
    assert box.asks("restore/end").status == 204
    with room_for(size):
        assert "cannot be written: " in box.asks("backup").says()
        said = box.sends(old).says()
        assert said in {FULL, "There is no room for old.zip: the disk is full."}
    box.goes_on()
    assert box.packed()[:2] == b"PK"


def carried() -> list[str]:
    """The backups that are open here."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(os.readlink(link))
    return [name for name in found if name.endswith(".zip")]


@pytest.mark.wide
def test_a_client_that_reads_nothing_of_a_backup_is_disconnected(
    box: Strongbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "WRITE_TIMEOUT", 0.1)
    passed = to_json(Passed(1))
    lines = (
        ("bankueberfall", "old", 5.0 + k, f"phone {secrets.token_hex(1_500)}", passed)
        for k in range(6_000)
    )
    box.watched.journal.import_game(lines, is_over=True)
    large = 8 << 20
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.connect(there(box))
        line.sendall(raw(box, "backup", "application/json", b'{"key": "k"}'))
        becomes(box, doing="packing")
        becomes(box)
        while carried():
            box.turns(1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)  # Now it takes what came.
        taken = 0
        with suppress(ConnectionError):
            while some := line.recv(65_536):
                if not taken:
                    assert some.startswith(b"HTTP/1.1 200 ")
                taken += len(some)
    assert 0 < taken < large
