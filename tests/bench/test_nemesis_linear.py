"""Whether some order explains all calls, compared with trying out every order."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.nemesis.calls import Call
from bench.nemesis.linear import find_contradictions


def register_call(begun: int, ended: int, write: bool, value: int, known: bool) -> Call[int]:
    """Return a call that writes a value to a register, or was told it."""
    if write:
        return Call(
            begun, ended, known, lambda _: (value,), lambda _: value, f"write {value}", alike=value
        )
    return Call(
        begun, ended, known, lambda state: (state,) if state == value else (), lambda _: value,
        f"read {value}", is_read=True,
    )  # fmt: skip


CALLS = st.lists(
    st.builds(
        register_call,
        st.integers(0, 6),
        st.integers(7, 9),
        st.booleans(),
        st.integers(0, 2),
        st.booleans(),
    )
    | st.builds(
        lambda begun, length, *more: register_call(begun, begun + length, *more),
        st.integers(0, 9),
        st.integers(1, 3),
        st.booleans(),
        st.integers(0, 2),
        st.booleans(),
    ),
    max_size=5,
)


def is_explained(calls: list[Call[int]]) -> bool:
    """Try every order of all known calls and any of the others."""
    known = [n for n, call in enumerate(calls) if call.is_known]
    return any(
        set(known) <= set(order) and in_time(calls, order) and fits(calls, order)
        for size in range(len(known), len(calls) + 1)
        for order in permutations(range(len(calls)), size)
    )


def in_time(calls: list[Call[int]], order: tuple[int, ...]) -> bool:
    """Return whether no call stands before one that ended before it began."""
    return not any(
        calls[later].ended < calls[earlier].begun
        for at, earlier in enumerate(order)
        for later in order[at + 1 :]
    )


def fits(calls: list[Call[int]], order: tuple[int, ...]) -> bool:
    state = 0
    for n in order:
        after = calls[n].leads_to(state)
        if not after:
            return False
        (state,) = after
    return True


@given(CALLS)
def test_a_contradiction_is_found_exactly_where_no_order_explains_the_calls(
    calls: list[Call[int]],
) -> None:
    assert bool(find_contradictions(calls, 0)) != is_explained(calls)


@given(CALLS)
def test_a_lenient_search_finds_no_contradiction_in_what_is_explained(
    calls: list[Call[int]],
) -> None:
    assert not (find_contradictions(calls, 0, most=0) and is_explained(calls))


@pytest.mark.parametrize("value", [3, 4])
def test_very_many_open_calls_are_decided(value: int) -> None:
    """Of sixty unanswered writes any may have happened; of what was never written, none."""
    unanswered = [register_call(n, 10_000, True, n % 4, False) for n in range(60)]
    reads = [register_call(100 + 2 * n, 101 + 2 * n, False, n % 4, True) for n in range(60)]
    last = register_call(300, 301, False, value, True)
    assert find_contradictions([*unanswered, *reads, last], 0) == [last] * (value == 4)
