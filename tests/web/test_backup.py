"""Backups on the host's page: out of a table, into it, and all that can be wrong with them."""

import json
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from companion.backup import finish
from companion.journal import Journal
from companion.safe import LARGEST
from tests.test_backup import room_for
from tests.watched import Watched
from tests.web.strongbox import BOUNDARY, Strongbox, form

BROKEN = "The upload was broken off; nothing was changed."
FULL = "The disk of this table is full; nothing was changed."


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Strongbox]:
    box = Strongbox(tmp_path)
    yield box
    box.shut()


def put_back(box: Strongbox) -> None:
    """Say yes to what waits, and have the table begin anew as its process does."""
    ready = threading.Event()
    box.vault.again = ready.set
    assert box.asks("restore", id=box.waits()).status == 204
    assert ready.wait(60), box.vault.inside()
    assert box.vault.begins_anew()
    box.watched.journal.close()
    assert finish(box.folder) is True


def goes_on(box: Strongbox) -> None:
    """The table is as it was, and its safe is free."""
    assert box.vault.inside().doing == ""
    assert box.vault.inside().proven is None
    assert not list(box.folder.glob(".safe/*"))
    assert not list(box.folder.glob(".rest*"))


# There and back.


def test_what_goes_out_has_everything_but_the_pin(box: Strongbox) -> None:
    (box.folder / "host.pin").write_bytes(b"hash")
    (box.folder / "table.json").write_text("{}")
    with ZipFile(BytesIO(box.packed())) as packed:
        assert packed.namelist() == ["manifest.json", "journal.sqlite3", "table.json"]
    assert not list(box.folder.glob(".safe/*"))


def test_what_waits_is_told_and_put_back_after_a_yes(box: Strongbox) -> None:
    old = box.packed()
    lines = box.watched.journal.end
    box.begins()
    box.watched.do(0, "ended")
    assert box.sends(old).status == 204
    found = box.vault.inside().proven.found
    assert (found.games, found.missing, found.foreign, found.pin) == (1, 1, False, False)
    put_back(box)
    journal = Journal(box.folder / "journal.sqlite3")
    assert journal.end == lines
    journal.close()
    assert len(list((box.folder / "backups").glob("before-restore-*.zip"))) == 1


def test_a_program_sends_the_bytes_alone(box: Strongbox) -> None:
    kind = {"Content-Type": "application/octet-stream"}
    assert box.posts("restore/file", box.packed(), **kind).status == 204
    assert box.asks("restore/end").status == 204
    goes_on(box)


def test_another_tables_backup_is_told_as_that(box: Strongbox, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Strongbox(tmp_path / "other", "robby_solo")
    theirs = other.packed()
    other.shut()
    assert box.sends(theirs).status == 204
    assert box.vault.inside().proven.found.foreign


# What is refused.


def test_nothing_goes_out_or_in_while_a_game_is_under_way(box: Strongbox) -> None:
    old = box.packed()
    assert box.sends(old).status == 204
    id = box.waits()
    box.begins()
    for answer in (box.asks("backup"), box.sends(old), box.asks("restore", id=id)):
        assert (answer.status, answer.says()) == (409, "A game is under way.")


def test_nothing_goes_out_while_a_game_of_another_box_can_go_on(box: Strongbox) -> None:
    theirs = Watched(box.folder / "other.sqlite3", "robby_solo")
    for line in theirs.journal.lines():
        box.watched.journal.append("robby_solo", "g9", line.at, line.via, bytes(line.event))
    theirs.journal.close()
    assert "is still being played" in box.asks("backup").says()


def test_nobody_else_comes_near_it(box: Strongbox) -> None:
    old, cookie = box.packed(), box.head.pop("Cookie")
    assert [box.asks("backup").status, box.sends(old).status] == [401, 401]
    box.head |= {"Cookie": cookie, "Origin": "http://evil.example"}
    assert [box.asks("backup").status, box.sends(old).status] == [403, 403]
    assert box.vault.inside().proven is None


def damaged(data: bytes) -> bytes:
    return data[:-400] + bytes(200) + data[-200:]


def newer(data: bytes) -> bytes:
    with ZipFile(BytesIO(data)) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    parts["manifest.json"] = json.dumps(json.loads(parts["manifest.json"]) | {"backup": 9}).encode()
    file = BytesIO()
    with ZipFile(file, "w") as packed:
        for name, part in parts.items():
            packed.writestr(name, part)
    return file.getvalue()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda _: b"", "Choose the file of a backup first."),
        (lambda _: b"Dear diary", "old.zip is not a backup of the companion."),
        (damaged, "old.zip is damaged; take an older backup."),
        (newer, "old.zip was written by a newer companion; install that one here too."),
        (lambda _: bytes(LARGEST + 1), "This file is too large: a backup has at most 64 MB here."),
    ],
)
def test_what_cannot_be_put_back_is_refused_in_a_sentence(
    box: Strongbox, wrong: Callable[[bytes], bytes], said: str
) -> None:
    answer = box.sends(wrong(box.packed()))
    assert (answer.status, answer.says()) == (409, said)
    goes_on(box)


