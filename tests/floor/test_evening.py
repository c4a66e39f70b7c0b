"""What a floor keeps of an evening, and what it comes to."""

from pathlib import Path

import pytest

from companion.floor.evening_figures import split_hours, sum_up_evening
from companion.floor.evening_store import (
    DAY,
    KEPT_DAYS,
    EveningGame,
    EveningStore,
    KeptReader,
    read_games,
    read_readers,
)
from companion.floor.played import PlayedEvening, ReaderCount, ToldGame

A, B = "aaaaaaaaaaaa", "bbbbbbbbbbbb"
NOW = 1_000_000.0


def game(id: str = "x", line: int = 9, ago: float = 60, seconds: float = 1800) -> ToldGame:
    return ToldGame(id, line, "box", "Box", ago, seconds, 3, 1, 2, False)


def kept(table: str = A, ended: float = 20.5, seconds: float = 1800, seats: int = 3) -> EveningGame:
    return EveningGame(table, f"Table {table[0]}", "box", "Box", ended, seconds, seats, 1, 0, False)


@pytest.fixture
def store(tmp_path: Path) -> EveningStore:
    return EveningStore(tmp_path)


def test_a_game_is_kept_once_and_asked_for_from_its_line_on(store: EveningStore) -> None:
    for _ in range(3):
        assert store.take(A, "One", PlayedEvening((game(),), 9), NOW, 1)
    assert store.line_of(A) == 9
    assert store.line_of(B) == 0
    (found,) = read_games(store.path, 0)
    assert (found.name, found.ended, found.seats) == ("One", NOW - 60, 3)
    store.close()


def test_a_game_is_counted_once_though_its_table_has_another_id_by_now(store: EveningStore) -> None:
    """Both ids may go on: a backup was restored on a second Pi, with the games of the first."""
    store.take(A, "One", PlayedEvening((game("x", 3), game("y", 6)), 6), NOW, 1)
    told = PlayedEvening((game("x", 3), game("y", 6), game("z", 9)), 9)
    for _ in range(2):
        assert store.take(B, "One", told, NOW + 50, 1)
    assert store.line_of(B) == 9
    found = [(one.table, one.ended) for one in read_games(store.path, 0)]
    assert found == [(A, NOW - 60), (A, NOW - 60), (B, NOW - 10)]
    store.close()


@pytest.mark.parametrize(("ago", "ended"), [(-5e9, NOW + 100), (5e9, NOW), (30, NOW + 70)])
def test_a_table_whose_clock_is_wrong_moves_no_game_out_of_the_time_it_was_told(
    store: EveningStore, ago: float, ended: float
) -> None:
    """The table had been asked at NOW; what is told a little later ended in between."""
    store.take(A, "One", PlayedEvening((), 3), NOW, 1)
    store.take(A, "One", PlayedEvening((game(ago=ago),), 9), NOW + 100, 1)
    assert [one.ended for one in read_games(store.path, 0)] == [ended]
    store.close()


def test_games_of_a_table_that_was_away_are_placed_by_what_it_says(store: EveningStore) -> None:
    """Only the last part of an answer moves the time before which nothing new can have ended."""
    store.take(A, "One", PlayedEvening((), 0), NOW, 1)
    first = PlayedEvening((game("x", 3, 9000),), 9, has_more=True)
    store.take(A, "One", first, NOW + 10_000, 1)
    store.take(A, "One", PlayedEvening((game("y", 9, 5000),), 9), NOW + 10_000, 1)
    assert [one.ended - NOW for one in read_games(store.path, 0)] == [1000, 5000]
    store.close()


def test_readers_are_counted_on_over_a_restart_of_their_table(store: EveningStore) -> None:
    for uptime, retries in ((600, 10), (1200, 30), (60, 4)):
        told = PlayedEvening((), 0, False, uptime, (ReaderCount(2, retries),))
        store.take(A, "One", told, NOW, 5)
    (found,) = read_readers(store.path, 0)
    assert (found.place, found.day, found.seconds, found.retries) == (2, 5, 1260, 34)
    store.close()


def test_what_is_old_is_dropped_and_what_the_disk_refuses_is_asked_again(
    store: EveningStore,
) -> None:
    store.take(A, "One", PlayedEvening((game(),), 9), NOW, 1)
    store.drop_old(NOW + (KEPT_DAYS + 1) * DAY, KEPT_DAYS + 2)
    assert list(read_games(store.path, 0)) == []
    store._file.execute("PRAGMA query_only=ON")
    assert not store.take(B, "Two", PlayedEvening((game(),), 9), NOW, 1)
    assert store.line_of(B) == 0
    store.close()


def test_hours_are_set_back_from_the_end_of_a_game() -> None:
    assert list(split_hours(20.5, 1800)) == [(20, 1800)]
    assert list(split_hours(20.5, 5400)) == [(20, 1800), (19, 3600)]
    assert list(split_hours(0.5, 3600)) == [(0, 1800), (23, 1800)]
    assert sum(seconds for _, seconds in split_hours(3.25, 24 * 3600)) == 24 * 3600


def test_an_evening_comes_to_its_figures() -> None:
    games = [kept(), kept(B, 21.0, 3600, 4), kept(B, 0.5, 1200)]
    figures = sum_up_evening(games, [], 1, lambda ended: ended)
    (title,) = figures.titles
    assert (title.games, title.median, title.judge_called) == (3, 1800, 3)
    assert figures.seats == ((3, 2), (4, 1))
    first, second = figures.hours
    assert (first.name, first.seconds, second.seconds) == ("Table a", 1800, 4800)
    assert (first.shares[20 - 6], second.shares[20 - 6]) == (0.5, 1.0)
    assert second.shares[24 - 6] == pytest.approx(1200 / 3600)


def test_a_reader_tires_by_its_own_usual_day_and_comes_first() -> None:
    def days(place: int, *rates: int) -> list[KeptReader]:
        return [KeptReader(A, "One", n, place, 3600, rate) for n, rate in enumerate(rates)]

    steady, new, worse = days(1, 40, 41, 40, 42), days(2, 90), days(3, 4, 5, 4, 20)
    quiet = [KeptReader(A, "One", 9, 4, 30, 30)]
    trends = sum_up_evening([], [*steady, *new, *worse, *quiet], 1, lambda ended: ended).readers
    assert [(one.place, one.is_tiring) for one in trends] == [(3, True), (2, False), (1, False)]
