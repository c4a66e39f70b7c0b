"""The demo loop: it plays while nobody is there, gives way to whoever comes, and comes back."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from companion.amendments import Paused, Thawed
from companion.cli.demo import IDLE, Loop
from companion.cli.evening import NAMES
from companion.demo import evenings, scenes
from companion.door import HOSTED
from companion.evidence import Arrived, Left, Pressed
from companion.wish import Wish
from tests.demo.cafe import Cafe
from tests.test_full_disk import room_for
from tests.test_hosting import Standing

THREE = NAMES[:3]
FIRST, SECOND, THIRD = (evening.header.game for evening in evenings())


@pytest.fixture
def cafe(tmp_path: Path) -> Iterator[Cafe]:
    cafe = Cafe(tmp_path / "journal.sqlite3")
    yield cafe
    cafe.shut()


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Standing]:
    standing = Standing(tmp_path)
    yield standing
    standing.journal.close()


def test_where_nobody_is_an_evening_plays_moment_by_moment(cafe: Cafe) -> None:
    for expected in islice(scenes(evenings()[0]), 40):
        assert cafe.turn() == expected
        assert cafe.turn(expected.lasts - 0.25) == expected, "people look at it"
        cafe.now += 0.5
    assert cafe.told() == [], "nothing of it is in the journal"


def test_one_evening_follows_the_other_for_ever(cafe: Cafe) -> None:
    for game in (FIRST, SECOND, THIRD, FIRST):
        scene = cafe.until(lambda scene, game=game: scene.game == game)  # type: ignore[misc]
        assert scene.view.at == 1
    assert cafe.evening.table.view() is None


def test_a_press_shows_the_table_and_five_quiet_minutes_the_next_evening(cafe: Cafe) -> None:
    assert cafe.turn() is not None
    cafe.evening.heard([Pressed(1.0, 2)])
    assert cafe.turn() is None
    assert cafe.turn(IDLE - 1) is None
    again = cafe.turn(1)
    assert again is not None
    assert (again.game, again.view.at) == (SECOND, 1)


def test_whoever_sits_down_or_begins_a_game_ends_it(cafe: Cafe) -> None:
    assert cafe.turn() is not None
    assert cafe.seats.take(1, "a phone", name="Mia") is None
    assert cafe.turn() is None
    assert cafe.turn(IDLE) is not None
    assert cafe.seats.taken() == frozenset(), "the seat is free for others"
    assert cafe.evening.begin(Wish(FIRST, THREE)) is None
    assert cafe.turn() is None


def test_a_game_that_nobody_plays_any_more_is_ended_in_the_journal(cafe: Cafe) -> None:
    assert cafe.evening.begin(Wish(FIRST, THREE)) is None
    assert cafe.turn() is None
    assert cafe.turn(IDLE) is not None
    assert cafe.turn(1) is not None, "to put the pieces away is nobody's touch"
    assert cafe.evening.table.view() is None
    assert (cafe.told()[0], cafe.told()[-2:]) == ("started", ["ended", "cleared"])
    ended = list(cafe.journal.lines())[-2]
    assert (ended.via, ended.read(dict)["reason"]) == ("table", "nobody plays any more")


def test_what_bots_do_keeps_nobody_there_and_what_people_do_does(cafe: Cafe) -> None:
    assert cafe.evening.begin(Wish(FIRST, THREE)) is None
    assert cafe.turn() is None
    for _ in range(9):
        assert cafe.evening.let_a_bot_act()
        assert cafe.turn(30) is None
    cafe.loop.touched()
    for _ in range(9):
        assert cafe.evening.let_a_bot_act()
        assert cafe.turn(30) is None
    assert cafe.turn(30) is not None


def test_a_paused_game_waits_for_its_people(cafe: Cafe) -> None:
    assert cafe.evening.begin(Wish(FIRST, THREE)) is None
    assert cafe.evening.table.request(Paused(), HOSTED) is None
    for _ in range(3):
        assert cafe.turn(IDLE) is None
    assert cafe.evening.table.request(Thawed(), HOSTED) is None
    assert cafe.turn(IDLE - 1) is None
    assert cafe.turn(1) is not None


def test_a_game_that_cannot_be_ended_on_a_full_disk_stays(cafe: Cafe) -> None:
    assert cafe.evening.begin(Wish(FIRST, THREE)) is None
    assert cafe.turn() is None
    with room_for(cafe, 0):
        assert cafe.turn(IDLE) is None
        assert cafe.turn(1) is None
    assert cafe.turn(IDLE - 2) is None, "it waits another five minutes"
    assert cafe.turn(1) is not None


def test_a_start_in_the_middle_of_a_game_waits_too(real: Standing) -> None:
    house = real.real()
    assert house.begin(Wish(FIRST, THREE)) is None
    loop = Loop(house, lambda: real.now)
    for passed, plays in ((0, False), (IDLE - 1, False), (1, True)):
        real.now += passed
        loop.turn()
        assert (loop.scene() is not None) == plays


def test_at_a_real_table_pieces_that_move_are_people(real: Standing) -> None:
    house = real.real()
    loop = Loop(house, lambda: real.now)
    loop.turn()
    real.tell(house, Arrived(1.0, 3, "04ffffffffffff"))
    loop.turn()
    assert loop.scene() is not None, "a reader that flickers ends no demo"
    real.tell(house, Pressed(2.0, 1))
    loop.turn()
    assert loop.scene() is None
    real.now += IDLE - 1
    real.tell(house, Left(3.0, 3, "04ffffffffffff"))
    real.now += IDLE - 1
    loop.turn()
    assert loop.scene() is None
    real.now += 1
    loop.turn()
    assert loop.scene() is not None
