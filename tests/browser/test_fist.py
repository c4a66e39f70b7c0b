"""The fist: what is bid for stays in sight; coins go in by tap, drag or key; a seal is meant."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SHORT, sit
from tests.worlds.served import House

CROWD = ("2", "3", "4", "5", "10", "x", "thief")
"""Cards that lie at the robbed bank besides the first one."""
HIDDEN = """() => {
  const bar = document.querySelector(".yours").getBoundingClientRect().top;
  const parts = document.querySelectorAll(
    "#ask .lot, #ask .lot .card, #ask .bid-note, #ask .seal button,"
    + "#ask .seal input:not([type=hidden])");
  return [...parts].filter((e) => {
    const { top, bottom, left, right, width } = e.getBoundingClientRect();
    return !e.checkVisibility() || width < 1 || top < 0 || bottom > bar || left < 0
      || right > document.documentElement.clientWidth;
  }).map((e) => e.outerHTML);
}"""
"""What is bid for, or bid with, and cannot be seen without scrolling."""
PLACES = """() => [...document.querySelectorAll("#ask, #ask .lot, #ask button, #ask input")]
  .map((e) => JSON.stringify(e.getBoundingClientRect()))"""


@pytest.fixture
def robbed(open_house: Callable[..., House]) -> Callable[..., House]:
    """A table of which bank 3 is robbed, with many cards there."""

    def rob(language: str = "en") -> House:
        house = open_house(language=language)
        for card in CROWD:
            house.lay(card, 3)
            house.settle(3, "cards")
        return house.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=3")

    return rob


def test_a_long_press_seals_and_a_short_one_asks_again(robbed, open_browser):
    phone = sit(open_browser(SHORT, reduced_motion="no-preference"), robbed().address, "Ben")
    button = phone.get_by_role("button", name="Seal my bid")
    expect(button).to_be_enabled()
    button.click()
    expect(phone.get_by_role("button", name="Press again to seal it")).to_be_visible()
    phone.get_by_role("button", name="+1").click()
    expect(button).to_be_visible()
    button.hover()
    phone.mouse.down()
    expect(phone.get_by_text("Sealed. No one sees it")).to_be_visible()
    phone.mouse.up()
    expect(phone.get_by_text("Undo my bid")).to_be_visible()
    assert phone.locator("button.main >> visible=true").count() == 0


def test_coins_are_dragged_in_and_out_and_nothing_moves(robbed, open_browser):
    phone = sit(open_browser(SHORT), robbed().address, "Ben")
    coins = phone.get_by_label("Coins in your fist")
    expect(coins).to_be_enabled()
    before = phone.evaluate(PLACES)
    drag(phone, ".five", ".fist-place")
    expect(coins).to_have_value("5")
    drag(phone, ".fist-place", ".purse-row")
    expect(coins).to_have_value("4")
    drag(phone, ".five", ".lot")
    expect(coins).to_have_value("4")
    expect(phone.locator(".in-fist i")).to_have_count(4)
    phone.locator("[data-seals]").click()
    assert phone.evaluate(PLACES) == before


def drag(phone: Page, what: str, where: str) -> None:
    """From the upper part of one thing to the middle of the other."""
    here, there = (phone.locator(place).bounding_box() for place in (what, where))
    assert here is not None
    assert there is not None
    phone.mouse.move(here["x"] + here["width"] / 2, here["y"] + 9)
    phone.mouse.down()
    phone.mouse.move(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2, steps=4)
    phone.mouse.up()
