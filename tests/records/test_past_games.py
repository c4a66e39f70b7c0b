"""The list of past games: what the journal says of each, whoever asks."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.events import Passed, to_json
from companion.journal import Journal
from tests.worlds.journal_lines import append
from tests.worlds.many_games import play_scripts, write_many_games
from tests.worlds.watched_table import Watched

Capture = pytest.CaptureFixture[str]
GAMES = 6
SCRIPTS = play_scripts(3)


def listed(folder: Path, capsys: Capture) -> list[str]:
    capsys.readouterr()
    assert main(["records", "--data", str(folder)]) == 0
    return capsys.readouterr().out.splitlines()


def test_past_games_are_listed_with_their_players_and_their_end(
    tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "journal.sqlite3"
    write_many_games(path, GAMES, SCRIPTS)
    first = bytes(SCRIPTS[0].lines[0][1])
    with closing(Journal(path)) as journal:
        append(journal, SCRIPTS[0].game, "open", 3e9, "table", first)
        append(journal, SCRIPTS[0].game, "open", 3e9, "table", to_json(Passed(2)))
        append(journal, "chess", "c", 3e9, "table", first)
    told = listed(tmp_path, capsys)
    assert len(told) == GAMES + 2
    assert all(line.endswith("  finished") for line in told[:-2])
    assert told[-2].endswith("  2\u00a0moments  Seat 1, Seat 2 and Seat 3  not finished")
    assert told[-1].endswith("  1\u00a0moment  the box is not installed")


def test_a_game_is_over_in_the_list_when_it_is_at_the_table(
    tmp_path: Path, capsys: Capture
) -> None:
    watched = Watched(tmp_path / "journal.sqlite3", "bankueberfall")
    assert listed(tmp_path, capsys)[0].endswith("  not finished")
    watched.do(0, "ended")
    assert listed(tmp_path, capsys)[0].endswith("  finished")
    watched.journal.close()
