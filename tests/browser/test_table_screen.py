"""The table screen in a real browser: nothing scrolls, and a pay-out is told step by step."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.table.telling import STANDS
from tests.browser.conftest import LANGUAGES, SCREEN
from tests.browser.test_activity import all_at_once
from tests.browser.test_page_behaviour import looks_right
from tests.worlds.served import House

SCREENS = [(1920, 1080), (1366, 768), (1280, 720), (3840, 2160)]
LONG = (
    "Maximiliane Zwölfer", "Wilhelmina Großmutter", "Bartholomäus Wagner",
    "Konstantin-Alexander", "Emma-Luise Hoffmann", "Wolfgang Wimmermann",
)  # fmt: skip
SPILT = """async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const kept = "main, .bill, .cloth, .board, .story, .paper, .bank, .player, .wide, .track, .lots";
  const page = document.documentElement;
  const spilt = [...document.querySelectorAll(kept)].filter((e) => e.checkVisibility()
    && (e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 2));
  const out = [...document.querySelectorAll("main *")].filter((e) => {
    const { right, bottom, width } = e.getBoundingClientRect();
    return e.checkVisibility() && width > 1 && (right > innerWidth + 1 || bottom > innerHeight + 1);
  });
  const scrolls = page.scrollHeight > innerHeight || page.scrollWidth > innerWidth;
  return [...spilt, ...out, ...(scrolls ? [page] : [])].map((e) => e.outerHTML.slice(0, 120));
}"""

OUTSIDE = """() => [...document.querySelectorAll(".bank .slot")].filter((e) => {
  const { top, bottom } = e.getBoundingClientRect();
  const frame = e.closest(".cards").getBoundingClientRect();
  return top < frame.top - 1 || bottom > frame.bottom + 1;
}).map((e) => e.closest(".bank").id)"""


def nothing_spills(screen: Page) -> None:
    for width, height in SCREENS:
        screen.set_viewport_size({"width": width, "height": height})
        assert screen.evaluate(SPILT) == [], (width, height)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_board_stays_in_sight_whatever_else_goes_on(open_house, open_browser, lang):
    house, screen = open_house(language=lang), open_browser(SCREEN).new_page()
    all_at_once(house)
    screen.goto(f"{house.address}/table")
    nothing_spills(screen)
    looks_right(screen)
    where = re.compile("on a phone|am Handy|sur un téléphone")
    expect(screen.locator(".faults [role=status]")).to_contain_text(where)
    expect(screen.locator("#judge a")).to_have_count(0)  # Nobody clicks a television.


def test_a_silent_reader_pushes_no_card_out_of_its_bank(open_house, open_browser):
    house, screen = open_house(), open_browser(SCREEN).new_page()
    house.do(1, 'tile_turned seat=1 tile="place"', 'card_placed seat=1 bank=1 card="4"')
    house.settle(5, "hand")
    screen.goto(f"{house.address}/table")
    said = "Bank 5: the reader is silent. Enter cards on a phone."
    expect(screen.locator(".faults")).to_have_text(said)
    assert screen.locator(".bank").filter(has=screen.locator(".slot + .slot")).count()
    assert screen.evaluate(OUTSIDE) == []


# A pay-out is told step by step.

BIDS = (3, 0, 1, 4, 2)


def robbed(house: House) -> House:
    """Bank 2 is robbed, with 5 coins in it, and every hand is closed."""
    house.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    house.close(*BIDS)
    return house


def watching(open_browser: Callable[..., Any], house: House, clock: list[float]) -> Page:
    """A table screen that was open before the hands were; the table tells by this clock."""
    screen: Page = open_browser(SCREEN, reduced_motion="no-preference").new_page()
    screen.goto(f"{house.address}/table")
    expect(screen.locator(".wax").first).to_be_visible()
    house.table.telling.use_clock(lambda: clock[0])
    return screen


def all_told(screen: Page) -> None:
    expect(screen.locator(".story .picture")).to_be_visible()
    expect(screen.locator(".running, .story .steps")).to_have_count(0)


def test_a_pay_out_is_told_step_by_step(open_house, open_browser):
    house, clock = robbed(open_house(seats=5)), [0.0]
    screen = watching(open_browser, house, clock)
    house.show(*BIDS)
    expect(screen.locator("#stage .picture")).to_have_count(1)
    steps = len(house.state.verdict.steps)
    for told in range(steps):
        expect(screen.locator(f"#step-told-{told}")).to_be_visible()
        expect(screen.locator("#told")).to_have_text("")
        clock[0] += house.table.telling.next_change() + 0.001
        house.table.notify_watchers()
    all_told(screen)
    said, asked = "The robbery is over: Cleo +1 and Emma +2.", "puts a new card face down at bank"
    expect(screen.get_by_role("status").and_(screen.locator("#told"))).to_have_text(said)
    expect(screen.locator(".headline:visible")).to_have_text(said)
    clock[0] += STANDS + 1
    house.table.notify_watchers()
    expect(screen.locator("#stage")).to_have_count(0)
    expect(screen.locator(".headline:visible")).to_contain_text(asked)
    expect(screen.locator(".story h2")).to_have_text(said)
