"""The phone: one thing a screen within a thumb's reach, what is private only while it is held."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import SMALLEST, seal, sit
from tests.worlds.served import House

EARS = """() => {
  const begin = AudioContext.prototype.createOscillator;
  const count = (name) => {
    const marks = document.documentElement.dataset;
    marks[name] = (marks[name] ?? "") + "I";
  };
  navigator.vibrate = () => { count("felt"); return true; };
  AudioContext.prototype.createOscillator = function () {
    count("heard");
    return begin.call(this);
  };
}"""
"""Marks on the page the notes and the vibrations that it asks of the browser, a stroke for each."""


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
    ben.get_by_text("Hold to see what you own", exact=True).hover()
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
    expect(coins).to_be_visible()
    ben.get_by_role("button", name="Hide").click()
    expect(coins).to_be_hidden()
    stay.click()
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
    expect(ben.locator(".seal .refusal")).to_have_text("Take a whole number from 0 to 10.")
    expect(coins).to_have_attribute("aria-invalid", "true")
    expect(coins).to_be_focused()
    ben.get_by_role("button", name="−1", exact=True).click()
    expect(coins).to_have_value("10")
    expect(coins).not_to_have_attribute("aria-invalid", "true")


def test_a_called_judge_hides_the_question_and_keeps_a_half_entered_bid(robbed):
    house, ben = robbed
    coins = ben.get_by_label("Coins in your fist")
    coins.fill("4")
    house.do(1, "frozen seat=1")
    expect(ben.get_by_role("button", name="Play on")).to_be_visible()
    expect(coins).to_be_hidden()
    assert ben.evaluate("document.querySelector('#ask').offsetHeight") < 120
    ben.get_by_role("button", name="Play on").click()
    expect(coins).to_have_value("4")
    expect(coins).to_be_visible()


def test_one_of_a_few_values_is_one_tap(company, open_browser):
    table = company("banque_fatale")
    phone = sit(open_browser(SMALLEST), table.address, "Ben")
    asked = table.evening.host.table.view(2)
    assert (asked.public.phase, 2 in asked.public.waiting) == ("deal", True)
    phone.locator("#ask .choices button").first.click()
    expect(phone.locator("#status")).not_to_contain_text("Everyone gets")
    expect(phone.locator("#ask .choices button")).to_have_count(0)
    assert 2 not in table.evening.host.table.view().public.waiting


def test_a_thing_moves_forward_in_the_order_of_wishes(company, open_browser):
    table = company("banque_fatale")
    phone = sit(open_browser(SMALLEST), table.address, "Ben")
    table.until(lambda view: view.public.phase == "take" and 2 not in view.public.waiting)
    order = phone.locator(".wish-row li")
    button = order.nth(1).get_by_role("button")
    expect(button).to_be_visible()
    first, second = (order.nth(n).get_attribute("data-name") for n in (0, 1))
    button.click()
    expect(order.first).to_have_attribute("data-name", str(second))
    expect(phone.get_by_role("button", name=f"{first}: earlier")).to_be_focused()
    expect(phone.locator("[data-order]")).to_contain_text(f"{second}, {first}")


def test_a_phone_whose_turn_comes_is_felt_and_heard_where_its_sound_is_on(
    company, open_browser: Callable[..., BrowserContext]
) -> None:
    table, context = company("bankueberfall"), open_browser(reduced_motion="no-preference")
    context.add_init_script(f"({EARS})()")
    phone = sit(context, table.address, "Ben")
    phone.locator("h2").first.click()

    def ask_ben() -> None:
        """Have bots play until Ben is asked for something that he was not asked for."""
        table.until(lambda view: 2 not in view.public.waiting)
        table.until(lambda view: view.public.phase == "seal" and 2 in view.public.waiting)
        expect(phone.locator("[data-seals]")).to_be_enabled()

    ask_ben()
    page = phone.locator("html")
    expect(page).to_have_attribute("data-felt", re.compile("I"))
    assert page.get_attribute("data-heard") is None, "nobody has switched it on"
    phone.get_by_role("button", name="Sound").click()
    expect(page).to_have_attribute("data-heard", "II")
    ask_ben()
    expect(page).to_have_attribute("data-heard", re.compile("III"))
