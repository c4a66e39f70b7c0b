"""Backups on the host's page: out of a table, into it, and all that can be wrong with them."""

import json
import threading
from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

import pytest

from companion.backup.restore import finish_restore
from companion.backup.service import MAX_UPLOAD_SIZE
from companion.journal import Journal
from tests.worlds.backup_table import FILE, RAW, Strongbox
from tests.worlds.left_open import closed_later


def put_back(box: Strongbox) -> None:
    """Say yes to what waits, and have the table begin anew as its process does."""
    ready = threading.Event()
    box.vault.restart = ready.set
    assert box.asks("restore", id=box.waits()).status == 204
    assert ready.wait(60), box.vault.status()
    box.watched.journal.close()
    assert finish_restore(box.folder) is True


# There and back.


def test_a_downloaded_backup_holds_everything_but_the_pass(box: Strongbox) -> None:
    (box.folder / "host-pass").write_bytes(b"word")
    (box.folder / "table.json").write_text("{}")
    with ZipFile(BytesIO(box.packed())) as packed:
        assert packed.namelist() == ["journal.sqlite3", "table.json"]


def test_an_uploaded_backup_is_described_and_restored_after_a_yes(box: Strongbox) -> None:
    old = box.packed()
    lines = box.watched.journal.end
    box.begins()
    box.watched.do(0, "ended")
    assert box.sends(old).status == 204
    found = box.vault.status().proven
    assert (found.games, found.missing, found.foreign) == (1, 1, False)
    put_back(box)
    journal = closed_later(Journal(box.folder / "journal.sqlite3"))
    assert journal.end == lines
    journal.close()
    assert len(list((box.folder / "backups").glob("before-restore-*"))) == 1


# What is refused.


def test_backup_and_restore_are_refused_during_a_game(box: Strongbox) -> None:
    old = box.packed()
    assert box.sends(old).status == 204
    id = box.waits()
    box.begins()
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


def damaged(data: bytes) -> bytes:
    return data[:-400] + bytes(200) + data[-200:]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda _: b"", "Choose the file of a backup first."),
        (lambda _: b"Dear diary", "old.zip is not a backup of the companion."),
        (damaged, "old.zip is damaged; take an older backup."),
        (
            lambda _: bytes(MAX_UPLOAD_SIZE + 1),
            "The page takes 64 MB at most: restore it on the Pi, with companion restore.",
        ),
    ],
)
def test_restore_rejects_a_bad_archive(
    box: Strongbox, wrong: Callable[[bytes], bytes], said: str
) -> None:
    answer = box.sends(wrong(box.packed()))
    assert (answer.status, answer.says()) == (409, said)
    box.goes_on()


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