def test_what_the_table_could_not_start_on_is_refused(box: Strongbox) -> None:
    (box.folder / "decks").mkdir()
    (box.folder / "decks/bankueberfall.json").write_text("{}")
    assert box.sends(box.packed()).says().startswith("bankueberfall.json is not a deck")
    goes_on(box)


def test_a_name_is_said_without_its_path(box: Strongbox) -> None:
    assert box.sends(b"x", "C:\\\\Users\\\\ana\\\\x.zip").says().startswith("x.zip is not")
    assert box.sends(b"x", "../../etc/\x07passwd").says().startswith("passwd is not")


def test_only_the_backup_that_was_shown_is_put_back(box: Strongbox) -> None:
    assert box.sends(box.packed()).status == 204
    said = "Another backup waits by now; look at it first."
    assert box.asks("restore", id="0" * 16).says() == said
    assert box.asks("restore/end").status == 204
    assert box.asks("restore", id="0" * 16).says() == said
    goes_on(box)


# What goes wrong on the way.


def sent(box: Strongbox, much: int) -> socket.socket:
    """A form of which so many bytes have come, and no more."""
    body = form(bytes(100_000))
    head = {**box.head, "Host": box.host, "Content-Length": str(len(body))}
    head["Content-Type"] = f"multipart/form-data; boundary={BOUNDARY}"
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    line = socket.create_connection(tuple(box.host.split(":")))
    line.sendall(f"POST /api/host/restore/file HTTP/1.1\r\n{lines}\r\n".encode() + body[:much])
    return line


def becomes(box: Strongbox, *, says: str = "", doing: str = "") -> None:
    """Wait until the safe is so."""
    there = threading.Event()

    def look() -> None:
        inside = box.vault.inside()
        if inside.doing == doing and (inside.says.text if inside.says else "") == says:
            there.set()

    box.watched.table.watch(look)
    look()
    assert there.wait(60), box.vault.inside()


def test_an_upload_that_is_broken_off_is_forgotten(box: Strongbox) -> None:
    with sent(box, 60_000):
        becomes(box, doing="coming")
    becomes(box, says=BROKEN)
    goes_on(box)


def test_of_two_at_once_the_second_waits(box: Strongbox) -> None:
    old = box.packed()
    with sent(box, 60_000):
        becomes(box, doing="coming")
        busy = "Another backup is being packed or looked into just now; wait a moment."
        assert [box.asks("backup").says(), box.sends(old).says()] == [busy, busy]
        assert box.asks("restore/end").says() == busy
    becomes(box, says=BROKEN)
    assert box.sends(old).status == 204


@pytest.mark.parametrize("size", [0, 600, 20_000])
def test_a_full_disk_leaves_everything_as_it_was(box: Strongbox, size: int) -> None:
    old = box.packed()
    assert box.sends(old).status == 204
    with room_for(size):
        assert box.asks("backup").says() == FULL
        assert box.asks("restore", id=box.waits()).status == 204
        becomes(box, says=FULL)
        assert box.sends(old).says() == FULL
    goes_on(box)
    assert box.packed()[:2] == b"PK"


@contextmanager
def stopped(box: Strongbox, act: Callable[[], object]) -> Iterator[int]:
    """What is done apart is stopped for a while; its process."""
    doing = threading.Thread(target=act)
    doing.start()
    while (process := box.vault.process) is None:
        threading.Event().wait(0.001)
    os.kill(process.pid, signal.SIGSTOP)
    yield process.pid
    with suppress(ProcessLookupError):  # It was ended meanwhile.
        os.kill(process.pid, signal.SIGCONT)
    doing.join()


def test_no_turn_of_the_table_waits_for_a_backup(box: Strongbox) -> None:
    with stopped(box, box.packed):
        box.turns(300)
        assert box.asks("check/end").status == 204, "nor does a page"


def test_what_is_killed_apart_leaves_the_table_as_it_was(box: Strongbox) -> None:
    answers = []
    with stopped(box, lambda: answers.append(box.asks("backup"))) as process:
        os.kill(process, signal.SIGKILL)
    assert answers[0].says() == "This did not work out; nothing was changed."
    goes_on(box)


def test_a_table_that_stops_waits_for_no_backup(box: Strongbox) -> None:
    answers = []
    with stopped(box, lambda: answers.append(box.asks("backup"))):
        box.vault.close()
        while not answers:
            box.turns(1)
    assert answers[0].status == 409


def test_what_was_played_meanwhile_is_not_lost(box: Strongbox) -> None:
    assert box.sends(box.packed()).status == 204
    with stopped(box, lambda: box.asks("restore", id=box.waits())):
        box.begins()
        box.watched.do(0, "ended")
    becomes(box, says="Something was played or set up meanwhile: nothing was restored.")
    assert not box.vault.begins_anew()
    goes_on(box)
