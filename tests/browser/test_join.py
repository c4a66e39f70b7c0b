"""Joining in a real browser: the page goes on by itself, and the phone keeps its seat."""

from playwright.sync_api import BrowserContext, Page, expect

from tests.worlds.served import Hall


def come(context: BrowserContext, at: Hall, name: str) -> Page:
    """Come in under a name."""
    page = context.new_page()
    page.goto(at.address)
    page.locator("#who-name").fill(name)
    page.locator("#who button").click()
    expect(page.locator("[data-waiting]")).to_have_count(1)
    return page


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
    new.get_by_role("button", name="That’s me").click()
    expect(new.get_by_text("While the other phone is open")).to_be_visible()
    old.get_by_role("button", name="Give it the seat").click()
    new.wait_for_url("**/phone/2")
    expect(old.get_by_role("heading", name="What is your name?")).to_be_visible()
