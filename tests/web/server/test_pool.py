"""The pool: those who come first before strangers, who wait in a bounded line."""

from concurrent.futures import Future
from threading import Event

import pytest

from web.browsers import Client
from web.server.pool import CrowdedError, Pool

ANA, BEN = Client("ana", comes_first=True), Client("ben", comes_first=True)
STRANGER = Client("10.0.0.1")


class Desk:
    """One thread, held until released, and the order in which work was done."""

    def __init__(self) -> None:
        self.pool, self.done = Pool("test", 1, 3), list[str]()
        self._released, begun = Event(), Event()
        self.pool.submit(ANA, lambda: (begun.set(), self._released.wait(60)))
        begun.wait(60)

    def ask(self, client: Client, name: str) -> "Future[None]":
        return self.pool.submit(client, lambda: self.done.append(name))

    def release(self, *asked: "Future[None]") -> list[str]:
        self._released.set()
        for each in asked:
            each.exception(60)
        self.pool.shutdown()
        return self.done


def test_seats_come_first_and_each_line_keeps_its_order() -> None:
    desk = Desk()
    asked = [desk.ask(STRANGER, f"stranger {n}") for n in range(2)]
    asked += [desk.ask(who, who.key) for who in (ANA, BEN)]
    assert desk.release(*asked) == ["ana", "ben", "stranger 0", "stranger 1"]


def test_a_full_line_of_strangers_refuses_the_newcomer_and_no_seat() -> None:
    desk = Desk()
    strangers = [desk.ask(STRANGER, f"stranger {n}") for n in range(4)]
    with pytest.raises(CrowdedError):
        strangers[3].result(60)
    assert desk.release(desk.ask(BEN, "ben"), *strangers)[0] == "ben"


def test_strangers_hold_one_thread_at_most() -> None:
    pool, begun, released = Pool("test", 2, 4), Event(), Event()
    held = pool.submit(STRANGER, lambda: (begun.set(), released.wait(60)))
    begun.wait(60)
    waiting = pool.submit(Client("10.0.0.2"), lambda: "late")
    assert pool.submit(ANA, lambda: "at once").result(60) == "at once"
    assert not waiting.done()
    released.set()
    assert (held.exception(60), waiting.result(60)) == (None, "late")
    pool.shutdown()
