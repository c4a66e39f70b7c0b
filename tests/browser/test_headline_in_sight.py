"""What is asked of a seat comes into sight when it changes; the focus and a typing hand stay."""

import pytest
from playwright.sync_api import Page, expect

from companion.app.default_players import NAMES
from tests.browser.conftest import sit
from tests.browser.test_fist import SHORT
from tests.browser.test_play import ana_at

ROBBED = ('tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=3")
SCROLLED = "() => scrollY > 0"
AT_THE_TOP = "() => scrollY === 0"
FOCUSED = "() => document.activeElement.closest('#hints') !== null"
SEEN = """() => {
  const piece = document.querySelector(".wanted");
  if (!piece) return false;
  const { left, top, width, height } = piece.getBoundingClientRect();
  return piece.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def scrolled_down(phone: Page) -> None:
    phone.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    phone.wait_for_function(SCROLLED)


def test_a_new_question_brings_the_headline_back(open_house, open_browser):
    house = open_house()
    ben = sit(open_browser(SHORT), house.address, "Ben")
    scrolled_down(ben)
    house.do(1, 'tile_turned seat=1 tile="place"', "card_placed seat=1 bank=1")
    expect(ben.locator("#status")).to_contain_text("Your turn.")
    ben.wait_for_function(AT_THE_TOP)


@pytest.mark.wide
def test_what_others_are_asked_moves_nothing(open_house, open_browser):
    house = open_house()
    cleo = sit(open_browser(SHORT), house.address, "Cleo")
    scrolled_down(cleo)
    house.do(1, 'tile_turned seat=1 tile="place"', "card_placed seat=1 bank=1")
    expect(cleo.locator("#status")).to_contain_text("Ben")
    assert cleo.evaluate(SCROLLED)


@pytest.mark.wide
def test_what_is_used_by_keyboard_stays_in_sight(open_house, open_browser):
    house = open_house()
    ben = sit(open_browser(SHORT), house.address, "Ben")
    ben.locator("#hints > summary").focus()
    ben.keyboard.press("Tab")
    scrolled_down(ben)
    house.do(1, *ROBBED)
    expect(ben.get_by_role("button", name="Seal my bid")).to_be_enabled()
    assert ben.evaluate(FOCUSED)
    assert ben.evaluate(SCROLLED)


@pytest.mark.wide
def test_at_the_simulated_table_the_glowing_piece_is_in_sight(company, open_browser):
    table = company("bankueberfall", persons_seat=1, players=NAMES[:3])
    page = ana_at(open_browser(SHORT), table)
    table.evening.bots.persons_seat = 0
    table.until(lambda view: view.public.waiting != (1,))
    scrolled_down(page)
    table.until(lambda view: view.public.waiting == (1,) and view.public.phase == "tile")
    table.evening.bots.persons_seat = 1
    page.wait_for_function(SEEN)
