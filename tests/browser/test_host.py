"""The host in a real browser: on a phone, on a tablet, on a large screen, and with keys only."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.worlds.real_pages import become_host
from tests.worlds.served import Company


@pytest.fixture
def gather(company: Callable[..., Company]) -> Callable[..., Company]:
    """A simulated table with bots in all seats."""
    return lambda game="bankueberfall", **how: company(game, **how)


def sign_in(context: BrowserContext, company: Company) -> Page:
    page = context.new_page()
    become_host(page, company.address, company.evening.host.journal.path.parent)
    expect(page.locator(".doors")).to_be_visible()
    return page


def test_the_page_follows_the_game_and_pauses_it(gather, open_browser):
    company = gather()
    page = sign_in(open_browser(), company)
    company.until(lambda view: view.at > 3)
    expect(page.locator("#moment-3")).to_have_count(1)
    page.get_by_role("button", name="Pause the game").click()
    expect(page.get_by_role("button", name="The table goes on")).to_be_visible()
    assert company.view().table.paused
    page.get_by_role("button", name="The table goes on").click()
    expect(page.get_by_role("button", name="Pause the game")).to_be_visible()


def test_a_new_game_is_set_up_by_pictures(gather, open_browser):
    """A box by its picture, and as many lines as figures were tapped; the others are not sent."""
    company = gather()
    page = sign_in(open_browser(), company)
    page.locator("#end > summary").click()
    page.get_by_role("button", name="End this game").click()
    expect(page.locator(".boxes .box-picture")).to_have_count(3)
    page.get_by_role("link", name="Robby Solo").click()
    figures = page.get_by_role("group", name="How many play?")
    expect(figures.get_by_role("button", pressed=True)).to_have_text("4")
    expect(page.get_by_label("Name at seat 5")).to_be_hidden()
    page.locator(".begins").nth(3).click()
    figures.get_by_role("button", name="5").press("Enter")
    page.get_by_label("Name at seat 5").fill("Eve")
    figures.get_by_role("button", name="3").click()
    expect(page.get_by_label("Name at seat 4")).to_be_hidden()
    expect(page.locator(".begins input").first).to_be_checked()
    page.get_by_role("button", name="Begin this game").click()
    page.get_by_role("link", name="People").click()
    expect(page.locator("#chair-3")).to_be_visible()
    assert page.locator("#seats .name").all_text_contents() == ["Ana", "Ben", "Cleo"]
