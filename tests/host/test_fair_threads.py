"""Fair threads: known claimants first, strangers in turn and bounded."""

from concurrent.futures import Future
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.host.fair_threads import Claimant, CrowdedError, FairLine, FairThreads

ANA, BEN = Claimant("ana", is_known=True), Claimant("ben", is_known=True)
GREEDY, MODEST = Claimant("10.0.0.1"), Claimant("10.0.0.2")


class Desk:
    """One thread, held until released, and the order in which work was done."""

    def __init__(self) -> None:
        self.threads = FairThreads("test", 1, known_waiting=4, strangers=1, strangers_waiting=3)
        self.done: list[str] = []
        self._released, begun = Event(), Event()
        self._first = self.threads.submit(ANA, lambda: (begun.set(), self._released.wait(60)))
        begun.wait(60)

    def ask(self, claimant: Claimant, name: str) -> "Future[None]":
        return self.threads.submit(claimant, lambda: self.done.append(name))

    def release(self, *asked: "Future[None]") -> list[str]:
        self._released.set()
        for each in asked:
            each.exception(10)
        self.threads.shutdown()
        return self.done


def test_known_claimants_come_first_and_in_turn() -> None:
    desk = Desk()
    asked = [
        desk.ask(GREEDY, "stranger"),
        *(desk.ask(ANA, f"ana {n}") for n in range(2)),
        desk.ask(BEN, "ben"),
    ]
    assert desk.release(*asked) == ["ana 0", "ben", "ana 1", "stranger"]


def test_the_line_of_strangers_refuses_the_greediest() -> None:
    desk = Desk()
    greedy = [desk.ask(GREEDY, f"greedy {n}") for n in range(4)]
    with pytest.raises(CrowdedError):
        greedy[3].result(10)
    modest = desk.ask(MODEST, "modest")
    with pytest.raises(CrowdedError):
        greedy[2].result(10)
    known = desk.ask(BEN, "ben")
    assert desk.release(*greedy, modest, known) == ["ben", "greedy 0", "modest", "greedy 1"]


def test_strangers_hold_only_their_share_of_the_threads() -> None:
    threads = FairThreads("test", 2, known_waiting=4, strangers=1, strangers_waiting=4)
    begun, released = Event(), Event()
    held = threads.submit(GREEDY, lambda: (begun.set(), released.wait(60)))
    begun.wait(60)
    waiting = threads.submit(MODEST, lambda: "late")
    assert threads.submit(ANA, lambda: "at once").result(10) == "at once"
    assert not waiting.done()
    released.set()
    assert (held.exception(10), waiting.result(10)) == (None, "late")
    threads.shutdown()


def test_an_exception_is_handed_over_and_the_thread_goes_on() -> None:
    desk = Desk()
    failing = desk.threads.submit(MODEST, lambda: 1 // 0)
    assert desk.release(failing, desk.ask(MODEST, "after it")) == ["after it"]
    with pytest.raises(ZeroDivisionError):
        failing.result()


@given(st.lists(st.sampled_from("aabcd?"), max_size=80))
def test_a_full_line_refuses_nobody_who_has_less_than_another(steps: list[str]) -> None:
    line, waiting = FairLine[str](5), list[str]()
    for step in steps:
        if step == "?":
            taken = line.take()
            assert (taken is None) == (not waiting)
            waiting.remove(taken) if taken else None
            continue
        waiting.append(step)
        gone = line.add(step, step)
        assert (gone is None) == (len(waiting) <= 5)
        if gone is not None:
            assert waiting.count(gone) == max(map(waiting.count, waiting))
            waiting.remove(gone)
        assert len(line) == len(waiting) <= 5
