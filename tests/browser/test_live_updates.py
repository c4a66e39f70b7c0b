"""Following the game as phones do it: locked, offline, asleep, silent, and in many tabs."""

import os
import signal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, sit
from tests.browser.test_page_behaviour import close_hand, tap

TOLD_WITHIN_MS = 12_000
OUT_OF_REACH = "The table cannot be reached."


@pytest.fixture
def two(play, open_browser):
    """Ana and Ben at a table of their own, with clocks that can be put forward."""
    playing = play("--seats", "2", "--seed", "1")
    phones = []
    for name in ("Ana", "Ben"):
        context = open_browser()
        context.clock.install()
        phones.append(sit(context, playing.address, name))
    return playing, *phones


def test_a_folded_log_is_up_to_date_when_it_is_opened_and_while_it_is_open(two):
    """News does not carry it: the page asks for it, and loses nothing that is being filled in,
    neither the focus nor its place."""
    _, ana, ben = two
    tap(ana, "Robbery")
    expect(ben.get_by_text("Ana chooses")).to_be_visible()
    ben.locator("#log > summary").click()
    expect(ben.locator("#log li").first).to_contain_text("Robbery")
    tap(ana, "Bank 3")
    expect(ben.locator("#log li").first).to_contain_text("bank 3")
    coins = ben.get_by_label("Coins in your fist")
    coins.fill("2")
    coins.focus()
    before = ben.evaluate("scrollY")
    close_hand(ana, "4")
    expect(ben.locator("#log li").first).to_contain_text("Ana seals a choice.")
    expect(ben.locator("#log")).to_have_attribute("open", "")
    expect(ben.locator("#status")).not_to_contain_text("Ana")
    expect(coins).to_be_focused()
    expect(coins).to_have_value("2")
    assert ben.evaluate("scrollY") == before


@pytest.mark.wide
def test_a_table_that_stands_still_is_told_within_twelve_seconds(two):
    playing, ana, _ = two
    expect(ana.locator("#status")).to_have_text("Your turn. Turn over a tile.")
    os.kill(playing.process.pid, signal.SIGSTOP)
    try:
        ana.clock.run_for(TOLD_WITHIN_MS)
        expect(ana.get_by_text(OUT_OF_REACH)).to_be_visible()
    finally:
        os.kill(playing.process.pid, signal.SIGCONT)
    expect(ana.get_by_text(OUT_OF_REACH)).to_be_hidden()


@pytest.mark.wide
def test_seven_tabs_do_not_block_a_bid(play, open_browser):
    playing = play("--seats", "2", "--seed", "1")
    context = open_browser(PHONE)
    tabs = [watching(context.new_page(), playing.address) for _ in range(7)]
    ana = sit(context, playing.address, "Ana")
    tap(ana, "Robbery")
    expect(tabs[-1].get_by_text("Ana turns over a tile.")).to_have_count(0)
    expect(tabs[0].get_by_text("This page is open in another tab.")).to_be_visible()
    tabs[0].evaluate("window.dispatchEvent(new Event('focus'))")
    expect(tabs[0].get_by_text("Ana turns over a tile.")).to_have_count(0)
    expect(tabs[0].get_by_text("This page is open in another tab.")).to_be_hidden()


def watching(page: Page, address: str) -> Page:
    page.goto(f"{address}/table")
    expect(page.get_by_text("Ana turns over a tile.")).to_be_visible()
    return page
