"""Pairings: no one sits twice, everyone plays, byes are fair, and no seating would be better."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

from companion.league.designs import find_plan
from companion.league.meetings import LeagueRound, Meetings, count_meetings
from companion.league.pairing import SeatSearch, pair_round
from companion.league.table_sizes import SeatRange, split_into_tables
from tests.worlds.campaign import pick

TABLES_OF_TWO = SeatRange(2, 2, 2)
RANGES = (TABLES_OF_TWO, SeatRange(2, 6, 4), SeatRange(2, 5, 3), SeatRange(3, 4, 4),
          SeatRange(3, 4, 3), SeatRange(6, 6, 6))  # fmt: skip


def named(n: int) -> list[str]:
    return [f"m{k:03}" for k in range(n)]


def play_rounds(
    members: Sequence[str], seats: SeatRange, rounds: int, seed: int, *, swiss: bool
) -> list[LeagueRound]:
    """Rounds in which chance decides who wins."""
    random, past = Random(seed), list[LeagueRound]()
    points = dict.fromkeys(members, 0)
    for n in range(rounds):
        places = {one: -points[one] for one in members} if swiss else None
        found = pair_round(members, count_meetings(past), seats, f"{seed} {n}", places)
        past.append(found)
        for table in found.tables:
            for won, one in enumerate(random.sample(table, len(table))):
                points[one] += won
    return past


@pytest.mark.parametrize("swiss", [True, False])
def test_everyone_sits_at_one_table_or_sits_out(swiss: bool) -> None:
    random = Random(7)
    for n in range(pick(5, 120, 1_000)):
        seats, members = RANGES[n % len(RANGES)], named(random.randint(2, 26))
        for found in play_rounds(members, seats, 3, n, swiss=swiss):
            sat = [one for table in found.tables for one in table]
            assert sorted([*sat, *found.byes]) == members
            assert all(seats.least <= len(table) <= seats.most for table in found.tables)
            sizes = {len(table) for table in found.tables}
            assert not sizes or max(sizes) - min(sizes) <= 1


def test_no_more_sit_out_than_the_game_asks_for() -> None:
    for seats in RANGES:
        for n in range(1, 60):
            can = [k for k in range(n + 1) if is_possible(k, seats)]
            assert sum(split_into_tables(n, seats)) == max(can)


def is_possible(playing: int, seats: SeatRange) -> bool:
    """Whether so many fill tables, worked out table by table."""
    sizes = range(seats.least, seats.most + 1)
    return playing == 0 or any(is_possible(playing - k, seats) for k in sizes if k <= playing)


def test_tables_are_as_large_as_wished_where_the_numbers_allow() -> None:
    seats = SeatRange(2, 6, 4)
    told = {n: split_into_tables(n, seats) for n in (1, 2, 5, 6, 7, 8, 9, 13)}
    assert told == {1: (), 2: (2,), 5: (3, 2), 6: (3, 3), 7: (4, 3), 8: (4, 4), 9: (3, 3, 3),
                    13: (4, 3, 3, 3)}  # fmt: skip
    assert split_into_tables(4, SeatRange(3, 4, 3)) == (4,), "larger, so that all can play"
    assert split_into_tables(5, SeatRange(3, 4, 4)) == (4,), "3 and 2 would be too few"


@pytest.mark.parametrize("swiss", [True, False])
def test_no_one_sits_out_again_before_everyone_has(swiss: bool) -> None:
    for n in (3, 5, 7, 11):
        counted = count_meetings(play_rounds(named(n), TABLES_OF_TWO, 2 * n + 1, n, swiss=swiss))
        byes = [counted.byes.get(one, 0) for one in named(n)]
        assert max(byes) - min(byes) <= 1


def test_who_sits_out_of_a_swiss_round_is_last_among_those_who_never_did() -> None:
    past = count_meetings([LeagueRound((("m000", "m001"), ("m002", "m003")), ("m004",))])
    places = {"m000": 1, "m001": 4, "m002": 2, "m003": 3, "m004": 5}
    assert pair_round(named(5), past, TABLES_OF_TWO, "x", places).byes == ("m001",)


@pytest.mark.parametrize(
    ("members", "seats", "rounds"),
    [(2, 2, 1), (5, 2, 5), (8, 2, 7), (31, 2, 31), (9, 3, 4), (15, 3, 7), (27, 3, 13), (16, 4, 5),
     (25, 5, 6), (64, 4, 21)],
)  # fmt: skip
def test_in_a_plan_everyone_meets_everyone_once(members: int, seats: int, rounds: int) -> None:
    plan = find_plan(members, seats)
    assert plan is not None
    assert len(plan) == rounds
    for tables in plan:
        sat = [one for table in tables for one in table]
        assert len(sat) == len(set(sat)) == members - members % seats
    pairs = [
        tuple(sorted(p)) for tables in plan for table in tables for p in combinations(table, 2)
    ]
    assert sorted(pairs) == list(combinations(range(members), 2))


@pytest.mark.parametrize(("members", "seats", "rounds"), [(7, 2, 7), (9, 3, 4), (16, 4, 5)])
def test_a_round_robin_follows_its_plan(members: int, seats: int, rounds: int) -> None:
    past = play_rounds(named(members), SeatRange(2, 6, seats) if seats > 2 else TABLES_OF_TWO,
                       rounds, 3, swiss=False)  # fmt: skip
    counted = count_meetings(past)
    assert {counted.count_games(*pair) for pair in combinations(named(members), 2)} == {1}


@pytest.mark.parametrize(
    ("members", "seats", "most"), [(6, 3, 5), (7, 3, 5), (8, 4, 4), (12, 4, 7), (13, 4, 8)]
)
def test_without_a_plan_everyone_still_meets_everyone_soon(
    members: int, seats: int, most: int
) -> None:
    past = play_rounds(named(members), SeatRange(2, 6, seats), most, 1, swiss=False)
    assert count_meetings(past).have_all_met(named(members))


def test_no_seating_is_better_than_the_one_that_is_found() -> None:
    """Compared with each of the seatings of up to ten members, at tables of two to four."""
    random = Random(5)
    for n in range(pick(6, 100, 300)):
        members = named(random.randint(4, pick(8, 9, 10)))
        seats = RANGES[n % 3]
        past = count_meetings(play_rounds(members, seats, random.randint(1, 6), n, swiss=True))
        places = {one: random.randint(1, 5) for one in members}
        found = pair_round(members, past, seats, str(n), places)
        playing = [one for one in members if one not in found.byes]
        sizes = split_into_tables(len(members), seats)
        search = SeatSearch(past, dense(places), sizes, random)
        best = min(
            sum(map(search.cost_of, tables)) for tables in every_seating(playing, list(sizes))
        )
        assert sum(map(search.cost_of, found.tables)) == best, (n, members, seats)


def dense(places: dict[str, int]) -> dict[str, int]:
    told = sorted(set(places.values()))
    return {one: told.index(place) for one, place in places.items()}


def every_seating(left: list[str], sizes: list[int]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to sit at tables of these sizes."""
    if not sizes:
        yield []
        return
    for size in set(sizes):
        rest = sizes.copy()
        rest.remove(size)
        for others in combinations(left[1:], size - 1):
            table = (left[0], *others)
            for more in every_seating([one for one in left if one not in table], rest):
                yield [table, *more]


def test_large_swiss_rounds_need_no_meeting_again() -> None:
    counted = count_meetings(play_rounds(named(28), SeatRange(2, 6, 4), 3, 1, swiss=True))
    assert max(counted.met.values()) == 1


def test_members_of_like_points_meet_where_that_brings_no_meeting_again() -> None:
    places = {one: n // 4 + 1 for n, one in enumerate(named(16))}
    found = pair_round(named(16), Meetings({}, {}, {}, {}), SeatRange(2, 6, 4), "x", places)
    assert all(len({places[one] for one in table}) == 1 for table in found.tables)


def test_the_first_seat_goes_round() -> None:
    counted = count_meetings(play_rounds(named(8), SeatRange(2, 4, 4), 8, 2, swiss=False))
    firsts = [counted.first.get(one, 0) for one in named(8)]
    assert max(firsts) - min(firsts) <= 1


def test_the_same_draw_pairs_the_same_round() -> None:
    again = [play_rounds(named(11), SeatRange(2, 6, 4), 3, 9, swiss=True) for _ in range(2)]
    other = play_rounds(named(11), SeatRange(2, 6, 4), 3, 10, swiss=True)
    assert again[0] == again[1] != other
