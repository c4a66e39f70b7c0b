"""What is drawn on a page is whole there: the chips that a hand reveals, a value at the foot of the
board.
"""

import pytest
from playwright.sync_api import expect

from companion.app.default_players import NAMES
from tests.browser.conftest import SCREEN, seal, sit
from tests.browser.test_fist import SMALLEST

COVERED = """() => [...document.querySelectorAll("#my-hand .token")]
  .filter((token) => token.checkVisibility())
  .filter((token) => token.querySelector("b").getBoundingClientRect().right
    > token.querySelector("i + span").getBoundingClientRect().left)
  .map((token) => token.textContent)"""
"""Chips whose letters lie over the name of their colour."""
CUT_OFF = """() => {
  const lowest = document.querySelector(".scale svg").getAttribute("y");
  document.querySelectorAll(".quote .disc").forEach((disc) => disc.setAttribute("y", lowest));
  return [...document.querySelectorAll(".quote")].filter((quote) =>
    quote.querySelector("circle").getBoundingClientRect().bottom
      > quote.querySelector(".chart").getBoundingClientRect().bottom).length;
}"""
"""How many values would be cut off if all of them were the lowest one."""


@pytest.fixture
def auction(company):
    """A table at which chips are bid."""
    table = company("banque_fatale", players=NAMES[:3])
    table.until(lambda view: view.public.phase == "seal" and 2 in view.public.waiting)
    return table


def test_the_chips_of_a_revealed_hand_are_read(auction, open_browser):
    phone = sit(open_browser(SMALLEST), auction.address, "Ben")
    for chip in phone.locator("[data-token]").all():
        chip.click()
    seal(phone)
    expect(phone.get_by_text("Sealed. No one sees it")).to_be_visible()
    auction.evening.bots.persons_seat = 2
    auction.until(lambda view: view.public.phase == "open")
    expect(phone.locator("#my-hand .token >> visible=true")).not_to_have_count(0)
    assert phone.evaluate(COVERED) == []


def test_the_lowest_value_is_whole_on_the_table_screen(auction, open_browser):
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{auction.address}/table")
    screen.locator(".quote .disc").first.wait_for()
    assert screen.evaluate(CUT_OFF) == 0
