"""The demo loop: it plays while nobody is there, gives way to whoever comes, and comes back."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from companion.app.default_players import NAMES
from companion.core.sensor_events import Arrived, ButtonPressed, Left
from companion.core.table_events import Paused, Thawed
from companion.games.new_game import NewGame
from companion.host.demo import IDLE, DemoLoop
from companion.host.demo_scenes import iter_scenes, load_evenings
from companion.table.permissions import HOST_AUTHOR
from tests.host.test_host import Standing
from tests.table.test_full_disk import room_for
from tests.worlds.demo_table import QuietTable

THREE = NAMES[:3]
FIRST, SECOND, THIRD = (evening.header.game for evening in load_evenings())


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[QuietTable]:
    quiet = QuietTable(tmp_path / "journal.sqlite3")
    yield quiet
    quiet.shut()


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Standing]:
    standing = Standing(tmp_path)
    yield standing
    standing.journal.close()


def test_where_nobody_is_an_evening_plays_moment_by_moment(quiet: QuietTable) -> None:
    for expected in islice(iter_scenes(load_evenings()[0]), 40):
        assert quiet.turn() == expected
        assert quiet.turn(expected.lasts - 0.25) == expected, "people look at it"
        quiet.now += 0.5
    assert quiet.told() == [], "nothing of it is in the journal"


def test_one_evening_may_be_shown_instead(quiet: QuietTable) -> None:
    loop = DemoLoop(quiet.evening.host, lambda: quiet.now, [load_evenings()[2]])
    for expected in islice(iter_scenes(load_evenings()[2]), 3):
        loop.advance()
        assert loop.current_scene() == expected
        quiet.now += expected.lasts


def test_one_evening_follows_the_other_for_ever(quiet: QuietTable) -> None:
    for game in (FIRST, SECOND, THIRD, FIRST):
        scene = quiet.until(lambda scene, game=game: scene.game == game)  # type: ignore[misc]
        assert scene.view.at == 1
    assert quiet.evening.host.table.view() is None


def test_a_press_shows_the_table_and_five_quiet_minutes_the_next_evening(quiet: QuietTable) -> None:
    assert quiet.turn() is not None
    quiet.evening.host.filter_evidence([ButtonPressed(1.0, 2)])
    assert quiet.turn() is None
    assert quiet.turn(IDLE - 1) is None
    again = quiet.turn(1)
    assert again is not None
    assert (again.game, again.view.at) == (SECOND, 1)


def test_whoever_sits_down_or_begins_a_game_ends_it(quiet: QuietTable) -> None:
    assert quiet.turn() is not None
    assert quiet.seats.take_seat(1, "a phone", name="Mia") is None
    assert quiet.turn() is None
    assert quiet.turn(IDLE) is not None
    assert quiet.seats.taken_seats() == frozenset(), "the seat is free for others"
    assert quiet.evening.host.begin_game(NewGame(FIRST, THREE)) is None
    assert quiet.turn() is None


def test_a_game_that_nobody_plays_any_more_is_ended_in_the_journal(quiet: QuietTable) -> None:
    assert quiet.evening.host.begin_game(NewGame(FIRST, THREE)) is None
    assert quiet.turn() is None
    assert quiet.turn(IDLE) is not None
    assert quiet.turn(1) is not None, "to put the pieces away is nobody's touch"
    assert quiet.evening.host.table.view() is None
    assert (quiet.told()[0], quiet.told()[-2:]) == ("started", ["ended", "cleared"])
    ended = list(quiet.journal.read_lines())[-2]
    assert (ended.via, ended.decode_event(dict)["reason"]) == ("table", "nobody plays any more")


def test_what_bots_do_keeps_nobody_there_and_what_people_do_does(quiet: QuietTable) -> None:
    assert quiet.evening.host.begin_game(NewGame(FIRST, THREE)) is None
    assert quiet.turn() is None
    for _ in range(9):
        assert quiet.evening.bots.play_one()
        assert quiet.turn(30) is None
    quiet.loop.note_visitor()
    for _ in range(9):
        assert quiet.evening.bots.play_one()
        assert quiet.turn(30) is None
    assert quiet.turn(30) is not None


def test_a_paused_game_waits_for_its_people(quiet: QuietTable) -> None:
    assert quiet.evening.host.begin_game(NewGame(FIRST, THREE)) is None
    assert quiet.evening.host.table.request(Paused(), HOST_AUTHOR) is None
    for _ in range(3):
        assert quiet.turn(IDLE) is None
    assert quiet.evening.host.table.request(Thawed(), HOST_AUTHOR) is None
    assert quiet.turn(IDLE - 1) is None
    assert quiet.turn(1) is not None


def test_a_game_that_cannot_be_ended_on_a_full_disk_stays(quiet: QuietTable) -> None:
    assert quiet.evening.host.begin_game(NewGame(FIRST, THREE)) is None
    assert quiet.turn() is None
    with room_for(quiet, 0):
        assert quiet.turn(IDLE) is None
        assert quiet.turn(1) is None
    assert quiet.turn(IDLE - 2) is None, "it waits another five minutes"
    assert quiet.turn(1) is not None


def test_a_start_in_the_middle_of_a_game_waits_too(real: Standing) -> None:
    house = real.real()
    assert house.begin_game(NewGame(FIRST, THREE)) is None
    loop = DemoLoop(house, lambda: real.now)
    for passed, plays in ((0, False), (IDLE - 1, False), (1, True)):
        real.now += passed
        loop.advance()
        assert (loop.current_scene() is not None) == plays


def test_at_a_real_table_pieces_that_move_are_people(real: Standing) -> None:
    house = real.real()
    loop = DemoLoop(house, lambda: real.now)
    loop.advance()
    real.tell(house, Arrived(1.0, 3, "04ffffffffffff"))
    loop.advance()
    assert loop.current_scene() is not None, "a reader that flickers ends no demo"
    real.tell(house, ButtonPressed(2.0, 1))
    loop.advance()
    assert loop.current_scene() is None
    real.now += IDLE - 1
    real.tell(house, Left(3.0, 3, "04ffffffffffff"))
    real.now += IDLE - 1
    loop.advance()
    assert loop.current_scene() is None
    real.now += 1
    loop.advance()
    assert loop.current_scene() is not None
