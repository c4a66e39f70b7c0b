"""The phone: one thing a screen within a thumb's reach, what is private only while it is held."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SURE_MS, seal, sit
from tests.worlds.served import House

BEN = 2
SMALLEST = {"width": 360, "height": 640}
MOST_BYTES = 60_000
OUT_OF_REACH = """() => [...document.querySelectorAll(".ask button, .ask select, .ask a.main")]
  .filter((e) => e.checkVisibility())
  .filter((e) => e.getBoundingClientRect().bottom
    > document.querySelector(".yours").getBoundingClientRect().top)
  .map((e) => e.outerHTML)"""


@pytest.fixture
def open_house(open_house: Callable[..., House]) -> Callable[..., House]:
    """A table with readers, a card at each bank; bank 3 is robbed."""
    robbed = ('tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=3")
    return lambda: open_house().do(1, *robbed)


@pytest.fixture
def robbed(open_house, open_browser):
    """A house in which bank 3 is robbed, and Ben's small phone."""
    house = open_house()
    return house, sit(open_browser(SMALLEST), house.address, "Ben")


def close_hand(phone: Page, coins: str) -> None:
    phone.get_by_label("Coins in your fist").fill(coins)
    seal(phone)
    expect(phone.get_by_text("Sealed. No one sees it")).to_be_visible()


def test_what_is_mine_shows_only_while_a_thumb_rests_on_it(robbed):
    _, ben = robbed
    coins = ben.get_by_text("10\u00a0coins", exact=True)
    expect(coins).to_be_hidden()
    ben.get_by_text("Hold to peek", exact=True).hover()
    ben.mouse.down()
    expect(coins).to_be_visible()
    ben.mouse.move(5, 5)
    ben.mouse.up()
    expect(coins).to_be_hidden()


@pytest.mark.wide
def test_keys_hold_as_thumbs_do_and_a_button_does_for_those_who_cannot(robbed):
    _, ben = robbed
    coins = ben.get_by_text("10\u00a0coins", exact=True)
    ben.locator("[data-peek]").focus()
    for key in ("Enter", " "):
        ben.keyboard.down(key)
        expect(coins).to_be_visible()
        ben.keyboard.up(key)
        expect(coins).to_be_hidden()
    stay = ben.get_by_role("button", name="Pin open")
    stay.click()
    expect(stay).to_have_attribute("aria-pressed", "true")
    expect(coins).to_be_visible()
    ben.evaluate("window.dispatchEvent(new Event('blur'))")
    expect(coins).to_be_hidden()


def test_a_phone_that_was_killed_still_knows_what_it_sealed(robbed):
    _, ben = robbed
    close_hand(ben, "4")
    ben.get_by_text("Undo my bid").click()
    ben.get_by_role("button", name="All").click()
    seal(ben)
    expect(ben.get_by_text("Sealed again. No one else can tell.")).to_be_visible()
    ben.goto("about:blank")
    ben.go_back()
    ben.get_by_role("button", name="Pin open").click()
    expect(ben.locator("[data-held]")).to_contain_text("Sealed 10")
    assert "10" not in ben.locator("#ask").inner_text()


def test_what_is_wrong_is_said_at_its_field_and_stays_to_be_mended(robbed):
    _, ben = robbed
    coins = ben.get_by_label("Coins in your fist")
    coins.fill("11")
    seal(ben)
    expect(ben.locator(".seal .refusal")).to_have_text("Take a whole number of coins from 0 to 10.")
    expect(coins).to_have_attribute("aria-invalid", "true")
    expect(coins).to_be_focused()
    ben.get_by_role("button", name="−1", exact=True).click()
    expect(coins).to_have_value("10")
    expect(coins).not_to_have_attribute("aria-invalid", "true")


def test_the_hand_is_closed_by_keys_alone(company, open_browser):
    table = company("robby_solo", persons_seat=BEN)
    phone = sit(open_browser(), table.address, "Ben")
    table.until(lambda view: BEN in view.public.waiting)
    expect(phone.locator(".seven input").first).to_be_enabled()
    phone.locator("#status").evaluate("(e) => { e.tabIndex = -1; e.focus(); }")
    for key in ("Tab", "Space", "ArrowDown", "Tab", "Enter"):
        phone.keyboard.press(key)
    phone.wait_for_timeout(SURE_MS)
    phone.keyboard.press("Enter")
    expect(phone.get_by_text("Sealed. No one sees it")).to_be_visible()
    phone.get_by_role("button", name="Pin open").click()
    second = table.view().public.banks[1].name
    expect(phone.locator("[data-held] [data-is]:visible")).to_have_attribute("data-is", second)
