"""The simulated table can be used by everyone, fits every screen, in every language."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.app.default_players import NAMES
from companion.core.i18n import LANGUAGES
from tests.browser.conftest import PHONE, SCREEN
from tests.browser.test_accessibility import UNFOLD
from tests.worlds.axe import violations
from tests.worlds.browser_hands import WIDE
from tests.worlds.browser_player import PIECE
from tests.worlds.campaign import IS_LARGE, pick

GAMES = ("bankueberfall", "banque_fatale", "robby_solo")
MOVES = ("tile", "place", "fill", "choose", "turn")
"""Phases in which pieces are moved."""
SPILLS = """() => [...document.querySelectorAll("button, .plate, .where, .reader")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.trim()).filter((text) => text)"""


def some(games: Sequence[str], *others: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All of them together with all others; in a hurry each game once, with another one each."""
    if IS_LARGE:
        return list(product(games, *others))
    return [(game, *(other[n % len(other)] for other in others)) for n, game in enumerate(games)]


def ana_at(context, table) -> Page:
    """Ana's table, when it is her turn to move a piece."""
    page: Page = context.new_page()
    page.goto(table.address)
    page.locator("li", has_text="Ana").get_by_role("button").click()
    page.wait_for_url("**/phone/*")
    table.evening.bots.persons_seat = 0
    table.until(lambda view: 1 in view.public.waiting and view.public.phase in MOVES)
    table.evening.bots.persons_seat = 1
    page.goto(f"{table.address}/play/1")
    return page


@pytest.mark.wide
@pytest.mark.parametrize(("game", "size"), some(GAMES, (PHONE, SCREEN)))
def test_axe_finds_nothing_wrong_with_it_empty_handed_or_not(company, open_browser, game, size):
    table = company(game, persons_seat=1, players=NAMES[:4])
    page = ana_at(open_browser(size, bypass_csp=True), table)
    page.evaluate(UNFOLD)
    assert violations(page) == []
    page.locator(PIECE).first.click()
    expect(page.locator("#held")).to_have_count(1)
    assert violations(page) == []


@pytest.mark.wide
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_wrong_in_any_phase(company, open_browser, game):
    """In a hurry in the first ones."""
    table = company(game, persons_seat=0, players=NAMES[:3])
    page = open_browser(SCREEN, bypass_csp=True).new_page()
    page.goto(table.address)
    page.locator("li", has_text="Ana").get_by_role("button").click()
    page.wait_for_url("**/phone/*")
    seen: set[str] = set()
    while len(seen) < pick(0, 3, 99) and "over" not in seen:
        view = table.until(
            lambda view: view.public.phase not in seen or view.public.phase == "over"
        )
        seen.add(view.public.phase)
        page.goto(f"{table.address}/play/1")
        page.evaluate(UNFOLD)
        assert violations(page) == [], view.public.phase


@pytest.mark.wide
@pytest.mark.parametrize(("game", "language"), some(GAMES, LANGUAGES))
def test_it_fits_every_screen(company, open_browser, game, language):
    table = company(game, persons_seat=1, language=language, players=NAMES[:4])
    page = ana_at(open_browser(PHONE), table)
    for size in (PHONE, WIDE, SCREEN):
        page.set_viewport_size(size)
        expect(page.locator("html")).to_have_js_property("scrollWidth", size["width"])
        assert page.evaluate(SPILLS) == []
        if size != PHONE:
            expect(page.locator(".edge")).to_be_in_viewport(ratio=1)


@pytest.mark.wide
def test_nothing_blinks_for_whoever_wants_it_still_but_a_word_says_so(company, open_browser):
    table = company("robby_solo", persons_seat=1, players=NAMES[:3])
    page = ana_at(open_browser(WIDE, reduced_motion="reduce"), table)
    lamp = page.locator("#seat-2 .lamp")
    table.evening.bots.persons_seat = 0
    table.until(lambda view: table.evening.host.table.lamp_state(2) == "slow")
    expect(lamp).to_have_css("animation-name", "none")
    expect(lamp.get_by_text("blinks slowly")).to_be_visible()
