"""How the table is: the page for its host, and the glance for a program that looks after many."""

import asyncio
from collections.abc import Callable
from threading import Event

import msgspec
import pytest
from flask import Flask

from companion.app.simulated.simulation import Simulation
from companion.host.health import PiStatus
from companion.host.health_monitor import HealthMonitor
from companion.host.status import NAMES
from hardware.wiring import profile_names
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.installed_games import installed
from tests.worlds.visitor import Visitor
from web.app import create_app
from web.browsers import Limits
from web.context import AppContext
from web.server.pages import PAGE_THREADS

PI = PiStatus("Raspberry Pi 5", 48.0, None, False, None, None, None, True, 3793, 3125)


@pytest.fixture
def app(evening: Simulation, seats, limits: Limits) -> Flask:
    """A simulated table with a Pi under it."""
    under(evening)
    return create_app(
        AppContext(evening.host.table, seats, evening, host=evening.host), limits=limits
    )


@pytest.fixture
def host(app: Flask) -> HostsBrowser:
    return HostsBrowser(app).signs_in()


def under(evening: Simulation, **changed: object) -> None:
    """From now on the machine under the table is like this."""
    board = msgspec.structs.replace(PI, **changed)  # type: ignore[arg-type]

    def clock() -> float:  # The tests change the clock of the host.
        return evening.host.clock()

    evening.host.health_monitor = HealthMonitor(
        evening.source, evening.host.journal, clock, lambda: board, profile_names()
    )


def glance(visit: Callable[[], Visitor]) -> tuple[int, dict]:
    answer = visit().get("/healthz")
    return answer.status_code, answer.json


# A glance.


def test_healthz_needs_no_cookie_and_sets_none(visit):
    answer = visit().get("/healthz")
    assert (answer.status_code, answer.headers.get("Set-Cookie")) == (200, None)
    assert answer.json == {"light": "green", "lights": dict.fromkeys(NAMES, "green")}


def test_a_game_that_cannot_be_loaded_is_named_to_the_host(visit, evening, host, tmp_path):
    fog = tmp_path / "fog_game"
    fog.mkdir()
    (fog / "__init__.py").write_text("raise ValueError('<b>no fog\\x1b</b>')")
    with installed("fog-games", {"fog": "fog_game:GAME"}, tmp_path):
        under(evening)
        assert glance(visit)[1]["lights"]["games"] == "amber"
        for page in ("/host/health", "/host/care"):
            assert (
                "The game fog of the package fog-games cannot be loaded. ValueError:"
                " <b>no fog\\x1b</b> (__init__.py, line 1). Update that package or remove it"
            ) in host.reads(page)
            assert "<b>no fog" not in host.get(page).text
    under(evening)
    assert glance(visit)[1]["lights"]["games"] == "green"


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


# The page.


def test_a_table_without_a_house_tells_nothing(evening):
    stranger = Visitor(create_app(AppContext(evening.host.table)))
    assert [stranger.get(page).status_code for page in ("/host/health", "/healthz")] == [404, 404]


def test_the_page_says_what_is_wrong_first_and_what_to_do(host, evening):
    under(evening, low=True, celsius=77.0)
    page = host.reads("/host/health")
    assert "Something needs fixing now." in page
    assert page.index("Power fix it now") < page.index("Heat needs attention")
    assert page.index("Heat needs attention") < page.index("Saved games well")
    assert "Take the supply made for this Pi, and another one for the readers." in page
