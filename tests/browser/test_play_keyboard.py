"""At the simulated table every gesture has its way back, and none needs a mouse or a script."""

import pytest
from playwright.sync_api import Page, expect

from companion.app.default_players import NAMES
from tests.browser.test_play import ana_at
from tests.worlds.browser_hands import WIDE, middle
from tests.worlds.browser_player import PIECE
from tests.worlds.served import Company
from tests.worlds.simulated_hands import looks

HELD_MS = 2_100


@pytest.fixture
def anas_table(company) -> Company:
    found: Company = company("bankueberfall", persons_seat=1, players=NAMES[:3])
    return found


@pytest.fixture
def page(anas_table, open_browser) -> Page:
    return ana_at(open_browser(WIDE), anas_table)


def picked_up(page: Page) -> None:
    page.mouse.move(*middle(page.locator(PIECE)))
    page.mouse.down()
    page.mouse.move(420, 260, steps=4)
    expect(page.locator("#held")).to_have_count(1)


def back_where_it_was(page: Page, table: Company) -> bool:
    """Nothing is held, nothing has happened, and the tile glows again."""
    expect(page.locator("#held, .ghost")).to_have_count(0)
    expect(page.locator(PIECE)).to_have_count(1)
    looks(table.evening)
    return table.view().public.phase == "tile"


@pytest.mark.wide
def test_a_piece_dropped_nowhere_goes_back(page, anas_table):
    picked_up(page)
    page.mouse.move(2, 400)
    page.mouse.up()
    assert back_where_it_was(page, anas_table)


@pytest.mark.wide
def test_escape_puts_back_what_is_dragged(page, anas_table):
    picked_up(page)
    page.keyboard.press("Escape")
    assert back_where_it_was(page, anas_table)
    page.mouse.up()


@pytest.mark.wide
def test_escape_puts_back_what_was_lifted_by_a_tap(page, anas_table):
    page.locator(PIECE).click()
    expect(page.locator("#held")).to_have_count(1)
    page.keyboard.press("Escape")
    assert back_where_it_was(page, anas_table)


@pytest.mark.wide
def test_what_is_held_outlives_a_reload(page):
    page.locator(PIECE).click()
    expect(page.locator("#held")).to_have_count(1)
    page.reload()
    expect(page.locator("#held")).to_have_count(1)
    page.get_by_role("button", name="Put it back").click()
    expect(page.locator("#held")).to_have_count(0)


def test_arrow_keys_go_from_piece_to_piece(page):
    page.locator("#spot-hand [data-piece]").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#spot-hand [data-piece]").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#spot-hand :focus")).to_have_count(0)
    expect(page.locator("#wood :focus")).to_have_count(1)


@pytest.mark.wide
def test_a_card_that_is_laid_wrongly_is_asked_for_and_put_back(page, anas_table):
    page.locator("#spot-hand [data-piece]").first.click()
    page.locator("#spot-place-8 .put").click()
    expect(page.locator("#held")).to_have_count(0)
    looks(anas_table.evening, 3)
    expect(page.locator("#spot-place-8 .astray")).to_have_count(1)
    page.locator("#spot-place-8 [data-piece]").first.click()
    page.get_by_role("button", name="Put it back").click()
    looks(anas_table.evening, 3)
    expect(page.locator(".astray, #todos")).to_have_count(0)
    expect(page.locator("#spot-hand [data-piece]")).to_have_count(5)


@pytest.mark.wide
def test_the_button_of_a_seat_held_for_two_seconds_calls_the_judge(anas_table, open_browser):
    page = ana_at(open_browser(WIDE), anas_table)
    page.clock.install()
    page.reload()
    button = page.get_by_role("button", name="Press the button of your seat")
    page.mouse.move(*middle(button))
    page.mouse.down()
    with page.expect_response("**/press"):
        page.clock.run_for(HELD_MS)
    page.mouse.up()
    looks(anas_table.evening, 4)
    assert anas_table.view().table.frozen == 1
