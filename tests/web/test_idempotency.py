"""A busy table: a sentence instead of a trace, and a request that counts once with its copies."""

import threading
from collections.abc import Callable

import pytest

from companion.core.errors import Refusal
from companion.host.table_source import LoopBusy
from tests.worlds.visitor import Visitor
from web.api.operation import IdempotencyCache
from web.security import SENTENCES

MARK = ("browser", "put", "{}", "body", "key")
PUT = "/api/play/1/put"


class HeldUpLoop:
    """An event loop that makes calls only while it is not held up."""

    def __init__(self) -> None:
        self.held_up = False
        self.calls = 0

    def __call__(self, act: Callable[[], Refusal | None]) -> Refusal | None:
        if self.held_up:
            raise LoopBusy
        self.calls += 1
        return act()


@pytest.fixture
def loop(evening) -> HeldUpLoop:
    evening.host.run_on_loop = HeldUpLoop()
    return evening.host.run_on_loop


@pytest.fixture
def ana(visit) -> Visitor:
    """Ana at seat 1, with a tile between her fingers."""
    ana = visit()
    ana.sits(1)
    return ana


def test_a_piece_put_down_while_the_table_is_busy_is_put_down_by_the_retry_once(loop, ana, evening):
    assert ana.hands("lift", spot="tiles", n=7).status_code == 204
    asked = {"key": "6f2c1a", "spot": "place-8"}
    loop.held_up, calls = True, loop.calls
    answer = ana.tells(PUT, asked)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert answer.json["code"] == "http_503"
    assert answer.json["title"] == SENTENCES[503]
    assert evening.source.pieces.fingers.get(1) is not None
    loop.held_up = False
    assert [ana.tells(PUT, asked).status_code for _ in range(3)] == [204] * 3
    assert loop.calls == calls + 1
    assert evening.source.pieces.fingers.get(1) is None


def test_a_copy_does_not_run_beside_a_request_that_takes_long():
    cache, goes_on, begun = IdempotencyCache(), threading.Event(), threading.Event()

    def run_first() -> None:
        with cache.run_alone(MARK):
            begun.set()
            goes_on.wait(30)
            cache.remember_granted(MARK)

    first = threading.Thread(target=run_first)
    first.start()
    begun.wait(30)
    with pytest.raises(LoopBusy), cache.run_alone(MARK):
        raise AssertionError("the copy ran")
    with cache.run_alone((*MARK[:-1], "another")):
        pass
    goes_on.set()
    first.join()
    with cache.run_alone(MARK):
        assert cache.is_granted(MARK)
