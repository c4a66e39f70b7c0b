"""Counters: each counts once, whatever overtakes what, and whenever the table restarts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import NotWritten
from companion.identity import IdentityStore
from companion.identity.browser_keys import STEP, WIDTH, SignatureCounters

RESTART = 0
NEAR = st.integers(1, 3 * WIDTH)
FAR = st.integers(1, 10**6)


@given(st.lists(st.just(RESTART) | NEAR | FAR, max_size=80))
def test_no_counter_counts_twice_and_a_higher_one_always_counts(sent):
    store = IdentityStore()
    table, granted, highest = SignatureCounters(store), set[int](), 0
    for counter in sent:
        if counter == RESTART:
            table, highest = SignatureCounters(store), store.counter_ceiling("ana")
            continue
        following = table.use_counter("ana", counter)
        if following == 0:
            assert counter not in granted
            granted.add(counter)
            highest = max(highest, counter)
        else:
            assert counter <= highest
            assert table.use_counter("ana", following) == 0, "the next one that was named counts"
            granted.add(following)
            highest = following
    assert all(counter <= store.counter_ceiling("ana") for counter in granted)
    store.close()


@given(st.permutations(range(1, WIDTH + 1)))
def test_all_that_overtake_each_other_within_the_window_count(order):
    table = SignatureCounters(IdentityStore())
    assert [table.use_counter("ana", counter) for counter in order] == [0] * WIDTH
    assert [table.use_counter("ana", counter) for counter in order] == [WIDTH + 1] * WIDTH


def test_few_counters_wait_for_the_disk():
    store = IdentityStore()
    table, ceilings = SignatureCounters(store), []
    for counter in range(1, 3 * STEP):
        assert table.use_counter("ana", counter) == 0
        ceilings.append(store.counter_ceiling("ana"))
    assert len(set(ceilings)) == 3
    assert all(counter <= ceiling for counter, ceiling in enumerate(ceilings, 1))


def test_where_the_ceiling_cannot_be_written_nothing_is_granted():
    class FullDisk(IdentityStore):
        def raise_counter_ceiling(self, browser: str, to: int) -> None:
            raise NotWritten("identity", "The disk is full.")

    table = SignatureCounters(FullDisk())
    for _ in range(2):
        with pytest.raises(NotWritten):
            table.use_counter("ana", 1)


def test_a_browser_that_was_crowded_out_goes_on_above_its_ceiling():
    store = IdentityStore()
    table = SignatureCounters(store, most=3)
    assert table.use_counter("ana", 5) == 0
    for other in range(4):
        assert table.use_counter(f"other {other}", 1) == 0
    following = table.use_counter("ana", 6)
    assert following == store.counter_ceiling("ana") + 1
    assert table.use_counter("ana", following) == 0
