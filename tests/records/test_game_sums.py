"""A finished game in numbers: length without breaks, seats, the judge, what was put right."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.core.events import to_json
from companion.core.table_events import Counted, Ended, Frozen, Thawed, Undone
from companion.games import game_names
from companion.journal import Journal
from companion.journal.line import JournalLine
from companion.records.game_sums import QUIET, GameSums, list_finished_games, sum_up_game
from tests.worlds.many_games import Script, play_scripts, write_many_games

SCRIPTS = play_scripts(3)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """A journal with one game of each box, all over."""
    write_many_games(tmp_path / "journal.sqlite3", 3, SCRIPTS)
    return Journal(tmp_path / "journal.sqlite3")


def sums_of(journal: Journal, id: str) -> GameSums:
    stored = next(game for game in journal.list_games() if game.id == id)
    found = sum_up_game(stored, list(journal.read_lines(id)))
    assert found is not None
    return found


def add(journal: Journal, at: float, *events: object) -> None:
    last = journal.list_games()[-1]
    for event in events:
        journal.append(last.game, last.id, at, "host", to_json(event))  # type: ignore[arg-type]


def test_each_box_is_summed_up_by_what_its_lines_say(journal: Journal) -> None:
    with closing(journal):
        for n, script in enumerate(SCRIPTS):
            found = sums_of(journal, f"game-{n}")
            assert found.game == game_names()[n % len(game_names())]
            assert found.seats == 3 + n % 2
            assert found.seconds == len(script.lines) - 1
            assert (found.judge_called, found.put_right, found.is_cut_short) == (0, 0, False)


def test_the_judge_and_corrections_are_counted_and_breaks_are_not(journal: Journal) -> None:
    with closing(journal):
        before = sums_of(journal, "game-2")
        end = journal.last_at
        add(journal, end + 5, Frozen(1), Thawed(), Frozen(2), Thawed())
        add(journal, end + 5, Undone(2), Counted(1, {}))
        add(journal, end + 50 * QUIET, Ended())
        add(journal, end - 90 * QUIET, Frozen(3))
        found = sums_of(journal, "game-2")
        assert found.seconds == before.seconds + 5 + QUIET
        assert (found.judge_called, found.put_right, found.is_cut_short) == (3, 2, True)


def test_only_games_that_are_over_are_listed_from_a_line_on(journal: Journal) -> None:
    with closing(journal):
        ids = [game.id for game in list_finished_games(journal, 0, is_over=True)]
        assert ids == ["game-0", "game-1", "game-2"]
        first = journal.list_games()[0].last
        later = list_finished_games(journal, first, is_over=False)
        assert [game.id for game in later] == ["game-1"]


def test_nothing_is_told_of_names_or_ids_and_nothing_of_half_a_game(journal: Journal) -> None:
    with closing(journal):
        found = repr(sums_of(journal, "game-0"))
        assert "game-0" not in found
        assert not [name for name in players(SCRIPTS[0]) if name in found]
        stored, lines = journal.list_games()[0], list[JournalLine](journal.read_lines("game-0"))
        assert sum_up_game(stored, lines[1:]) is None


def players(script: Script) -> tuple[str, ...]:
    names: tuple[str, ...] = script.lines[0][0].players  # type: ignore[attr-defined]
    return names
