"""The glance of a program that looks after many tables."""

import asyncio
from threading import Event

from companion.host.status import NAMES
from web.server.pages import PAGE_THREADS


def test_healthz_needs_no_cookie_and_sets_none(visit):
    answer = visit().get("/healthz")
    assert (answer.status_code, answer.headers.get("Set-Cookie")) == (200, None)
    assert answer.json.keys() == {"light", "lights"}
    assert {*answer.json["lights"]} <= {*NAMES}


def test_healthz_answers_while_all_page_threads_are_busy(serve, evening, host):
    evening.host.health_monitor.read_health()
    goes_on, cookie = Event(), host.client.get_cookie("companion").value

    def waits(act):
        assert goes_on.wait(30)
        return act()

    evening.host.run_on_loop = waits

    async def story(cafe):
        pages = [
            asyncio.ensure_future(cafe.ask("/host/health", cookie=cookie))
            for _ in range(2 * PAGE_THREADS)
        ]
        assert await cafe.ask("/healthz") == 200
        assert "Set-Cookie" not in cafe.lines[-1].head
        assert not any(page.done() for page in pages)
        goes_on.set()
        assert await asyncio.gather(*pages) == [200] * len(pages)

    serve(story)
