"""What is sent as a backup, made up by chance and by malice: a sentence, and nothing is touched."""

import hashlib
import json
import tempfile
import warnings
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.json import encode as to_json

from companion.app.backup_worker import CheckJob, WorkerReply, revive_message, run_job
from companion.core.deck import MARK_BYTES
from companion.core.errors import Malformed
from companion.core.i18n import get_language, message
from companion.enrol.deck_file import VERSION, DeckFile
from tests.backup.test_backup_and_restore import backed_up, table, tree
from tests.worlds.campaign import pick

SENTENCES = (
    "x.zip is damaged; take an older backup.",
    "x.zip is not a backup of the companion.",
    "x.zip was made by another version of the companion: restore it with that one.",
)
DECK = DeckFile(VERSION, "bankueberfall", "Banküberfall", "today", "0" * 2 * MARK_BYTES, {})
NAMES = st.sampled_from(
    [
        "journal.sqlite3",
        "decks/lantern_night.json",
        "wiring.toml",
        "table.json",
        "companion.toml",
        "../host.pin",
        "/etc/passwd",
        "decks/../../host.pin",
        "decks\\..\\host.pin",
        "place",
        "damaged",
        "journal.sqlite3/",
        "seats.json",
        "decks/",
        "",
        "manifest.json",
    ]
)
ONCE = {"decks/lantern_night.json", "wiring.toml", "table.json", "companion.toml"}
"""What may be in a backup that has a journal and a deck already."""
LINK, FILE, FOLDER = 0o120777 << 16, 0o100644 << 16, 0o040755 << 16


@pytest.fixture(scope="module")
def old() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        old = table(Path(name) / "old", 3, "yesterday")
        (old / "decks/bankueberfall.json").write_bytes(to_json(DECK))
        yield old


@pytest.fixture(scope="module")
def sound(old: Path) -> bytes:
    return backed_up(old).read_bytes()


def proven(old: Path, data: bytes) -> WorkerReply:
    """What is said of it; whatever that is, nothing but an empty room was written to."""
    before = tree(old.parent)
    with tempfile.TemporaryDirectory() as name:
        room = Path(name) / "outer/room"
        room.parent.mkdir()
        answer = run_job(CheckJob(str(old), str(room), "x.zip"), BytesIO(data))
        assert {path.name for path in Path(name).iterdir()} == {"outer"}
        assert {path.name for path in room.parent.iterdir()} <= {"room"}
        assert not any(path.is_symlink() for path in room.rglob("*"))
    assert tree(old.parent) == before
    return answer


@settings(max_examples=pick(30, 60, 500))
@given(st.data())
def test_bytes_that_were_changed_are_refused_or_harmless(
    old: Path, sound: bytes, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(sound) - 1))
    put = data.draw(st.binary(max_size=40))
    cut = data.draw(st.integers(0, 60))
    answer = proven(old, sound[:at] + put + sound[at + cut :])
    assert answer.wrong is None or get_language("en")(answer.wrong) in SENTENCES


@settings(max_examples=pick(30, 60, 500))
@given(
    st.lists(
        st.tuples(NAMES, st.binary(max_size=50), st.sampled_from([LINK, FILE, FOLDER])), max_size=4
    ),
    st.booleans(),
)
def test_members_that_lead_elsewhere_lead_nowhere(
    old: Path, sound: bytes, more: list[tuple[str, bytes, int]], told: bool
) -> None:
    answer = proven(old, with_more(sound, more, told))
    names = [name for name, _, _ in more]
    if answer.wrong is None:
        assert told or not more
        assert set(names) <= ONCE
        assert len(set(names)) == len(names), "each is there once"
    else:
        assert "{" not in get_language("en")(answer.wrong)


def with_more(sound: bytes, more: list[tuple[str, bytes, int]], told: bool) -> bytes:
    """A backup with members besides, of which its manifest may tell the truth."""
    with zipfile.ZipFile(BytesIO(sound)) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    manifest = json.loads(parts.pop("manifest.json"))
    if told:
        for name, data, _ in more:
            sha = hashlib.sha256(data).hexdigest()
            manifest["members"][name] = {"size": len(data), "sha256": sha}
    file = BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as packed:
        warnings.simplefilter("ignore", UserWarning)  # Of a name that is there twice.
        packed.writestr("manifest.json", json.dumps(manifest))
        for name, part in parts.items():
            packed.writestr(name, part)
        for name, data, kind in more:
            info = zipfile.ZipInfo(name)
            info.external_attr = kind
            packed.writestr(info, data)
    return file.getvalue()


def test_a_sentence_within_a_sentence_comes_through() -> None:
    inner = message("Wiring profile {name} cannot be understood: {reason}.", name="x", reason="y")
    told = message("The wiring in this backup cannot be used: {use}", use=inner)
    sent = {"text": told.text, "facts": {"use": {"text": inner.text, "facts": inner.facts}}}
    assert revive_message(message(sent["text"], **sent["facts"])) == told


def test_no_path_is_told(old: Path) -> None:
    class Wrong:
        def run(self, _file: BytesIO) -> None:
            raise Malformed("/var/lib/companion/x.zip", "{field} cannot be written.")

    answer = run_job(Wrong(), BytesIO())  # type: ignore[arg-type]
    assert answer.wrong == message("{field} cannot be written.", field="x.zip")
