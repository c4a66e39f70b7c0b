"""A data folder that another version of the companion made: refused by every command, untouched."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import main
from companion.games import find_game
from companion.journal.file import APPLICATION_ID, SCHEMA_VERSION
from tests.backup.test_backup_and_restore import backed_up, table, tree

COMMANDS = {
    "play": ["play", "--no-browser"],
    "run": ["run", "--sim"],
    "records": ["records"],
    "import": ["records", "--import", str(find_game("robby_solo").demo_file)],
    "backup": ["backup"],
    "restore": ["restore", "good.zip", "--without-config"],
    "enrol": ["enrol", "robby_solo", "--check"],
}


@pytest.mark.parametrize("version", [SCHEMA_VERSION - 1, SCHEMA_VERSION + 1])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_data_folder_of_another_format_is_refused_in_one_sentence(
    command: str,
    version: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    table(tmp_path / "good", 3, "today")
    backed_up(tmp_path / "good").rename("good.zip")
    table(tmp_path / "old", 3, "yesterday")
    with closing(sqlite3.connect(tmp_path / "old/journal.sqlite3")) as disk:
        disk.execute(f"PRAGMA user_version = {version}")
        disk.execute(f"PRAGMA application_id = {APPLICATION_ID + version}")
    capsys.readouterr()
    before = tree(tmp_path / "old")
    assert main([*COMMANDS[command], "--data", str(tmp_path / "old")]) == 2
    heard = capsys.readouterr().err
    assert heard.endswith(
        f"The data folder {tmp_path / 'old'} was made by another version of the companion: move it"
        " away, or start with --data and an empty folder.\n"
    )
    assert heard.count("\n") == 1
    assert tree(tmp_path / "old") == before
