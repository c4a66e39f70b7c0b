"""Backups that somebody made by hand: every kind is refused, and the table stays as it is."""

import shutil
import sqlite3
import stat
import struct
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from companion.backup import archive
from companion.backup.archive import MAX_SIZE, unpack_backup
from companion.core.errors import Malformed
from companion.journal.file import APPLICATION_ID, SCHEMA_VERSION
from tests.backup.test_backup_and_restore import Capture, backed_up, refused, table

JOURNAL = "journal.sqlite3"
DAMAGED = "old.zip is damaged; take an older backup."
NOT_OURS = "old.zip is not a backup of the companion."
OTHER = "old.zip was made by another version of the companion: restore it with that one."
Members = dict[str, bytes]
Change = Callable[[Members], bytes]


@pytest.fixture
def sound(tmp_path: Path) -> bytes:
    return backed_up(table(tmp_path / "old", 3, "yesterday")).read_bytes()


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return table(tmp_path / "new", 5, "today")


def members_of(data: bytes) -> Members:
    with zipfile.ZipFile(BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def pack(members: Members, *more: tuple[zipfile.ZipInfo, bytes], method: int = 8) -> bytes:
    """A backup of these members and more."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", method) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
        for info, data in more:
            packed.writestr(info, data)
        packed.comment = f"companion backup of {len(packed.namelist())} files".encode()
    return file.getvalue()


MEMBERS = [
    "../host.pin", "/etc/passwd", "..\\evil", "more", "decks/../../x.json", "decks/a/b.json",
    "decks/UPPER.json", "decks/.json", "decks/x.txt", "decks/", "journal.sqlite3/x",
    "journal.sqlite3-wal", "identity.sqlite3", "before/x", "packed",
    "JOURNAL.SQLITE3", "companion.toml\n", "table.json ", "decks/" + "a" * 61 + ".json",
    "decks/x\x00.json",
]  # fmt: skip


def beside(name: str) -> Change:
    """A member that no backup has."""
    return lambda members: pack(members, (zipfile.ZipInfo(name), b"mine"))


def linked(members: Members) -> bytes:
    link = zipfile.ZipInfo("decks/robby_solo.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    return pack(members, (link, b"/etc/passwd"))


def twice(members: Members) -> bytes:
    file = BytesIO(pack(members))
    with zipfile.ZipFile(file, "a") as packed:
        with pytest.warns(UserWarning, match="Duplicate"):
            packed.writestr(JOURNAL, members[JOURNAL])
        packed.comment = f"companion backup of {len(members) + 1} files".encode()
    return file.getvalue()


def encrypted(members: Members) -> bytes:
    data = bytearray(pack(members))
    for sign, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.index(sign) + at] |= 1
    return bytes(data)


def stated(members: Members, size: int) -> bytes:
    """The journal is said to have another length."""
    data = bytearray(pack(members))
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<L", data, at + 24, size)
    return bytes(data)


def dense(members: Members) -> bytes:
    return pack(members | {JOURNAL: bytes(4 << 20)})


def hidden_name(members: Members) -> bytes:
    """The name in the directory differs from the one before the data."""
    data = pack(members)
    at = data.rindex(JOURNAL.encode())
    return data[:at] + b"companion.tomlx" + data[at + 15 :]


SQL = [
    "UPDATE line SET via = 'phone 2' WHERE n = 2",
    "UPDATE line SET chain = randomblob(32) WHERE n = 2",
    "UPDATE line SET key = 'mine' WHERE n = 1",
    "UPDATE line SET at = 9e99",
    "DELETE FROM line WHERE n = 2",
    "DELETE FROM line WHERE n = 3",
    "DELETE FROM game",
    "UPDATE game SET over = 1",
    "CREATE TABLE other (n INTEGER)",
    "CREATE INDEX other ON line (id)",
    "CREATE VIEW other AS SELECT * FROM line",
    "CREATE TRIGGER other AFTER INSERT ON line BEGIN DELETE FROM line; END",
    "DROP TABLE game",
    "ALTER TABLE line ADD COLUMN more TEXT",
    "PRAGMA application_id = 7",
    f"PRAGMA user_version = {SCHEMA_VERSION + 1}",
]
OLDER = (
    f"PRAGMA user_version = {SCHEMA_VERSION - 1};"
    f"PRAGMA application_id = {APPLICATION_ID + SCHEMA_VERSION - 1}"
)


def changed(sql: str) -> Change:
    """The journal was changed by hand."""

    def change(members: Members) -> bytes:
        with tempfile.NamedTemporaryFile() as journal:
            Path(journal.name).write_bytes(members[JOURNAL])
            with closing(sqlite3.connect(journal.name)) as disk:
                disk.executescript(sql)
            return pack(members | {JOURNAL: Path(journal.name).read_bytes()})

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        *((beside(name), DAMAGED) for name in MEMBERS),
        *((changed(sql), DAMAGED) for sql in SQL),
        (changed(OLDER), OTHER),
        (linked, DAMAGED),
        (twice, DAMAGED),
        (encrypted, DAMAGED),
        (dense, DAMAGED),
        (hidden_name, DAMAGED),
        (lambda m: stated(m, len(m[JOURNAL]) - 1), DAMAGED),
        (lambda m: stated(m, len(m[JOURNAL]) + 1), DAMAGED),
        (lambda m: stated(m, MAX_SIZE), DAMAGED),
        (lambda m: pack(m, method=zipfile.ZIP_BZIP2), DAMAGED),
        (lambda m: pack(m, method=zipfile.ZIP_LZMA), DAMAGED),
        (lambda m: pack({n: d for n, d in m.items() if n != JOURNAL}), NOT_OURS),
        (lambda m: pack(m | {"table.json": bytes(archive.MAX_SIZE_BESIDE_JOURNAL + 1)}), DAMAGED),
        (lambda m: pack(m)[:-30], DAMAGED),
        (lambda _: b"Dear diary", NOT_OURS),
    ],
)
def test_what_no_companion_packed_is_refused(
    sound: bytes, new: Path, change: Change, said: str, capsys: Capture
) -> None:
    file = new.with_name("old.zip")
    file.write_bytes(change(members_of(sound)))
    assert file.read_bytes() != sound
    assert refused(capsys, file, new) == said


def test_a_config_that_nobody_can_read_is_refused(sound: bytes, new: Path, capsys: Capture) -> None:
    file, there = new.with_name("old.zip"), new.with_name("config.toml")
    file.write_bytes(pack(members_of(sound) | {"companion.toml": b"colour = 1\n"}))
    assert refused(capsys, file, new, "--config", str(there))
    assert not there.exists()


def unpacked(data: bytes, into: Path) -> str:
    """What is said of these bytes; nothing where they are unpacked."""
    try:
        unpack_backup(BytesIO(data), "old.zip", into, {})
    except Malformed as error:
        return str(error)
    return ""


def test_damage_anywhere_is_refused_or_harmless(sound: bytes, tmp_path: Path) -> None:
    random, refusals, expected = Random(7), 0, members_of(sound)
    for _ in range(400):
        damaged = bytearray(sound)
        if random.random() < 0.2:
            del damaged[random.randrange(len(sound)) :]
        else:
            damaged[random.randrange(len(sound))] ^= 1 << random.randrange(8)
        shutil.rmtree(tmp_path / "room", ignore_errors=True)
        (tmp_path / "room").mkdir()
        said = unpacked(bytes(damaged), tmp_path / "room")
        assert said in ("", DAMAGED, NOT_OURS, OTHER)
        found = {name: (tmp_path / "room" / name) for name in expected}
        assert said or all(path.read_bytes() == expected[name] for name, path in found.items())
        refusals += bool(said)
    assert refusals > 300
