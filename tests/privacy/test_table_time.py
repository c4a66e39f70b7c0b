"""The table counts hours that went by for certain; a clock that jumps counts nothing."""

from hypothesis import given
from hypothesis import strategies as st

from companion.seating.names import HOUR, ClockLook, CountedTime, count_on

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
