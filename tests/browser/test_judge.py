"""The judge in a real browser: sliding back, tapping a case, asking what if."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from companion.core.table_events import Frozen
from tests.browser.conftest import SCREEN
from tests.worlds.served import House

KINDS = ("bankueberfall&kind=robbery", "banque_fatale&kind=auction", "robby_solo&kind=round")


@pytest.fixture
def table_with_judge_called(put_up: Callable[..., House]) -> House:
    """Bank 1 with a ten was robbed; then somebody calls the judge."""
    return called(put_up(House))


def called(house: House) -> House:
    """The robbery, and then the judge."""
    house.lay("10", 1)
    house.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1")
    house.close(3, 4, 2).show(3, 4, 2)
    house.do(1, Frozen(1))
    return house


def visit(context: BrowserContext, house: House, path: str) -> Page:
    page = context.new_page()
    page.goto(house.address + path)
    return page


def test_everyone_slides_back_by_finger_and_by_keyboard(
    table_with_judge_called: House, open_browser: Callable[..., BrowserContext]
) -> None:
    page = visit(open_browser(), table_with_judge_called, "/judge")
    told, slider = page.locator(".told"), page.get_by_role("slider")
    expect(told).to_contain_text("Cleo reveals the choice.")
    page.get_by_role("button", name="The moment before").click()
    expect(told).to_contain_text("Ben reveals the choice.")
    slider.press("ArrowLeft")
    expect(told).to_contain_text("Ana reveals the choice.")
    slider.press("Home")
    expect(told).to_contain_text("The game begins.")
    assert page.url.endswith("?at=1")
    page.reload()
    expect(told).to_contain_text("The game begins.")


def test_a_typed_case_is_judged_again_at_every_tap_and_shared_by_its_address(
    table_with_judge_called: House, open_browser: Callable[..., BrowserContext]
) -> None:
    page = visit(open_browser(), table_with_judge_called, f"/judge/case?game={KINDS[0]}")
    gist, said = page.locator(".gist"), page.locator("#redrawn")
    page.locator("[data-tap] .face").nth(3).click()
    expect(gist).to_contain_text("Player 1 gets nothing")
    page.get_by_role("button", name="The bid of Player 2: more").click(click_count=2)
    expect(gist).to_contain_text("Player 2 gets 2\u00a0coins")
    expect(said.get_by_text("Player 2 bid 2 and wins 2; 3 left.")).to_have_count(1)
    page.get_by_role("button", name="Cards that are not known: more").click()
    expect(said.get_by_role("heading", name="It depends")).to_have_count(1)
    expect(said.locator(".ending").first).to_contain_text("If card 2 = ")
    assert "cards.%3F=1" in page.url, "the address holds the case as it is now"
    other = open_browser(SCREEN).new_page()
    other.goto(page.url)
    expect(other.get_by_role("heading", name="It depends")).to_have_count(1)
