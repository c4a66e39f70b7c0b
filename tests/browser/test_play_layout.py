"""The simulated table stays where it is: news shift nothing, and a drag outlives them."""

import pytest
from playwright.sync_api import Page, expect

from companion.app.default_players import NAMES
from tests.browser.conftest import PHONE
from tests.browser.test_play import GAMES, some
from tests.worlds.browser_hands import WIDE, middle
from tests.worlds.browser_player import PIECE, SPOT
from tests.worlds.campaign import pick
from tests.worlds.simulated_hands import looks

WATCH = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    window.shifted += entry.value;
  })).observe({ type: "layout-shift" });
}"""
STAND = """() =>
  [...document.querySelectorAll("#bill, .plate, .nameplate, .reader, [data-spot], #drawer")]
    .map((one) => [one.id || one.className,
      ...Object.values(one.getBoundingClientRect().toJSON())])"""
"""Where everything stands that is not a piece or a sentence."""
MOMENTS = pick(12, 25, 60)
STEADY = 0.1
"""What browsers call good, here over many moments; a card that comes moves its neighbours."""


def sit(context, table) -> Page:
    """Ana's table, seen from when it was first painted."""
    page = context.new_page()
    page.goto(table.address)
    page.locator("li", has_text="Ana").get_by_role("button").click()
    page.wait_for_url("**/phone/*")
    page.goto(f"{table.address}/play/1")
    return page


def in_step(page, table) -> None:
    expect(page.locator("#version")).to_have_js_property("value", f"{table.view().at}")


@pytest.mark.wide
@pytest.mark.parametrize(("game", "size"), some(GAMES, (WIDE, PHONE)))
def test_nothing_shifts_when_the_stream_brings_news(company, open_browser, game, size):
    table = company(game, players=NAMES[:3])
    page = sit(open_browser(size), table)
    in_step(page, table)
    page.evaluate(WATCH)
    stood = page.evaluate(STAND)
    for _ in range(MOMENTS):
        table.evening.source.poll()
        table.evening.bots.play_one()
    in_step(page, table)
    assert page.evaluate(STAND) == stood
    assert page.evaluate("window.shifted") < STEADY


def drag_a_piece(context, table) -> Page:
    """Drag the piece that is expected away from where it lies; nothing is let go yet."""
    page = sit(context, table)
    in_step(page, table)
    page.mouse.move(*middle(page.locator(PIECE)))
    page.mouse.down()
    page.mouse.move(200, 200, steps=3)
    expect(page.locator("#held")).to_have_count(1)
    return page


@pytest.mark.wide
def test_a_piece_lands_where_it_is_let_go_before_it_was_painted_there(company, open_browser):
    """A quick throw, or a slow computer: no animation frame comes between."""
    table = company("bankueberfall", persons_seat=1, players=NAMES[:3])
    page = drag_a_piece(open_browser(WIDE), table)
    page.evaluate("window.requestAnimationFrame = () => 1")
    page.mouse.move(*middle(page.locator(SPOT)))
    page.mouse.up()
    expect(page.locator("#held")).to_have_count(0)
    looks(table.evening)
    assert table.view().public.phase != "tile"


@pytest.mark.wide
def test_a_drag_outlives_the_news(company, open_browser):
    table = company("bankueberfall", persons_seat=1, players=NAMES[:3])
    page = drag_a_piece(open_browser(WIDE), table)
    table.evening.host.table.notify_watchers()  # News, and the page is exchanged under the piece.
    ghost = page.locator(".ghost")
    expect(ghost).to_have_count(1)
    spot = page.locator(SPOT)
    page.mouse.move(*middle(spot), steps=3)
    page.mouse.up()
    expect(page.locator("#held")).to_have_count(0)
    looks(table.evening)
    assert table.view().public.phase != "tile"
    expect(ghost).to_have_count(0)
