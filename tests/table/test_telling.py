"""A verdict is told step by step, to all screens by one clock."""

import pytest

from companion.table.telling import (
    FIRST,
    LONGEST,
    MANY,
    SHORTEST,
    STANDS,
    Telling,
    TellingClock,
    telling_seconds,
)


class Watch:
    """A clock that only the test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("steps", range(1, 40))
def test_every_step_is_told_in_its_turn(steps: int) -> None:
    telling = Telling(steps, lambda _seat: None, opened_at=0.0, decided_at=0.0)
    now, told = 0.0, [telling.told(0.0)]
    while (rest := telling.next_change(now)) is not None:
        assert rest > 0 or telling.told(now) == told[-1]
        now += rest + 1e-4
        told.append(telling.told(now))
    assert told == [*range(steps + 1), steps]
    assert now == pytest.approx(telling_seconds(steps) + STANDS, abs=0.1)


@pytest.mark.parametrize("steps", range(MANY, 60))
def test_a_reveal_takes_five_to_eight_seconds(steps: int) -> None:
    assert 5 <= SHORTEST <= telling_seconds(steps) <= LONGEST <= 8


def test_a_late_screen_joins_where_the_others_are() -> None:
    clock = TellingClock(watch := Watch())
    clock.begin(8, lambda _seat: None)
    telling = clock.current()
    assert telling is not None
    seen = []
    for _ in range(100):
        seen.append(clock.told(telling))
        watch.now += 0.1
    assert (seen[0], seen[-1]) == (0, 8)
    assert seen == sorted(seen)
    watch.now += STANDS
    assert clock.current() is None


def test_the_rest_is_told_at_once_when_it_is_skipped() -> None:
    clock = TellingClock(Watch())
    assert not clock.skip()
    clock.begin(8, lambda _seat: None)
    assert clock.unfinished() is not None
    assert clock.skip()
    assert clock.unfinished() is clock.current() is clock.next_change() is None


def test_a_calm_table_and_one_without_a_clock_tell_everything_at_once() -> None:
    calm = TellingClock(Watch())
    calm.is_calm = True
    for clock in (calm, TellingClock()):
        clock.begin(8, lambda _seat: None)
        assert clock.current() is None


def test_the_last_verdict_of_a_game_keeps_the_stage_before_the_end_is_shown() -> None:
    clock = TellingClock(watch := Watch())
    clock.begin(8, lambda _seat: None, is_last=True)
    watch.now += FIRST + LONGEST
    telling = clock.unfinished()
    assert telling is not None
    assert clock.told(telling) == 8
    watch.now += STANDS
    assert clock.unfinished() is None
