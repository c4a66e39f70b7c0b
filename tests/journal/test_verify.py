"""Lines that another journal has proven are not proven again, and nothing gets by with them."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.events import to_json
from companion.core.table_events import Thawed
from companion.journal import Journal
from companion.journal.errors import DamagedJournal
from companion.journal.schema import connect, connect_read_only
from companion.journal.verify import check_all_lines

LINES = 12
HARM = {
    "nothing": "SELECT 1",
    "text": "UPDATE line SET event = '{}' WHERE n = ?",
    "key": "UPDATE line SET key = 'other' WHERE n = ?",
    "chain": "UPDATE line SET chain = zeroblob(32) WHERE n = ?",
    "mark": "UPDATE line SET mark = zeroblob(32) WHERE n = ?",
    "missing": "DELETE FROM line WHERE n = ?",
    "cut off": "DELETE FROM line WHERE n >= ?",
}


def write_journal(path: Path, lines: int = LINES) -> Path:
    with closing(Journal(path)) as journal:
        for n in range(lines):
            journal.append("robby_solo", "g1", 1000.0 + n, "table", to_json(Thawed()), f"k{n}")
    return path


def harm(path: Path, sql: str, n: int) -> None:
    with closing(connect(path)) as disk:
        disk.execute(sql, (n,) if "?" in sql else ())


def is_sound(path: Path, proven: Path | None) -> bool:
    with closing(connect_read_only(path)) as disk:
        try:
            check_all_lines(disk, proven)
        except DamagedJournal:
            return False
    return True


@pytest.mark.parametrize("what", HARM)
def test_what_is_damaged_is_found_beside_a_proven_journal(what: str, tmp_path: Path) -> None:
    proven = write_journal(tmp_path / "proven", LINES - 3)
    whole, broken = write_journal(tmp_path / "whole"), tmp_path / "broken"
    assert is_sound(whole, proven)
    for n in (1, 4, LINES - 3, LINES - 2, LINES):
        shutil.copy(whole, broken)
        harm(broken, HARM[what], n)
        assert is_sound(broken, proven) == is_sound(broken, None) == (what == "nothing")


def test_lines_that_are_proven_are_not_proven_again(tmp_path: Path) -> None:
    whole, broken = write_journal(tmp_path / "whole"), tmp_path / "broken"
    shutil.copy(whole, broken)
    harm(broken, HARM["text"], 2)
    shutil.copy(broken, tmp_path / "same")
    assert is_sound(broken, tmp_path / "same"), "the caller vouches for the other one"
    harm(tmp_path / "same", "INSERT INTO gap VALUES (?)", 3)
    assert not is_sound(broken, tmp_path / "same"), "one with gaps vouches for nothing"
