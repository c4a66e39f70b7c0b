"""Calls from page threads to the event loop: made once, or withdrawn for good."""

import asyncio
import threading
from contextlib import suppress

import pytest

from companion.app.loop import make_run_on_loop
from companion.host.table_source import LoopBusy, RunOnLoop


async def on_page_thread(call: RunOnLoop, act: object) -> object:
    """What a page thread gets that makes this call."""
    while True:
        with suppress(LoopBusy):  # It was withdrawn, as the loop had no time.
            return await asyncio.to_thread(call, act)  # type: ignore[arg-type]


def test_a_call_that_the_loop_has_no_time_for_is_never_made() -> None:
    made: list[str] = []

    def made_again() -> None:
        made.append("again")

    async def story() -> None:
        call = make_run_on_loop(asyncio.get_running_loop())
        given_up = threading.Event()

        def ask() -> None:
            with pytest.raises(LoopBusy):
                call(lambda: made.append("too late"))
            given_up.set()

        page = threading.Thread(target=ask)
        page.start()
        given_up.wait(30)  # The loop is held up for as long as the page has patience.
        await asyncio.sleep(0)
        page.join()
        await on_page_thread(make_run_on_loop(asyncio.get_running_loop()), made_again)

    asyncio.run(story())
    assert made == ["again"]


def test_a_call_that_has_begun_is_waited_for_and_raises_what_it_raises() -> None:
    async def story() -> None:
        call = make_run_on_loop(asyncio.get_running_loop())
        assert await on_page_thread(call, lambda: 5) == 5

        def fail() -> None:
            raise TimeoutError("of its own")

        with pytest.raises(TimeoutError, match="of its own"):
            await on_page_thread(call, fail)

    asyncio.run(story())


def test_after_the_loop_has_ended_the_table_is_busy() -> None:
    loop = asyncio.new_event_loop()
    found: list[RunOnLoop] = []
    maker = threading.Thread(target=lambda: found.append(make_run_on_loop(loop)))
    maker.start()
    maker.join()
    loop.close()
    with pytest.raises(LoopBusy):
        found[0](lambda: None)
