"""The host scans the code of the table: in a real browser, from the fragment to the host's page."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LANGUAGES, PHONE, SCREEN
from tests.worlds.axe import violations


def token_of(company) -> str:
    """What the code says that the screens show while the button of seat 2 is held."""
    host = company.evening.host
    host.host_pass.show_pass(2)
    host.table.notify_watchers()
    return host.host_pass.shown_pass().token


def test_the_code_appears_signs_one_phone_in_and_is_gone(company, open_browser):
    table = company("bankueberfall")
    table.room.addresses = lambda: ["http://192.168.1.20:8000/"]
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    code = screen.locator("#host-pass svg.qr")
    expect(code).to_have_count(0)
    token = token_of(table)
    expect(code).to_be_visible()
    phone, asked = open_browser(PHONE).new_page(), []
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto(f"{table.address}/host/pass#{token}")
    expect(phone).to_have_url(f"{table.address}/host/pass")
    phone.get_by_role("button", name="Sign in on this phone").click()
    phone.wait_for_url("**/host")
    expect(code).to_have_count(0)
    assert not any(token in url.partition("#")[0] for url in asked), "it was sent in no address"


@pytest.mark.wide
def test_without_its_token_or_too_late_the_page_says_what_to_do(company, open_browser):
    table = company("bankueberfall")
    phone = open_browser(PHONE).new_page()
    phone.goto(f"{table.address}/host/pass")
    expect(phone.get_by_text("hold a seat's button for six seconds")).to_be_visible()
    expect(phone.locator("main").get_by_role("button")).to_have_count(0)
    phone.goto(f"{table.address}/host/enter")
    phone.goto(f"{table.address}/host/pass#{'x' * 22}")
    phone.get_by_role("button", name="Sign in on this phone").click()
    expect(phone.locator("[data-refusal]")).to_have_text(re.compile("This code no longer counts"))


@pytest.mark.wide
def test_the_phone_of_the_seat_signs_in_by_a_tap(company, open_browser):
    table = company("bankueberfall", 2)
    phone = open_browser(PHONE).new_page()
    phone.goto(table.address)
    phone.locator("li", has_text=table.view().public.seats[1].name).get_by_role("button").click()
    phone.wait_for_url("**/phone/2")
    token_of(table)
    phone.get_by_role("button", name="Sign in as the host").click()
    phone.wait_for_url("**/host")


@pytest.mark.wide
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(390, 664), (360, 640), (1920, 1080)])
def test_the_code_fits_on_the_screen_and_axe_finds_nothing(company, open_browser, language, size):
    table = company("bankueberfall", language=language)
    table.room.addresses = lambda: ["http://192.168.1.20:8000/"]
    page = open_browser({"width": size[0], "height": size[1]}).new_page()
    page.goto(f"{table.address}/table")
    token_of(table)
    page.locator("#host-pass svg.qr").wait_for()
    box = page.locator("#host-pass").bounding_box()
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size[0]
    assert box["y"] + box["height"] <= size[1]
    assert page.locator("#host-pass").evaluate("it => it.scrollHeight <= it.clientHeight")
    assert violations(page) == []
