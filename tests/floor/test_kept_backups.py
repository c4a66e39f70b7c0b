"""The backups of a floor: by number and not by clock, whole or not at all, no more than fit."""

import asyncio
import stat
from pathlib import Path

import pytest

from companion.app.floor.fetching import BROKEN, Write, fetch_backup
from companion.core.errors import NotWritten
from companion.core.i18n import Message, message
from companion.floor.kept_backups import KEPT, BackupFolder

TABLE, OTHER = "0123456789ab", "ba9876543210"


def fetch(kept: BackupFolder, data: bytes, table: str = TABLE, fails: Message | None = None) -> str:
    """Fetch a backup of this content; return why there is none, in English."""

    async def receive(write: Write) -> Message | None:
        write(data)
        return fails

    failed = asyncio.run(fetch_backup(kept, table, receive))
    return "" if failed is None else failed.text


def test_the_newest_few_of_each_table_are_kept_by_their_number(tmp_path: Path) -> None:
    kept = BackupFolder(tmp_path)
    fetch(kept, b"of the other", OTHER)
    for n in range(1, KEPT + 4):
        assert fetch(kept, b"%d" % n) == ""
    found = kept.list_backups(TABLE)
    assert [one.path.read_bytes() for one in found] == [b"8", b"7", b"6", b"5", b"4"]
    assert [one.number for one in found] == [8, 7, 6, 5, 4]
    assert all(stat.S_IMODE(one.path.stat().st_mode) == 0o600 for one in found)
    assert len(kept.list_backups()) == KEPT + 1
    assert {one.size for one in found} == {1}


def test_a_clock_that_goes_back_removes_no_newer_one(tmp_path: Path) -> None:
    kept = BackupFolder(tmp_path, kept=2)
    (tmp_path / "backups").mkdir()
    (tmp_path / f"backups/{TABLE}.zip").write_bytes(b"of an earlier version")
    for year in (2031, 2026, 1970):
        aside = kept.name_aside(TABLE)
        aside.write_bytes(b"%d" % year)
        kept.keep_file(aside, TABLE, f"{year}-01-01")
    assert [one.path.read_bytes() for one in kept.list_backups(TABLE)] == [b"1970", b"2026"]
    assert [one.day for one in kept.list_backups(TABLE)] == ["1970-01-01", "2026-01-01"]


def test_what_did_not_come_whole_leaves_the_older_ones(tmp_path: Path) -> None:
    kept = BackupFolder(tmp_path)
    fetch(kept, b"whole")
    assert fetch(kept, b"half", fails=message(BROKEN)) == BROKEN
    (tmp_path / f"backups/.{TABLE}-0011.part").write_bytes(b"of a floor that was killed")
    kept = BackupFolder(tmp_path)
    assert [one.path.read_bytes() for one in kept.list_backups(TABLE)] == [b"whole"]
    assert len(list((tmp_path / "backups").iterdir())) == 1


def test_a_disk_that_is_nearly_full_takes_no_backup(tmp_path: Path) -> None:
    fetch(BackupFolder(tmp_path), b"whole")
    kept = BackupFolder(tmp_path, spared=1 << 60)
    assert "disk is full" in fetch(kept, b"another")
    with pytest.raises(NotWritten):
        kept.require_room(TABLE)
    assert [one.number for one in kept.list_backups(TABLE)] == [1]
    assert len(list((tmp_path / "backups").iterdir())) == 1
