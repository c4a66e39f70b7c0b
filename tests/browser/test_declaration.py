"""A declaration of Robby Solo at each number of banks, on small phones in each language."""

from functools import cache
from itertools import count

import pytest
from playwright.sync_api import Page

from companion.games import find_game
from tests.browser.conftest import LANGUAGES
from web.rendering.scene import Screen
from web.screen_check import StandingPages, show_page

PHONES = ((390, 844), (390, 664), (360, 640))
"""Widths and heights of small phones."""

UNSEEN = """() => {
  const bar = document.querySelector(".yours").getBoundingClientRect().top;
  return [...document.querySelectorAll(".two-taps input:not([type=hidden]), .two-taps button")]
    .filter((e) => e.getBoundingClientRect().bottom > bar).map((e) => e.outerHTML);
}"""
"""What a declaration is made with, and cannot be seen without scrolling."""

ROWS = """() => {
  const rows = {};
  for (const pick of document.querySelectorAll(".pieces .pick")) {
    const { top } = pick.getBoundingClientRect();
    rows[top] = (rows[top] ?? 0) + 1;
  }
  return Object.values(rows);
}"""
CUT = """() => [...document.querySelectorAll(".two-taps span, .two-taps button")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline")
  .map((e) => e.textContent)"""


@cache
def declaring(banks: int) -> StandingPages:
    """The pages of a game with so many banks, in which a declaration is asked for."""
    for seed in count():
        pages = StandingPages(find_game("robby_solo"), seed)
        state = pages.states.get("declare")
        if state is not None and len(state.banks) == banks:
            return pages
    raise AssertionError


def show(page: Page, pages: StandingPages, language: str) -> None:
    """The phone of the seat that declares."""
    pages.table.state = pages.states["declare"]
    seats = range(1, len(pages.table.state.players) + 1)
    seat = next(n for n in seats if any(may.do == "declared" for may in pages.table.view(n).may))
    show_page(page, pages.draw_page("declare", Screen("phone", seat, language)))


@pytest.mark.wide
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("banks", [4, 5, 6, 7])
def test_no_bank_is_alone_and_all_of_it_is_in_sight(banks, language, open_browser):
    page = open_browser().new_page()
    show(page, declaring(banks), language)
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        rows = page.evaluate(ROWS)
        assert sum(rows) == banks
        assert min(rows) > 1 or len(rows) == 1, (rows, width)
        assert page.evaluate(CUT) == [], width
        assert page.evaluate(UNSEEN) == [], (width, height)
