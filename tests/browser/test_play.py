"""The simulated table: what is asked is read whole at every size, everyone can use it, and what its
page for makers breaks is told under the question."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from companion.app.default_players import NAMES
from companion.core.i18n import LANGUAGES
from tests.browser.browser_hands import WIDE
from tests.browser.browser_player import PIECE
from tests.browser.conftest import PHONE, SCREEN, SHORT, SMALLEST
from tests.worlds.own_games import own_games
from tests.worlds.real_pages import unreadable
from tests.worlds.served import Company
from tests.worlds.simulated_hands import looks

MOVES = ("tile", "place", "fill", "choose", "turn")
"""Phases in which pieces are moved."""
SIZES = (PHONE, SHORT, SMALLEST, WIDE, SCREEN)
CUT = """() => {
  const asked = document.querySelector("#bill .ask");
  const end = (one) => (one.closest(".note") ? innerHeight : asked.getBoundingClientRect().bottom);
  return [asked, ...asked.querySelectorAll("p, form, .note")].filter((one) => one.checkVisibility()
    && (one.scrollHeight > one.clientHeight + 1
      || one.getBoundingClientRect().bottom > end(one) + 1))
    .map((one) => one.textContent.trim());
}"""
TOP = """() => document.querySelector(".wood").getBoundingClientRect().top + scrollY"""


def ana_at(context: BrowserContext, table: Company) -> Page:
    """Ana's table, when it is her turn to move a piece."""
    page: Page = context.new_page()
    page.goto(table.address)
    page.locator("li", has_text="Ana").get_by_role("button").click()
    page.wait_for_url("**/phone/*")
    table.evening.bots.persons_seat = 0
    table.until(lambda view: 1 in view.public.waiting and view.public.phase in MOVES)
    table.evening.bots.persons_seat = 1
    page.goto(f"{table.address}/play/1")
    expect(page.locator(PIECE).first).to_be_attached()
    return page


def test_a_fault_is_told_under_the_question_and_shifts_and_cuts_nothing(company, open_browser):
    table = company("bankueberfall", persons_seat=1, players=NAMES[:3])
    page = ana_at(open_browser(WIDE), table)
    tops: dict[int, set[float]] = {size["width"]: set() for size in SIZES}
    page.keyboard.press("Tab")
    expect(page.locator(PIECE).first).to_be_focused()
    lab = page.context.new_page()
    lab.goto(f"{page.url}/lab")
    for is_strange in (True, False):
        with lab.expect_response("**/faults"):
            lab.locator("[form^=stack-]", has_text="Bank 2").click()
        looks(table.evening, 3)
        expect(page.locator("#bill .note")).to_have_count(int(is_strange))
        for size in SIZES:
            page.set_viewport_size(size)
            assert page.evaluate(CUT) == []
            expect(page.locator("html")).to_have_js_property("scrollWidth", size["width"])
            tops[size["width"]].add(page.evaluate(TOP))
    assert [width for width, found in tops.items() if len(found) > 1] == []


@pytest.mark.wide
@pytest.mark.parametrize(("game", "language"), list(zip(own_games(), LANGUAGES, strict=True)))
def test_everything_on_it_can_be_read_in_every_phase(company, open_browser, game, language):
    table = company(game, players=NAMES[:4])
    page = open_browser(locale=language).new_page()
    page.goto(table.address)
    page.locator("li", has_text="Ana").get_by_role("button").click()
    page.wait_for_url("**/phone/*")
    seen: set[str] = set()
    tops: dict[tuple[int, ...], set[float]] = {tuple(size.values()): set() for size in SIZES}
    while "over" not in seen:
        seen.add(table.until(lambda view: view.public.phase not in seen).public.phase)
        page.goto(f"{table.address}/play/1")
        for size in SIZES:
            page.set_viewport_size(size)
            assert unreadable(page, least=0) == [], (seen, size)
            if "over" not in seen:
                tops[tuple(size.values())].add(page.evaluate(TOP))
    assert [size for size, found in tops.items() if len(found) > 1] == []
