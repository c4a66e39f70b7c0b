"""A calm table in real browsers: nothing moves or vibrates, a hand is sealed by two presses."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import SCREEN, SURE_MS, sit
from tests.browser.test_host import sign_in
from tests.worlds.served import Company

LIVELY = {"reduced_motion": "no-preference"}
MOVING = """() => document.getAnimations().map((it) => it.animationName ?? it.transitionProperty)"""
FEELS = """() => {
  window.felt = [];
  navigator.vibrate = (how) => { window.felt.push(how); return true; };
}"""


@pytest.fixture
def come(open_browser: Callable[..., BrowserContext]) -> Callable[..., BrowserContext]:
    """A browser that likes motion, and counts what its phone vibrates."""

    def open_(*size: dict[str, int]) -> BrowserContext:
        context = open_browser(*size, **LIVELY)
        context.add_init_script(f"({FEELS})()")
        return context

    return open_


def test_the_host_makes_all_pages_calm_and_no_bid_is_lost_by_that(
    company: Callable[..., Company], come: Callable[..., BrowserContext]
) -> None:
    table = company("bankueberfall")
    host, screen = sign_in(come(), table), come(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    phone = sit(come(), table.address, "Ben")
    table.until(lambda view: view.public.phase == "seal" and 2 in view.public.waiting)
    coins = phone.get_by_label("Coins in your fist")
    coins.fill("3")
    phone.evaluate("window.was = 'here all the time'")
    expect(phone.locator("[data-sound]")).to_be_visible()
    for page in (host, screen, phone):
        expect(page.locator("html[data-calm]")).to_have_count(0)
    host.get_by_role("link", name="Language").click()
    host.get_by_role("button", name="Calm").click()
    for page in (host, screen, phone):
        expect(page.locator("html[data-calm=table]")).to_have_count(1)
    expect(host.locator("#calm [aria-current]")).to_have_text("Calm")
    expect(phone.locator("[data-sound]")).to_be_hidden()
    expect(screen.locator("[data-look=contrast]")).to_be_visible()
    expect(screen.locator("[data-look=calm]")).to_be_hidden()
    host.get_by_role("button", name="Lively").click()
    for page in (host, screen, phone):
        expect(page.locator("html[data-calm]")).to_have_count(0)
    expect(phone.locator("[data-sound]")).to_be_visible()
    assert phone.evaluate("window.was") == "here all the time"
    expect(coins).to_have_value("3")


def test_at_a_calm_table_a_hand_is_sealed_by_two_presses(
    company: Callable[..., Company], come: Callable[..., BrowserContext]
) -> None:
    phone = sealing(company("bankueberfall"), come)
    button = phone.locator("[data-seals]")
    expect(button.locator(".how")).to_be_hidden()
    button.hover()
    phone.mouse.down()
    phone.wait_for_timeout(1_000)
    phone.mouse.up()
    expect(phone.get_by_role("button", name="Press again to seal it")).to_be_visible()
    phone.wait_for_timeout(SURE_MS)
    phone.get_by_role("button", name="Press again to seal it").click()
    expect(phone.get_by_text("Sealed. No one sees it")).to_be_visible()
    assert phone.evaluate("felt") == []


def sealing(table: Company, come: Callable[..., BrowserContext]) -> Page:
    """The phone of a seat that is asked for a bid, at a calm table."""
    table.room.set_calm(True)
    phone = sit(come(), table.address, "Ben")
    table.until(lambda view: view.public.phase == "seal" and 2 in view.public.waiting)
    expect(phone.locator("[data-seals]")).to_be_enabled()
    return phone


@pytest.mark.wide
def test_on_no_screen_does_anything_move_while_a_robbery_is_told(
    company: Callable[..., Company], come: Callable[..., BrowserContext]
) -> None:
    table = company("bankueberfall")
    table.evening.host.table.telling.use_clock(time.monotonic)
    screen = come(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    moved = moves_until_told(table, screen)
    table.room.set_calm(True)
    expect(screen.locator("html[data-calm=table]")).to_have_count(1)
    assert moved != []
    assert moves_until_told(table, screen) == []


def moves_until_told(table: Company, screen: Page) -> list[str]:
    """What moves on this screen from the next robbery until its result stands there."""
    before = table.view().public.round
    told = table.until(lambda view: view.public.round > before and view.public.verdict is not None)
    moving: list[str] = []
    result = screen.locator(f"#verdict-{told.public.round}:not(.running)")
    while not result.count():
        moving += screen.evaluate(MOVING)
    return moving + screen.evaluate(MOVING)
