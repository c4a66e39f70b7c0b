"""Names are kept for their days, and erased from every file when they are over or someone asks.

The table counts hours that went by for certain; a clock that jumps counts nothing.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.backup.archive import write_backup
from companion.core.table_events import Ended, Paused
from companion.records.format import to_bytes
from companion.records.store import make_record
from companion.records.verify import check_record
from companion.seating.names import HOUR, ClockLook, CountedTime, count_on
from tests.worlds.named_table import NAMES, NamedTable

SEATS = ("Seat 1", "Seat 2", "Seat 3")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[NamedTable]:
    table = NamedTable(tmp_path)
    yield table
    table.close()


def is_anyone_named(room: NamedTable) -> bool:
    return any(room.holds(name) for name in NAMES)


def test_names_go_after_their_days_and_no_sooner(room: NamedTable) -> None:
    id = room.play(*NAMES)
    room.live(29.9)
    assert room.shown() == NAMES
    assert all(room.holds(name) for name in NAMES)
    room.live(0.2)
    assert room.shown() == SEATS
    assert not is_anyone_named(room)
    assert check_record(to_bytes(make_record(room.journal, id))).failed == ()


def test_a_clock_that_jumps_erases_nothing(room: NamedTable) -> None:
    room.play(*NAMES)
    for wall, is_exact in ((9e9, False), (0.0, False), (9e9, True), (1.8e9, True)):
        room.wall, room.is_synchronised = wall, is_exact
        room.live(0.01)
    room.close()
    room.run, room.running, room.is_synchronised, room.wall = "run 2", 0.0, False, 9e9
    room.switch_on()
    room.live(0.01)
    assert room.shown() == NAMES


def test_a_game_under_way_keeps_its_names_and_its_days_begin_when_it_was_played_last(
    room: NamedTable,
) -> None:
    room.begin(*NAMES)
    room.live(40)
    assert room.shown() == NAMES
    assert room.request(Paused()) is None
    room.live(0.1)
    assert room.request(Ended("agreed")) is None
    room.live(29)
    assert room.shown() == NAMES
    room.live(1)
    assert room.shown() == SEATS


def test_a_player_erases_the_names_that_came_from_their_phone(room: NamedTable) -> None:
    phones = [room.seat(seat, name) for seat, name in enumerate(NAMES, 1)]
    first, second = room.play(*NAMES), room.play(*NAMES)
    with phones[1].client.session_transaction() as session:
        browser = str(session["browser"])
    assert {game.id: game.own_seats for game in room.names.list_games(browser)} == {
        first: (2,), second: (2,)
    }  # fmt: skip
    room.names.erase_phone(browser)
    assert room.shown() == ("Zoë", "Seat 2", "Änne")
    assert room.seats.holder_names() == {1: "Zoë", 2: "", 3: "Änne"}
    assert not room.holds("Benedikt")
    assert room.holds("Zoë")
    assert room.names.list_games(browser)[0].own_seats == ()


def test_all_names_go_at_once_also_those_at_the_seats(room: NamedTable) -> None:
    for seat, name in enumerate(NAMES, 1):
        room.seat(seat, name)
    id = room.play("Veronika", "Benedikt")
    room.clear()
    write_backup(room.folder, None, room.folder / "backups" / "companion-2026-01-01.zip")
    room.begin(*NAMES)
    assert all(room.holds(name) for name in (*NAMES, "Veronika"))
    room.names.erase_all()
    assert room.shown() == SEATS
    assert set(room.seats.holder_names().values()) == {""}
    assert not is_anyone_named(room)
    assert not room.holds("Veronika")
    assert check_record(to_bytes(make_record(room.journal, id))).failed == ()


def test_a_damaged_file_of_names_counts_as_erased(room: NamedTable) -> None:
    room.play(*NAMES)
    room.close()
    (room.folder / "identity.sqlite3").write_bytes(b"no database at all, and long enough" * 100)
    room.switch_on()
    assert room.shown() == SEATS
    assert not is_anyone_named(room)


def test_a_time_that_cannot_be_read_goes_on_from_the_newest_name(room: NamedTable) -> None:
    room.live(20)
    room.play(*NAMES)
    room.close()
    with closing(sqlite3.connect(room.folder / "identity.sqlite3")) as disk, disk:
        disk.execute("UPDATE time SET counted = replace(counted, ':', '/')")
    room.run, room.running = "run 2", 0.0
    room.switch_on()
    room.live(29.9)
    assert room.shown() == NAMES
    room.live(0.2)
    assert not is_anyone_named(room)


YEAR = 8_766 * HOUR


def hours_after(*looks: ClockLook) -> float:
    time = CountedTime()
    for look in looks:
        time = count_on(time, look)
    return time.hours


def test_running_time_counts_over_several_runs() -> None:
    assert hours_after(
        ClockLook("1", HOUR, 0.0, False),
        ClockLook("1", 3 * HOUR, 0.0, False),
        ClockLook("2", 2 * HOUR, 0.0, False),
    ) == 5.0  # fmt: skip


def test_time_switched_off_counts_between_two_synchronised_moments() -> None:
    at = 1.8e9
    assert hours_after(
        ClockLook("1", HOUR, at, True),
        ClockLook("2", 0.0, at + 48 * HOUR, True),
    ) == 49.0  # fmt: skip


def test_it_counts_once_what_ran_and_was_synchronised_later() -> None:
    at = 1.8e9
    assert hours_after(
        ClockLook("1", 0.0, at, True),
        ClockLook("2", 5 * HOUR, 0.0, False),
        ClockLook("2", 6 * HOUR, at + 10 * HOUR, True),
    ) == 10.0  # fmt: skip


def test_a_synchronised_clock_that_goes_back_counts_nothing() -> None:
    assert hours_after(
        ClockLook("1", HOUR, 10 * YEAR, True), ClockLook("2", HOUR, YEAR, True)
    ) == 2.0  # fmt: skip


@given(st.lists(st.tuples(st.floats(0, 1e5), st.floats(0, 1e11), st.booleans()), max_size=20))
def test_in_one_run_no_clock_counts_but_the_running_time(
    steps: list[tuple[float, float, bool]],
) -> None:
    running, looks = 0.0, []
    for passed, wall, exact in steps:
        running += passed
        looks.append(ClockLook("1", running, wall, exact))
    assert abs(hours_after(*looks) * HOUR - running) < 1e-3
