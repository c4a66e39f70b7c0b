"""The demo loop: it plays while nobody is there, gives way to whoever comes, and comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.default_players import NAMES
from companion.core.sensor_events import Arrived, ButtonPressed, Left
from companion.games.new_game import NewGame
from companion.host.demo import IDLE, DemoLoop, load_demo
from tests.worlds.demo_table import QuietTable
from tests.worlds.journal_lines import every_line
from tests.worlds.scripted_table import ScriptedTable

THREE = NAMES[:3]
FIRST, SECOND, THIRD = (evening.record.header.game for evening in load_demo())


@pytest.fixture
def demo_table(tmp_path: Path) -> Iterator[QuietTable]:
    quiet = QuietTable(tmp_path / "journal.sqlite3")
    yield quiet
    quiet.shut()


def test_a_press_shows_the_table_and_five_quiet_minutes_the_next_evening(
    demo_table: QuietTable,
) -> None:
    assert demo_table.turn() is not None
    demo_table.evening.host.filter_evidence([ButtonPressed(1.0, 2)])
    assert demo_table.turn() is None
    assert demo_table.turn(IDLE - 1) is None
    again = demo_table.turn(1)
    assert again is not None
    assert (again.game, again.view.at) == (SECOND, 1)


def test_sitting_down_or_beginning_a_game_ends_the_demo(demo_table: QuietTable) -> None:
    assert demo_table.turn() is not None
    assert demo_table.seats.take_seat(1, "a phone", name="Mia") is None
    assert demo_table.turn() is None
    assert demo_table.turn(IDLE) is not None
    assert demo_table.seats.taken_seats() == frozenset(), "the seat is free for others"
    assert demo_table.evening.host.begin_game(NewGame(FIRST, THREE)) is None
    assert demo_table.turn() is None


def test_a_game_that_nobody_plays_any_more_is_ended_in_the_journal(demo_table: QuietTable) -> None:
    assert demo_table.evening.host.begin_game(NewGame(FIRST, THREE)) is None
    assert demo_table.turn() is None
    assert demo_table.turn(IDLE) is not None
    assert demo_table.turn(1) is not None, "to put the pieces away is nobody's touch"
    assert demo_table.evening.host.table.view() is None
    assert (demo_table.told()[0], demo_table.told()[-2:]) == ("started", ["ended", "cleared"])
    ended = list(every_line(demo_table.journal))[-2]
    assert (ended.via, ended.decode_event(dict)["reason"]) == ("table", "abandoned")


def test_only_people_keep_the_demo_away(demo_table: QuietTable) -> None:
    assert demo_table.evening.host.begin_game(NewGame(FIRST, THREE)) is None
    assert demo_table.turn() is None
    for _ in range(9):
        assert demo_table.evening.bots.play_one()
        assert demo_table.turn(30) is None
    demo_table.loop.note_visitor()
    for _ in range(9):
        assert demo_table.evening.bots.play_one()
        assert demo_table.turn(30) is None
    assert demo_table.turn(30) is not None


def test_at_a_real_table_pieces_that_move_are_people(tmp_path: Path) -> None:
    table = ScriptedTable(tmp_path, enrolled=False)
    loop = DemoLoop(table.host)
    loop.advance()
    table.tell(Arrived(1.0, 3, "04ffffffffffff"))
    loop.advance()
    assert loop.scene is not None, "a reader that flickers ends no demo"
    table.tell(ButtonPressed(2.0, 1))
    loop.advance()
    assert loop.scene is None
    table.now += IDLE - 1
    table.tell(Left(3.0, 3, "04ffffffffffff"))
    table.now += IDLE - 1
    loop.advance()
    assert loop.scene is None
    table.now += 1
    loop.advance()
    assert loop.scene is not None
