"""The first page at a simulated table in a real browser: the first thing a newcomer sees."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SCREEN
from tests.browser.test_page_behaviour import looks_right
from tests.worlds.axe import violations

SMALL = {"width": 360, "height": 640}


def test_one_key_and_a_newcomer_plays(company, open_browser):
    page = open_browser(SCREEN).new_page()
    page.goto(company("bankueberfall", persons_seat=1).address + "/play")
    expect(page.locator("main button.main")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/play/1$"))


def test_without_scripts_it_says_that_scripts_are_needed(company, open_browser):
    page = open_browser(java_script_enabled=False).new_page()
    page.goto(company("robby_solo", persons_seat=1).address + "/play")
    expect(page.locator("noscript p")).to_contain_text("To play, allow scripts for it")
    page.locator("main button.main").press("Enter")  # A tap waits for the scripts.
    expect(page.locator("body")).to_contain_text("What this browser sends is not signed.")


@pytest.mark.wide
def test_everyone_can_use_it(company, open_browser):
    page = open_browser(SMALL, bypass_csp=True).new_page()
    page.goto(company("bankueberfall", persons_seat=1).address + "/play")
    expect(page.locator("main button.main")).to_be_in_viewport(ratio=1)
    assert violations(page) == []
    looks_right(page)
