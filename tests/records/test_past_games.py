"""The list of past games: from the index, from the lines, and always the same."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.app.ended_games import EndedGames
from companion.cli import main
from companion.core.events import Passed, to_json
from companion.core.table_events import Ended, Paused
from companion.journal import Journal
from companion.journal.game_index import index_path, read_index
from tests.worlds.campaign import pick
from tests.worlds.many_games import Script, play_scripts, write_many_games
from tests.worlds.watched_table import Watched

Capture = pytest.CaptureFixture[str]
GAMES = 6
SCRIPTS = play_scripts(3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a few games that are over, and one that is not."""
    folder = tmp_path / "data"
    folder.mkdir()
    write_many_games(folder / "journal.sqlite3", GAMES, SCRIPTS)
    begin_game(folder, "open-game", SCRIPTS[0])
    return folder


def begin_game(folder: Path, id: str, script: Script) -> None:
    write_many_games(folder / "other.sqlite3", 1, [script])
    with (
        closing(Journal(folder / "other.sqlite3")) as other,
        closing(Journal(folder / "journal.sqlite3")) as journal,
    ):
        for line in list(other.read_lines())[:9]:
            event = bytes(line.event).replace(b"game-0", id.encode())
            journal.append(line.game, id, 3e9, line.via, event)
    (folder / "other.sqlite3").unlink()


def listed(folder: Path, capsys: Capture, *words: str) -> list[str]:
    capsys.readouterr()
    assert main(["records", *(words or ("--data", str(folder)))]) == 0
    return capsys.readouterr().out.splitlines()


def worked_out(folder: Path, capsys: Capture) -> list[str]:
    """The list of a journal that is named, of which no index is read or written."""
    return listed(folder, capsys, "--journal", str(folder / "journal.sqlite3"))


def index(folder: Path) -> Path:
    return index_path(folder / "journal.sqlite3")


def test_the_index_lists_what_the_lines_say(folder: Path, capsys: Capture) -> None:
    told = worked_out(folder, capsys)
    assert len(told) == GAMES + 1
    assert not index(folder).exists()
    assert all(line.endswith("  finished") for line in told[:-1])
    assert told[-1].endswith("  9\u00a0moments  Ana, Ben and Cem  not finished")
    assert listed(folder, capsys) == told
    assert index(folder).stat().st_mode & 0o077 == 0
    assert listed(folder, capsys) == told


def test_a_listed_game_is_not_read_again_until_its_lines_change(
    folder: Path, capsys: Capture
) -> None:
    told = listed(folder, capsys)
    with closing(sqlite3.connect(folder / "journal.sqlite3")) as disk, disk:
        disk.execute("UPDATE line SET via = 'phone 9' WHERE n = 20")
    assert listed(folder, capsys) == told, "--check and the running table prove the lines"
    assert main(["records", "--data", str(folder), "--check"]) == 1
    assert "these are lost: 20;" in capsys.readouterr().err
    assert "lines are lost" in worked_out(folder, capsys)[0]


@pytest.mark.parametrize("event", [Passed(2), Paused(), Ended("late")])
def test_a_game_that_goes_on_is_listed_anew(folder: Path, event: Passed, capsys: Capture) -> None:
    listed(folder, capsys)
    with closing(Journal(folder / "journal.sqlite3")) as journal:
        journal.append(SCRIPTS[0].game, "open-game", 3e9, "table", to_json(event))
    told = listed(folder, capsys)
    assert told == worked_out(folder, capsys)
    assert "  10\u00a0moments  " in told[-1]
    assert told[-1].endswith("  finished") == isinstance(event, Ended)


def test_a_damaged_index_is_made_anew(folder: Path, capsys: Capture) -> None:
    told, random, path = listed(folder, capsys), Random(4), index(folder)
    sound = path.read_bytes()
    for k in range(pick(12, 60, 600)):
        damaged = bytearray(sound)
        if k % 4 == 0:
            del damaged[random.randrange(len(sound)) :]
        else:
            for _ in range(10 ** (k % 3)):
                damaged[random.randrange(len(sound))] ^= 1 << random.randrange(8)
        path.write_bytes(damaged)
        assert listed(folder, capsys) == told
    path.write_bytes(b"Dear diary")
    assert listed(folder, capsys) == told
    with closing(Journal(folder / "journal.sqlite3", read_only=True)) as journal:
        assert len(read_index(path, journal)) == GAMES + 1


def test_the_index_of_another_journal_counts_for_nothing(
    folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    listed(folder, capsys)
    other = tmp_path / "other"
    other.mkdir()
    write_many_games(other / "journal.sqlite3", GAMES, list(reversed(SCRIPTS)))
    index(other).write_bytes(index(folder).read_bytes())
    assert listed(other, capsys) == worked_out(other, capsys)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(tmp_path / "journal.sqlite3", "bankueberfall")
    yield watched
    watched.journal.close()


def test_a_game_that_ends_at_the_table_is_in_the_index(watched: Watched, capsys: Capture) -> None:
    path = index_path(watched.path)
    ended = EndedGames(watched.table, watched.journal, path)
    ended.add_to_index()
    assert read_index(path, watched.journal) == {}
    watched.do(0, "ended")
    ended.add_to_index()
    (game,) = read_index(path, watched.journal).values()
    before = path.read_bytes()
    assert listed(watched.path.parent, capsys) == worked_out(watched.path.parent, capsys)
    assert path.read_bytes() == before, "nothing was left to be worked out"
    assert game.last == watched.journal.end[0]
