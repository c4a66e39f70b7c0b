"""The figures of the viewers: ratios of the same turn, and estimates that are told apart."""

from bench.pi_estimates import EVENTS_A_SECOND, render_estimates, slower_by
from bench.speed.client import Heard, HeardRequest
from bench.speed.measure import Audience
from bench.viewers import BARE, OURS, Runs, last_ratio

MS = 1_000_000


def heard_after(ms: float, reached: int = 6, counted: bool = True) -> Heard:
    request = HeardRequest(counted, 204, MS, MS, round(ms * MS), reached, MS, 600)
    return Heard(6, 1000, False, [request], MS)


def runs_of(who: str, *heard: Heard) -> Runs:
    return Runs("robby_solo", Audience(6), who, list(heard))


def test_a_ratio_is_of_two_that_ran_in_the_same_turn() -> None:
    """A turn in which the machine was busy is slow for both."""
    ours = runs_of(OURS, heard_after(4), heard_after(40), heard_after(8))
    bare = runs_of(BARE, heard_after(2), heard_after(20), heard_after(2))
    assert last_ratio([ours, bare]) == 2


def test_events_that_did_not_reach_all_are_counted() -> None:
    silent = Heard(6, 0, False, heard_after(9, 0, counted=False).requests, 0)
    runs = runs_of(OURS, heard_after(3), heard_after(3, reached=5))
    assert runs.missed == 1
    assert Runs("robby_solo", Audience(6), OURS, [silent]).missed == 0


def test_a_row_names_table_audience_and_spread() -> None:
    row = Runs("robby_solo", Audience(8, 2), OURS, [heard_after(3), heard_after(5)]).row()
    assert row.split()[:5] == ["robby_solo", "8", "(2", "stalled)", "ours"]
    assert "3.00 – 5.00" in row


def test_every_board_is_estimated_slower_than_the_one_before() -> None:
    factors = [slower_by(board) for board in EVENTS_A_SECOND]
    assert factors == sorted(factors)
    assert 11 < slower_by("Pi Zero 2 W") < 13
    said, head, row = render_estimates([("last", 10.0)])
    assert said.startswith("Estimates, not measurements")
    assert head.split() == ["here", "Pi", "5", "Pi", "4", "Pi", "3B+", "Pi", "Zero", "2", "W"]
    assert row.split()[:3] == ["last", "10", "22"]
