"""The health of the table in a real browser: green, amber and red, on a phone and on a screen."""

import time
from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from companion.host.health import PiStatus
from companion.host.health_monitor import HealthMonitor
from hardware.wiring import profile_names
from tests.browser.conftest import LANGUAGES, PHONE, SCREEN
from tests.browser.test_host import looks_right, sign_in
from tests.worlds.served import Company

PI = PiStatus(
    "Raspberry Pi 4 Model B Rev 1.4", 48.0, None, False, None, None, None, True, 3793, 3125
)
SEEN = """() => [...document.querySelectorAll('.light')].map((one) =>
  [one.className, one.querySelector('svg').innerHTML, one.querySelector('small').innerText])"""


@pytest.fixture
def put_up_table_on_pi(company: Callable[..., Company]) -> Callable[..., Company]:
    """A simulated table with a Pi under it that is like this."""

    def put_up(language: str = "en", **changed: object) -> Company:
        made = company("bankueberfall", language=language)
        board = msgspec.structs.replace(PI, **changed)  # type: ignore[arg-type]
        made.evening.host.health_monitor = HealthMonitor(
            made.evening.source, made.journal, time.monotonic, lambda: board, profile_names()
        )
        return made

    return put_up


def opened(context: BrowserContext, table: Company) -> Page:
    page = sign_in(context, table)
    page.get_by_role("link", name="Care").click()
    page.get_by_role("link", name="Details and what to do").click()
    expect(page.locator("#machine")).to_be_visible()
    return page


@pytest.mark.wide
def test_from_the_host_page_one_looks_closer_and_back(put_up_table_on_pi, open_browser):
    page = opened(open_browser(PHONE), put_up_table_on_pi(celsius=77.0))
    expect(page.locator(".whole")).to_contain_text("You can play on. Something needs attention.")
    expect(page.locator(".light").first).to_contain_text("Give the Pi air")
    page.get_by_role("link", name="Host").click()
    expect(page.locator(".doors")).to_contain_text("needs attention")


def test_the_page_follows_a_cable_that_is_pulled(put_up_table_on_pi, open_browser):
    company = put_up_table_on_pi()
    page = opened(open_browser(SCREEN), company)
    expect(page.locator(".whole")).to_contain_text("All is well.")
    company.evening.faults.switch_fault("cable", 3, True)
    for _ in range(20):
        company.evening.source.tabletop.pass_time(0.2)
        company.evening.source.poll()
    company.evening.host.health_monitor.read_health()
    company.evening.host.table.notify_watchers()
    expect(page.locator("#light-readers")).to_contain_text("needs attention")
    expect(page.locator("#reader-3")).to_contain_text("does not answer")


@pytest.mark.wide
def test_who_sees_no_colours_sees_shapes_and_words(put_up_table_on_pi, open_browser):
    page = opened(
        open_browser(PHONE, color_scheme="dark"), put_up_table_on_pi(low=True, clock_set=False)
    )
    found = page.evaluate(SEEN)
    by_colour = {name.split()[-1]: (shape, word) for name, shape, word in found}
    assert set(by_colour) == {"red", "amber", "green"}
    assert len(set(by_colour.values())) == 3
    assert len({word for _shape, word in by_colour.values()}) == 3


@pytest.mark.wide
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_size_and_language_has_room(put_up_table_on_pi, open_browser, language):
    company = put_up_table_on_pi(language, low=True, celsius=84.0, clock_set=False)
    page = sign_in(open_browser(), company)
    page.goto(f"{company.address}/host/health")
    expect(page.locator("#machine")).to_be_visible()
    looks_right(page)
