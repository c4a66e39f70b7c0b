"""The host in a real browser: on a phone, on a tablet, on a large screen, and with keys only."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from companion.host.host_pass import write_pass
from tests.browser.conftest import LANGUAGES, PHONE, SCREEN
from tests.browser.test_page_behaviour import COVERED, SMALL, TOO_WIDE
from tests.worlds.real_pages import become_host
from tests.worlds.served import Company

TABLET = {"width": 820, "height": 1180}


@pytest.fixture
def gather(company: Callable[..., Company]) -> Callable[..., Company]:
    """A simulated table with bots in all seats."""
    return lambda game="bankueberfall", **how: company(game, **how)


def sign_in(context: BrowserContext, company: Company) -> Page:
    page = context.new_page()
    become_host(page, company.address, company.evening.host.journal.path.parent)
    expect(page.locator(".doors")).to_be_visible()
    return page


def unfold(page: Page) -> None:
    for details in page.locator("details").all():
        details.evaluate("details => { details.open = true; }")


def looks_right(page: Page) -> None:
    for size in (PHONE, TABLET, SCREEN):
        page.set_viewport_size(size)
        assert not page.evaluate(TOO_WIDE), (page.url, size)
        small = [e for e in page.evaluate(SMALL) if 'type="radio"' not in e and "checkbox" not in e]
        assert small == [], (page.url, size)
        assert page.evaluate(COVERED) == [], (page.url, size)


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


@pytest.mark.wide
def test_what_a_lost_hand_held_is_entered_while_the_page_goes_on(gather, open_browser):
    company = gather("banque_fatale")
    page = sign_in(open_browser(), company)
    company.until(lambda view: view.public.phase == "open")
    seat = company.view().public.waiting[0]
    form = page.locator(f"form[action$='/hands/{seat}']")
    page.get_by_role("button", name="Pause the game").click()
    form.locator("input[type=number]").first.fill("1")
    form.get_by_role("button").click()
    expect(form.locator(".refusal")).to_contain_text("The host has paused the game")
    expect(form.locator("input[type=number]").first).to_have_value("1")
    page.get_by_role("button", name="The table goes on").click()
    form.get_by_role("button").click()
    expect(form).to_have_count(0)


@pytest.mark.wide
def test_a_game_is_ended_and_the_next_one_begins_in_another_box(gather, open_browser):
    company = gather()
    page, screen = sign_in(open_browser(), company), open_browser(SCREEN).new_page()
    screen.goto(f"{company.address}/table")
    expect(screen.locator(".brand")).to_have_text("Banküberfall")
    page.get_by_text("End this game", exact=True).click()
    page.get_by_role("button", name="Yes, end this game").click()
    page.get_by_role("link", name="Robby Solo").click()
    page.get_by_label("Name at seat 1").fill("Ana")
    page.get_by_label("Name at seat 2").fill("ana")
    page.get_by_role("button", name="Begin this game").click()
    refusal = page.locator("[data-refusal=players]")
    expect(refusal).to_contain_text("Two players have the same name.")
    refusal.get_by_text("Rule", exact=True).click()
    expect(refusal.get_by_text("One bank more than players")).to_be_visible()
    expect(page.get_by_label("Name at seat 2")).to_have_value("ana")
    page.get_by_label("Name at seat 2").fill("Ben")
    page.get_by_label("Robby Junior plays along").check()
    page.get_by_role("button", name="Begin this game").click()
    page.get_by_role("link", name="People").click()
    expect(page.locator("#chair-2")).to_contain_text("Ben")
    assert company.view().public.junior is not None
    expect(screen.locator(".brand")).to_have_text("Robby Solo")
    expect(screen).to_have_title("Table · Robby Solo")


def test_for_the_next_group_one_tap_and_one_answer_are_enough(gather, open_browser):
    company = gather()
    page = sign_in(open_browser(), company)
    page.get_by_text("Reset for the next group").click()
    page.get_by_role("button", name="Yes, clear the table").click()
    expect(page.get_by_text("No game has been started yet.")).to_be_visible()
    expect(page.get_by_role("heading", name="Is the box complete?")).to_be_visible()
    page.get_by_role("link", name="People").click()
    expect(page.locator("#chair-1")).to_be_visible()
    expect(page.locator("#seats")).not_to_contain_text("Ana")


@pytest.mark.wide
def test_with_keys_only_a_host_signs_in_and_takes_over_a_seat(gather, open_browser):
    company = gather()
    page = open_browser(SCREEN).new_page()
    word = write_pass(company.evening.host.journal.path.parent)
    page.goto(f"{company.address}/host/enter#{word}")
    expect(page.locator("#pass button")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/host")
    page.get_by_role("link", name="People").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/host/people")
    page.locator("#place-1 summary").focus()
    page.wait_for_load_state()  # Its scripts, which sign what is sent, are there by then.
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#chair-1")).to_contain_text("this browser")


def test_a_new_game_is_set_up_by_pictures(gather, open_browser):
    """A box by its picture, and as many lines as figures were tapped; the others are not sent."""
    company = gather()
    page = sign_in(open_browser(), company)
    page.get_by_text("End this game", exact=True).click()
    page.get_by_role("button", name="Yes, end this game").click()
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


@pytest.mark.wide
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_size_and_language_has_room(gather, open_browser, language):
    company = gather("banque_fatale", language=language)
    page = sign_in(open_browser(), company)
    company.until(lambda view: view.public.phase == "open")
    expect(page.locator("#hands")).to_be_visible()
    unfold(page)
    looks_right(page)
    page.locator("#end button").click()
    expect(page.locator(".boxes")).to_be_visible()
    for game in ("bankueberfall", "banque_fatale", "robby_solo"):
        page.goto(f"{company.address}/host/new/{game}")
        looks_right(page)
    page.goto(f"{company.address}/host")
    page.locator("#next-group summary").click()
    page.locator("#next-group button").click()
    expect(page.locator("#check")).to_be_visible()
    looks_right(page)
