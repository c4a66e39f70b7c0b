"""Backups on the host's page: what is refused."""

import json

from tests.web.backup_table import FILE, RAW, Strongbox


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
