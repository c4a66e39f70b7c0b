"""Guessing the PIN: hopeless for strangers, and no hindrance for those who belong to the table."""

from hypothesis import given
from hypothesis import strategies as st

from companion.host.pin_guesses import (
    BUDGET,
    BUDGET_SECONDS,
    LOOPBACK,
    MAX_BUCKETS,
    Guesser,
    PinGuesses,
)

DAY = 86_400
HERE, PHONE = Guesser(LOOPBACK), Guesser("192.168.1.7", "a known phone")


def source(n: int) -> Guesser:
    return Guesser(f"10.0.{n // 250}.{n % 250}")


def guess_all_day(guesses: PinGuesses, guessers: list[Guesser], days: int) -> int:
    """Guess as often as possible; return how many guesses were taken."""
    taken, now, free_at = 0, 0.0, dict.fromkeys(guessers, 0.0)
    while (now := max(now, min(free_at.values()))) < days * DAY:
        for guesser in guessers:
            while free_at[guesser] <= now:
                wait = guesses.take_guess(guesser, now)
                taken += not wait
                free_at[guesser] = now + max(wait, 0.001) if wait else now
    return taken


def test_wrong_guesses_wait_longer_each_time_and_at_most_seventeen_minutes() -> None:
    guesses, now, waits = PinGuesses(), 0.0, list[float]()
    for _ in range(16):
        wait = guesses.take_guess(HERE, now)
        now += wait
        waits.append(wait)
        assert not wait or guesses.take_guess(HERE, now) == 0
    assert waits == [0, 0, 0, 0, *(2**n for n in range(11)), 1024]


def test_the_arithmetic_of_the_docstring() -> None:
    assert guess_all_day(PinGuesses(), [HERE], 1) == 97
    eight = guess_all_day(PinGuesses(), [source(n) for n in range(8)], 1)
    assert eight <= 8 * 97
    crowd = guess_all_day(PinGuesses(), [source(n) for n in range(100)], 1)
    assert crowd == 60 - 20 + 720 - 1, "the last 20 stay for newcomers, one falls to the next day"


def test_few_guessing_sources_leave_a_place_for_a_newcomer_at_any_time() -> None:
    guesses, attackers = PinGuesses(), [source(n) for n in range(8)]
    for now in range(0, DAY, 300):
        for attacker in attackers:
            guesses.take_guess(attacker, now)
        newcomer = Guesser(f"172.16.{now // 300}.1") if now % 3_600 == 0 else None
        assert newcomer is None or guesses.take_guess(newcomer, now) == 0


@given(st.lists(st.tuples(st.floats(0, 100), st.integers(0, 300)), max_size=300))
def test_strangers_never_delay_a_known_browser_or_the_machine(
    tries: list[tuple[float, int]],
) -> None:
    guesses, now = PinGuesses(), 0.0
    for pause, n in tries:
        now += pause
        guesses.take_guess(source(n), now)
    assert guesses.take_guess(PHONE, now) == guesses.take_guess(HERE, now) == 0


@given(st.lists(st.tuples(st.floats(0, 1000), st.integers(0, 300)), max_size=300))
def test_strangers_never_exceed_their_budget(tries: list[tuple[float, int]]) -> None:
    guesses, now, taken = PinGuesses(), 0.0, 0
    for pause, n in tries:
        now += pause
        taken += not guesses.take_guess(source(n), now)
    assert taken <= BUDGET + now / BUDGET_SECONDS + 1e-6


def test_a_guess_after_its_wait_is_taken() -> None:
    guesses, now = PinGuesses(), 5.0
    for _ in range(40):
        wait = guesses.take_guess(source(1), now)
        now += wait + 1e-6
        assert not wait or guesses.take_guess(source(1), now) == 0


def test_the_right_pin_empties_its_bucket_and_a_returned_guess_counts_for_nothing() -> None:
    guesses = PinGuesses()
    for _ in range(60):
        assert guesses.take_guess(source(1), 0.0) == 0
        guesses.return_guess(source(1))
    for _ in range(60):
        assert guesses.take_guess(source(1), 0.0) == 0
        guesses.empty_bucket(source(1))


def test_buckets_are_bounded_and_strangers_push_no_known_browser_out() -> None:
    guesses = PinGuesses()
    for _ in range(4):
        guesses.take_guess(PHONE, 0.0)
    for n in range(2 * MAX_BUCKETS):
        guesses.take_guess(source(n), n * BUDGET_SECONDS)
    assert len(guesses) == MAX_BUCKETS + 1
    assert guesses.take_guess(PHONE, 0.5) == 0.5
