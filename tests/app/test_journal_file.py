"""The journal of a data folder, opened by a command."""

from pathlib import Path

import pytest

from companion.app.journal_file import open_for_import, open_for_reading
from companion.core.errors import Malformed

LINES = [("robby_solo", f"game {n}", float(n), "phone 1", b'{"tag":"ended"}') for n in range(3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "not" / "there" / "journal.sqlite3"


def fill(path: Path) -> None:
    with open_for_import(path, pytest.fail) as journal:
        for line in LINES:
            journal.import_game([line], False)


def read_games(path: Path) -> list[str]:
    """The ids of the games in this journal."""
    with open_for_reading(path, pytest.fail) as journal:
        return [game.id for game in journal.list_games()]


def test_reading_makes_no_journal(path: Path) -> None:
    with pytest.raises(Malformed, match="There is no journal at "):
        read_games(path)
    assert not path.parent.exists()


def test_an_import_makes_the_folder_and_the_journal(path: Path) -> None:
    fill(path)
    assert read_games(path) == ["game 0", "game 1", "game 2"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Malformed, match="file cannot be written"):
        fill(tmp_path / "file" / "journal.sqlite3")
