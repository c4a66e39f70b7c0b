"""The host in a real browser sets up a game by pictures."""

from playwright.sync_api import BrowserContext, Page, expect

from tests.worlds.real_pages import become_host
from tests.worlds.served import Company


def sign_in(context: BrowserContext, company: Company) -> Page:
    page = context.new_page()
    become_host(page, company.address, company.evening.host.journal.path.parent)
    expect(page.locator(".doors")).to_be_visible()
    return page


def test_a_new_game_is_set_up_by_pictures(company, open_browser):
    """A box by its picture, and as many lines as figures were tapped; the others are not sent."""
    page = sign_in(open_browser(), company("bankueberfall"))
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
