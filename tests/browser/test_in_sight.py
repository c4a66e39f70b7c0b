"""What people look for all evening is in sight and whole: the question and its button, the chips
that a hand reveals, a value at the foot of the board, the prompt beside a notice.
"""

import pytest
from playwright.sync_api import Page, expect

from companion.app.default_players import NAMES
from tests.browser.conftest import SCREEN, seal, sit
from tests.browser.test_faults import fault
from tests.browser.test_fist import SHORT
from tests.browser.test_phone import OUT_OF_REACH, SMALLEST
from tests.worlds.simulated_hands import looks

BELOW = """() => document.querySelector("#ask").getBoundingClientRect().bottom
  <= document.querySelector(".verdict").getBoundingClientRect().top"""
CRUSHED = """() => {
  const [bill, ask, prompt] = ["#bill", "#ask", "#ask .prompt"]
    .map((one) => document.querySelector(one).getBoundingClientRect());
  return ask.bottom > bill.bottom || prompt.width < 0.9 * ask.width;
}"""
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


def test_ones_own_question_comes_before_the_last_result(company, open_browser):
    table = company("bankueberfall", players=NAMES[:3])
    phone = sit(open_browser(SHORT), table.address, "Ana")
    table.until(lambda view: view.public.phase == "tile" and view.public.verdict is not None
                and view.public.waiting == (1,))  # fmt: skip
    expect(phone.locator("#ask")).to_contain_text("Your turn.")
    expect(phone.locator("main > .verdict")).to_be_visible()
    for size in (SHORT, SMALLEST):
        phone.set_viewport_size(size)
        assert phone.evaluate(OUT_OF_REACH) == []
        assert phone.evaluate(BELOW)
    prompt_beside_a_notice(table, phone)


def prompt_beside_a_notice(table, page: Page) -> None:
    """Let a strange sticker lie at a bank of the simulated table."""
    table.evening.bots.persons_seat = 1
    page.set_viewport_size(SCREEN)
    page.goto(f"{table.address}/play/1")
    page.locator("#drawer summary").click()
    fault(page, "stack", "Bank 2")
    looks(table.evening, 3)
    expect(page.locator("#todos")).to_contain_text("an unknown sticker lies there")
    assert not page.evaluate(CRUSHED)


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
