"""In a long history, however many calls had no answer, whatever is wrong is found."""

from collections.abc import Callable

import pytest

from bench.nemesis import host_model, seat_model
from bench.nemesis.attempts import NEVER, OK, REFUSED, UNKNOWN, Attempt, Death, close_attempts
from bench.nemesis.host_model import check_host
from bench.nemesis.seat_model import check_seats
from tests.worlds.campaign import pick
from tests.worlds.nemesis_history import LongHistory

SECONDS = pick(100.0, 300.0, 1000.0)
WRITES = {*seat_model.EFFECTS, *host_model.EFFECTS}
STEP = 1e-5
"""Seconds between two planted calls."""
Planted = Callable[[LongHistory], list[Attempt]]
"""Returns calls one after the other; no state explains all of them."""


@pytest.fixture(scope="module")
def history() -> LongHistory:
    return LongHistory(1, SECONDS, lost=0.4)


def check(attempts: list[Attempt]) -> list[str]:
    return check_seats(attempts) + check_host(attempts)


@pytest.mark.parametrize("lost", [0.05, 0.3, 0.6])
def test_a_history_of_a_companion_that_keeps_its_promises_is_explained(lost: float) -> None:
    for seed in range(pick(2, 5, 20)):
        attempts = LongHistory(seed, 60.0, lost).attempts
        assert any(each.outcome == UNKNOWN for each in attempts)
        assert check(attempts) == []


def test_the_long_history_is_explained(history: LongHistory) -> None:
    assert check(history.attempts) == []


# What nothing explains while no change is under way.


def lose_seat(_: LongHistory) -> list[Attempt]:
    return [answered("ana-1", "seat_view", 2), answered("ana-1", "seat_view", 2, "not_your_seat")]


def double_seat(_: LongHistory) -> list[Attempt]:
    return [answered("ana-1", "seat_view", 2), answered("ana-2", "seat_view", 2)]


def forget_stand(_: LongHistory) -> list[Attempt]:
    return [answered("ana-1", "stand", 2), answered("ana-1", "seat_view", 2)]


def forget_host(_: LongHistory) -> list[Attempt]:
    return [answered("host-1", "host_read"), answered("host-1", "host_read", code="not_host")]


def forget_sign_out(_: LongHistory) -> list[Attempt]:
    return [answered("host-1", "sign_out"), answered("host-1", "host_read")]


def forget_pin(_: LongHistory) -> list[Attempt]:
    right, wrong = answered("host-1", "sign_in"), answered("host-0", "sign_in", code="wrong_pin")
    right.sent = wrong.sent = {"pin": "planted"}
    made = answered("console", "pin_made")
    made.answer = {"pin": "planted"}
    return [made, right, wrong]


QUIET: list[Planted] = [
    lose_seat, double_seat, forget_stand, forget_host, forget_sign_out, forget_pin,
]  # fmt: skip

# What nothing explains at any time.


def play_out_of_seat(_: LongHistory) -> list[Attempt]:
    return [answered("thief", "seat_view", 3)]


def let_in_without_a_pin(_: LongHistory) -> list[Attempt]:
    return [answered("thief", "host_read")]


def let_in_with_the_first_pin(history: LongHistory) -> list[Attempt]:
    stale = answered("thief", "sign_in")
    stale.sent = {"pin": history.attempts[0].answer["pin"]}
    return [stale]


ALWAYS: list[Planted] = [play_out_of_seat, let_in_without_a_pin, let_in_with_the_first_pin]


def answered(client: str, kind: str, seat: int = 0, code: str = "") -> Attempt:
    key = f"planted {kind}" if kind in WRITES else ""
    return Attempt(client, kind, seat, key, outcome=REFUSED if code else OK, code=code)


def plant(attempts: list[Attempt], planted: list[Attempt], moment: float) -> list[Attempt]:
    """Return the attempts with these, one after the other from this moment on."""
    for n, each in enumerate(planted):
        each.invoked = moment + n * STEP
        each.returned = each.latest = each.invoked + STEP / 2
    return sorted([*attempts, *planted], key=lambda each: each.invoked)


def find_quiet_moments(attempts: list[Attempt]) -> list[float]:
    """Return the moments at which no change is under way, nor can one have its effect late."""
    moments, latest = list[float](), 0.0
    for each in attempts:
        if each.kind in WRITES:
            if each.invoked > latest + 10 * STEP:
                moments.append(latest + STEP)
            latest = max(latest, each.latest)
    return moments


def pick_some(moments: list[float]) -> list[float]:
    """Return some of these from the beginning to the end."""
    return moments[:: max(1, len(moments) // pick(4, 8, 12))]


@pytest.mark.wide
@pytest.mark.parametrize("planted", QUIET, ids=lambda planted: planted.__name__)
def test_what_is_wrong_at_a_quiet_moment_is_found(planted: Planted, history: LongHistory) -> None:
    moments = pick_some(find_quiet_moments(history.attempts))
    assert len(moments) >= 4
    for moment in moments:
        assert check(plant(history.attempts, planted(history), moment))


@pytest.mark.parametrize("planted", ALWAYS, ids=lambda planted: planted.__name__)
def test_what_is_wrong_in_the_thick_of_it_is_found(planted: Planted, history: LongHistory) -> None:
    replaced = next(each.invoked for each in history.attempts if each.kind == "new_pin") + 30
    unanswered = [each for each in history.attempts if each.outcome == UNKNOWN]
    for moment in pick_some([each.given_up for each in unanswered if each.invoked > replaced]):
        found = check(plant(history.attempts, planted(history), moment))
        assert any("thief" in line for line in found)


def test_an_unanswered_call_counts_until_the_first_death_after_it_was_given_up() -> None:
    deaths = [Death(2.0, power_cut=False), Death(5.0, power_cut=True)]
    times = [(1.0, 1.5), (1.0, 2.5), (3.0, 4.0), (4.0, 6.0)]
    attempts = [Attempt("ana", "sit", invoked=at, given_up=given_up) for at, given_up in times]
    closed = close_attempts([*attempts, Attempt("ben", "sit", invoked=1.0, returned=1.2)], deaths)
    assert [each.latest for each in closed] == [2.0, 5.0, 1.2, 5.0, NEVER]
