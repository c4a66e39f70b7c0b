"""What places are worth, and who is ahead where points are equal."""

from fractions import Fraction
from pathlib import Path

import pytest

from companion.core.errors import Malformed
from companion.core.verdict import Score
from companion.league.acts import choose_points, parse_points
from companion.league.book import (
    GameArrived,
    PointsChosen,
    RoundPaired,
    parse_lines,
    to_bytes,
    write_line,
)
from companion.league.points import bye_points, find_places, share_points
from companion.league.proof import BOOK, prove_folder
from companion.league.standing import make_standing
from companion.league.state import LeagueSheet
from companion.league.store import Act, LeagueStore
from tests.worlds.league_folder import found, play_league

NAMES = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("totals", "winners", "places"),
    [
        ((9, 7, 3, 1), "a", (1, 2, 3, 4)),
        ((7, 9, 9, 1), "bc", (3, 1, 1, 4)),
        ((5, 5, 5, 5), "abcd", (1, 1, 1, 1)),
        ((9, 9, 3, 3), "b", (2, 1, 3, 3)),
        ((1, 4, 2, 3), "a", (1, 4, 2, 3)),
    ],
)
def test_places_follow_from_winners_and_totals(
    totals: tuple[int, ...], winners: str, places: tuple[int, ...]
) -> None:
    """Winners may be told apart at equal totals, and in some games the least wins."""
    score = Score((), dict(zip(NAMES, totals, strict=True)), tuple(winners))
    assert find_places(score, NAMES) == places


@pytest.mark.parametrize(
    ("places", "points", "shares"),
    [
        ((1, 2, 3, 4), (), (3, 2, 1, 0)),
        ((3, 1, 1, 4), (), (1, Fraction(5, 2), Fraction(5, 2), 0)),
        ((1, 2, 3), (), (3, Fraction(3, 2), 0)),
        ((1, 2, 3, 4, 5), (), (3, Fraction(9, 4), Fraction(3, 2), Fraction(3, 4), 0)),
        ((1, 2, 2, 4), (10, 6, 3), (10, Fraction(9, 2), Fraction(9, 2), 0)),
        ((1, 1, 1, 1), (10, 6, 3), (Fraction(19, 4),) * 4),
    ],
)
def test_points_are_shared_by_those_who_tie(
    places: tuple[int, ...], points: tuple[int, ...], shares: tuple[Fraction, ...]
) -> None:
    assert share_points(places, points, 4) == shares


def test_a_bye_is_worth_what_a_table_gives_on_average() -> None:
    assert bye_points((), 4) == Fraction(3, 2)
    assert bye_points((10, 6, 3), 4) == Fraction(19, 4)


def play(store: LeagueStore, tables: tuple[tuple[int, ...], ...], *places: tuple[int, ...]) -> None:
    """A round of members by their numbers, and the places at its tables."""
    members = [*store.read_league().members]
    seated = tuple(tuple(members[n - 1] for n in table) for table in tables)
    n = len(store.read_league().rounds) + 1
    store.write_act(lambda _league: Act(RoundPaired(n, seated, (), "0" * 32)))
    for table, found_places in enumerate(places, 1):
        said = GameArrived(
            n, table, "g", "c", "f", tuple(9 - p for p in found_places), found_places
        )
        store.write_act(lambda _league, said=said: Act(said))  # type: ignore[misc]


def test_equal_points_are_told_apart_by_wins_then_by_the_opponents(tmp_path: Path) -> None:
    store = found(tmp_path / "league", 6)
    play(store, ((1, 2, 3), (4, 5, 6)), (1, 2, 3), (1, 2, 2))
    play(store, ((1, 4, 2), (5, 6, 3)), (3, 1, 2), (1, 2, 3))
    league = store.read_league()
    rows = make_standing(league)
    told = [(row.place, league.members[row.member].number, row.points) for row in rows]
    assert told == [(1, 4, 4), (2, 5, Fraction(5, 2)), (3, 1, 2), (4, 2, 2),
                    (5, 6, Fraction(3, 2)), (6, 3, 0)]  # fmt: skip
    assert rows[2].wins > rows[3].wins, "who won a game comes before who came second twice"


def test_who_is_equal_in_everything_shares_a_place(tmp_path: Path) -> None:
    store = found(tmp_path / "league", 3)
    play(store, ((1, 2, 3),), (1, 1, 3))
    assert [row.place for row in make_standing(store.read_league())] == [1, 1, 3]
    assert isinstance(next(iter(store.read_league().sheets.values())), LeagueSheet)


def test_the_points_are_chosen_until_a_result_counts_and_are_part_of_the_proof(
    tmp_path: Path,
) -> None:
    store = found(tmp_path / "league", points=(5, 2))
    assert choose_points(store, parse_points("10, 6;3")).founded.points == (10, 6, 3)
    play_league(store, 1, signed=False)
    (first, *_rest) = make_standing(store.read_league())
    assert first.points == 10
    with pytest.raises(Malformed, match="fixed, as a result counts"):
        choose_points(store, ())
    proof = prove_folder(store.folder)
    assert proof.is_proven
    assert proof.league is not None
    assert proof.league.founded.points == (10, 6, 3)
    lines = list(parse_lines((store.folder / BOOK).read_bytes()))
    forged = [*lines, write_line(PointsChosen((100, 0)), lines[-1])]
    (store.folder / BOOK).write_bytes(to_bytes(forged))
    assert not prove_folder(store.folder).is_proven


@pytest.mark.parametrize("told", ["3, 6", "5,a", "2000", "-1", "1 " * 13])
def test_points_that_cannot_be_are_refused(tmp_path: Path, told: str) -> None:
    store = found(tmp_path / "league", 2)
    with pytest.raises(Malformed):
        choose_points(store, parse_points(told))
    assert store.read_league().founded.points == ()
