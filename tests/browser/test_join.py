"""Joining in a real browser: the page goes on by itself, and the phone keeps its seat."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import LANGUAGES, PHONE
from tests.browser.test_page_behaviour import looks_right
from tests.worlds.served import ServedHall as Open


def come(context: BrowserContext, at: Open, name: str) -> Page:
    """Come in under a name."""
    page = context.new_page()
    page.goto(at.address)
    page.locator("#who-name").fill(name)
    page.locator("#who button").click()
    expect(page.locator("[data-waiting]")).to_have_count(1)
    return page


@pytest.mark.wide
def test_two_who_wait_are_asked_and_one_of_them_owns_up(hall, open_browser):
    at = hall()
    ana, ben = come(open_browser(), at, "Ana"), come(open_browser(), at, "Ben")
    at.seats.handle_press(1)
    expect(ana.get_by_text("The button of seat 1 was pressed. Was that you?")).to_be_visible()
    ben.get_by_role("button", name="Yes, that was me").click()
    ben.wait_for_url("**/phone/1")
    expect(ana.get_by_role("button", name="Yes, that was me")).to_have_count(0)


@pytest.mark.wide
def test_what_is_typed_stays_while_others_come_and_after_a_refusal(hall, open_browser):
    at = hall()
    page = open_browser().new_page()
    page.goto(at.address)
    page.locator("#who-name").fill("  ana")
    come(open_browser(), at, "Ana")
    at.seats.handle_press(4)
    expect(page.locator(".at-4")).to_contain_text("Ana")
    page.locator("#who button").click()
    expect(page.locator("#who .refusal")).to_contain_text("Someone here is called ana already.")
    expect(page.locator("#who-name")).to_have_value("  ana")


def test_the_phone_keeps_its_seat_through_reload_new_tab_and_a_scan(hall, open_browser):
    """The camera opens the address from outside: the cookie goes with a top-level visit."""
    at, context = hall(), open_browser()
    ana = come(context, at, "Ana")
    at.seats.handle_press(2)
    ana.wait_for_url("**/phone/2")
    ana.reload()
    ana.wait_for_url("**/phone/2")
    elsewhere = context.new_page()
    elsewhere.route("http://elsewhere.test/", lambda route: route.fulfill(
        content_type="text/html", body=f"<a href='{at.address}/phone'>the table</a>"))  # fmt: skip
    elsewhere.goto("http://elsewhere.test/")
    elsewhere.get_by_text("the table").click()
    elsewhere.wait_for_url("**/phone/2")


def test_the_old_phone_gives_its_seat_away_and_is_led_to_the_door(hall, open_browser):
    at = hall()
    old = come(open_browser(), at, "Ana")
    at.seats.handle_press(2)
    old.wait_for_url("**/phone/2")
    expect(old.get_by_role("status")).to_be_visible()
    new = open_browser().new_page()
    new.goto(at.address)
    new.get_by_role("button", name="My new phone").click()
    expect(new.get_by_text("Another phone plays from there.")).to_be_visible()
    old.get_by_role("button", name="Give it the seat").click()
    new.wait_for_url("**/phone/2")
    expect(old.get_by_text("What is your name?")).to_be_visible()


def test_a_keyboard_is_enough(hall, open_browser):
    at = hall(open_house=True)
    page = open_browser().new_page()
    page.goto(at.address)
    page.locator("#who-name").focus()
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tap your seat, Ana.")).to_be_visible()
    page.locator(".at-3 button").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/phone/3$"))


@pytest.mark.wide
@pytest.mark.parametrize("lang", LANGUAGES)
def test_joining_fits_in_every_language(hall, open_browser, lang):
    at = hall(language=lang, addresses=("http://192.168.178.25:8000/",))
    longest = "Maximiliane-Charlott"
    page, other = open_browser().new_page(), come(open_browser(), at, "W" * 20)
    page.goto(at.address)
    looks_right(page)
    page.set_viewport_size(PHONE)
    page.locator("#who-name").fill(longest)
    page.locator("#who button").click()
    expect(page.locator("[data-waiting]")).to_have_count(1)
    at.seats.handle_press(2)
    expect(page.locator("#asked-2")).to_be_visible()
    looks_right(page)
    other.locator("#yes-2 button.main").click()
    other.wait_for_url("**/phone/2")
    at.begin((longest, "W" * 20, "Cleo", "Dario", "Emma"))
    page.locator(".at-2 button").click()
    expect(page.locator(".at-2.awaited")).to_be_visible()
    looks_right(page)
    other.goto(at.address)
    for summary in other.locator("details summary").all():
        summary.click()
    looks_right(other)
