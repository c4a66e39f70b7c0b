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
from tests.worlds.simulated_hands import does
from tests.worlds.stream_text import full_state
from tests.worlds.visitor import Visitor
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rate_limits import Limits
from web.rendering.scene import Screen
from web.server.pages import PAGE_THREADS

PI = PiStatus("Raspberry Pi 5", 48.0, None, False, None, None, None, True, 3793, 3125)


@pytest.fixture
def app(evening: Simulation, seats, limits: Limits) -> Flask:
    """A simulated table with a Pi under it."""
    under(evening)
    return create_app(
        AppContext(evening.host.table, seats, evening.controls, host=evening.host), limits=limits
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


def pass_time(evening: Simulation, seconds: float) -> None:
    for _ in range(round(seconds * 5)):
        evening.source.tabletop.pass_time(0.2)
        evening.source.poll()
    evening.host.health_monitor.read_health()


def glance(visit: Callable[[], Visitor]) -> tuple[int, dict]:
    answer = visit().get("/healthz")
    return answer.status_code, answer.json


# A glance.


def test_healthz_needs_no_cookie_and_sets_none(visit):
    answer = visit().get("/healthz")
    assert (answer.status_code, answer.headers.get("Set-Cookie")) == (200, None)
    assert answer.json == {"light": "green", "lights": dict.fromkeys(NAMES, "green")}


def test_amber_goes_on_and_red_is_an_error(visit, evening):
    under(evening, clock_set=False)
    assert glance(visit)[0] == 200
    under(evening, low=True)
    status, told = glance(visit)
    assert (status, told["light"], told["lights"]["power"]) == (503, "red", "red")


def test_a_cable_that_is_pulled_shows_and_heals(visit, evening, host):
    evening.faults.switch_fault("cable", 3, True)
    pass_time(evening, 4)
    assert glance(visit)[1]["lights"]["readers"] == "amber"
    assert "Readers that do not answer: 3." in host.reads("/host/health")
    evening.faults.switch_fault("cable", 3, False)
    pass_time(evening, 6)
    assert glance(visit) == (200, {"light": "green", "lights": dict.fromkeys(NAMES, "green")})
    (healed,) = (r for r in evening.host.read_health().readers if r.healings)
    assert (healed.place, healed.healings) == (3, 1)
    assert healed.retries >= 3


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


def test_healthz_names_no_player_and_no_game(visit, evening):
    before = visit().get("/healthz").data
    visit(1)
    does(evening, 1, do="tile_turned")
    evening.host.health_monitor.read_health()
    assert visit().get("/healthz").data == before
    evening.host.reset_table()
    evening.host.health_monitor.read_health()
    assert visit().get("/healthz").data == before


def test_repeated_health_requests_do_not_read_the_pi_again(visit, evening):
    glance(visit)
    looked: list[PiStatus] = []
    evening.host.health_monitor._read_pi = lambda: looked.append(PI) or PI
    assert [glance(visit)[0] for _ in range(20)] == [200] * 20
    assert looked == []


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


def test_on_the_loop_it_says_the_very_same(serve, evening, visit):
    evening.host.health_monitor.read_health()
    told = visit().get("/healthz").data

    async def story(cafe):
        assert told in await cafe.says(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        head = await cafe.says(b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        assert told not in head
        assert await cafe.ask("/healthz", host="evil.example") == 400
        under(evening, low=True)
        assert await cafe.ask("/healthz") == 503

    serve(story)


@pytest.mark.parametrize("limits", [Limits(tokens=3, per_second=0.001)])
def test_on_the_loop_a_flood_has_to_wait_as_well(serve):
    async def story(cafe):
        assert [await cafe.ask("/healthz") for _ in range(4)] == [200, 200, 200, 429]
        assert (await cafe.lines[-1].problem())["code"] == "http_429"

    serve(story)


# The page.


def test_a_stranger_is_led_to_where_one_becomes_the_host(visit):
    assert visit().get("/host/health").location == "/host/enter"


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


def test_the_page_follows_what_changes(host, app, evening):
    told: list[int] = []
    evening.host.table.watch(lambda: told.append(1))
    evening.host.health_monitor.check()
    before = len(told)
    now = evening.host.clock()
    evening.host.clock = lambda: now + 3
    evening.host.health_monitor._read_pi = lambda: msgspec.structs.replace(PI, low=True)
    evening.host.health_monitor.check()
    assert len(told) == before + 1
    screen = Screen(
        "health",
        0,
        "en",
        host.browser,
    )
    assert "The voltage is too low right now." in full_state(
        app, app.extensions[CONTEXT_KEY], screen
    )
    evening.host.health_monitor.check()
    assert len(told) == before + 1, "nothing else is to be said"
