"""What lies on a reader and is no card's tag: said once, and said again when it is gone."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.sensor_events import Arrived, Evidence, Odd, Oddity
from hardware.reader_loop import OVER, STEADY, Suspicion, update_suspicion
from hardware.simulator import faults
from tests.hardware.driver_stage import staged

CARD = "04a1b2c3d4e5f6"


def odd(news: list[Evidence]) -> list[tuple[int, Oddity]]:
    return [(told.place, told.what) for told in news if isinstance(told, Odd)]


def arrived(news: list[Evidence]) -> list[tuple[int, str]]:
    return [(told.place, told.tag) for told in news if isinstance(told, Arrived)]


def test_a_telephone_is_said_to_have_come_and_to_have_gone() -> None:
    with staged() as stage:
        telephone = stage.put("08a1b2c3", 4)
        assert odd(stage.run(2)) == [(4, "telephone")]
        stage.world.lift(telephone)
        assert odd(stage.run(3)) == [(4, "nothing")]
        assert stage.run(3) == []


@pytest.mark.parametrize("seconds", [0.2, 5])
def test_a_twin_is_said_at_the_place_of_the_second(seconds: float) -> None:
    with staged() as stage:
        stage.put(CARD, 3)
        assert arrived(stage.run(seconds)) == [(3, CARD)]
        gone = faults.add_twin(stage.world, CARD, 6)
        assert odd(stage.run(3)) == [(7, "twin")]
        gone()
        assert odd(stage.run(5)) == [(7, "nothing")]


RUNS = st.lists(st.tuples(st.sampled_from(get_args(Oddity)), st.integers(1, 12)), max_size=12)


@given(RUNS)
def test_only_what_stays_is_told_and_never_twice(runs: list[tuple[Oddity, int]]) -> None:
    visits = [met for met, times in runs for _ in range(times)]
    suspicion, told = Suspicion(), list[Oddity]()
    for n, met in enumerate(visits, 1):
        suspicion, news = update_suspicion(suspicion, met)
        if news:
            needed = OVER if met == "nothing" else STEADY
            assert visits[n - needed : n] == [met] * needed
            told.append(met)
    assert all(one != next_ for one, next_ in zip(["nothing", *told], told, strict=False))
