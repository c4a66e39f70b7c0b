"""The phone: one thing a screen within a thumb's reach, what is private only while it is held."""

import gzip
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.core.events import Sealed
from tests.browser.conftest import FILES, LANGUAGES, PHONE, SURE_MS, seal, sit
from tests.browser.test_page_behaviour import SMALL, TOO_WIDE
from tests.worlds.own_games import own_games
from tests.worlds.served import House

BEN = 2
SMALLEST = {"width": 360, "height": 640}
MOST_BYTES = 60_000
MOST_FONT_BYTES = 60_000
SIT = """async () => (await import("/static/js/signing.mjs")).sendSigned(
  "/api/join/seats/2", '{"key":"a1"}', { "Content-Type": "application/json" })""".replace(
    "/static", FILES
)
OUT_OF_REACH = """() => [...document.querySelectorAll(".ask button, .ask select, .ask a.main")]
  .filter((e) => e.checkVisibility())
  .filter((e) => e.getBoundingClientRect().bottom
    > document.querySelector(".yours").getBoundingClientRect().top)
  .map((e) => e.outerHTML)"""
SHAKES = "window.shakes = []; navigator.vibrate = (how) => window.shakes.push(how);"


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


@pytest.mark.wide
def test_what_is_kept_in_sight_stays_while_the_table_moves_on(robbed):
    house, ben = robbed
    ben.get_by_role("button", name="Pin open").click()
    house.close(1)
    expect(ben.get_by_text("Robbery at bank 3!")).to_be_visible()
    expect(ben.get_by_text("10\u00a0coins", exact=True)).to_be_visible()
    expect(ben.get_by_role("button", name="Pin open")).to_have_attribute("aria-pressed", "true")


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


@pytest.mark.wide
def test_big_steps_none_and_all(robbed):
    _, ben = robbed
    coins = ben.get_by_label("Coins in your fist")
    for button, value in (("+5", "5"), ("+5", "10"), ("+1", "10"), ("−1", "9"), ("No coins", "0")):
        ben.get_by_role("button", name=button, exact=True).click()
        expect(coins).to_have_value(value)


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


def test_the_phone_shakes_for_its_own_seat_and_for_nobody_else(open_house, open_browser):
    house, context = open_house(), open_browser()
    context.add_init_script(SHAKES)
    ben = sit(context, house.address, "Ben")
    close_hand(ben, "1")
    assert ben.evaluate("shakes") == []
    house.do(1, Sealed(1, "a" * 64))
    expect(ben.get_by_text("Waiting for Cleo.")).to_be_visible()
    assert ben.evaluate("shakes.length") == 0
    house.do(3, Sealed(3, "b" * 64))
    expect(ben.get_by_text("Waiting for Ana and Cleo.")).to_be_visible()
    expect(ben.locator("#ask")).to_have_attribute("data-signal", "opened 1")
    assert ben.evaluate("shakes.length") == 1
    house.do(1, "resealed")
    expect(ben.get_by_role("button", name="Seal my bid")).to_be_enabled()
    assert ben.evaluate("shakes.length") == 2


@pytest.mark.wide
def test_sound_is_off_until_somebody_asks_for_it_and_then_kept(robbed):
    _, ben = robbed
    sound = ben.get_by_role("button", name="Sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    ben.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")


@pytest.mark.wide
def test_large_letters_push_nothing_off_the_page(robbed):
    _, ben = robbed
    ben.evaluate("document.documentElement.style.fontSize = '200%'")
    assert not ben.evaluate(TOO_WIDE)
    ben.get_by_role("button", name="+5").click()
    seal(ben)
    expect(ben.get_by_text("Sealed. No one sees it")).to_be_visible()
    assert not ben.evaluate(TOO_WIDE)


@pytest.mark.wide
def test_the_whole_page_weighs_little(open_house, open_browser):
    house, page = open_house(), open_browser().new_page()
    page.goto(house.address)
    sizes: dict[str, int] = {}
    page.on(
        "response",
        lambda r: None if "/stream/" in r.url else sizes.update({r.url: 0}),
    )
    page.locator("li", has_text="Ben").get_by_role("button").click()
    page.wait_for_url("**/phone/*")
    expect(page.get_by_role("button", name="Seal my bid")).to_be_enabled()
    while unknown := [url for url, n in sizes.items() if not n and "/api/" not in url]:
        for url in unknown:  # A late picture may come meanwhile.
            sizes[url] = len(gzip.compress(page.request.get(url).body()))
    fonts = {url: sizes.pop(url) for url in [*sizes] if "/fonts/" in url}
    assert sum(sizes.values()) <= MOST_BYTES, sizes
    assert sum(fonts.values()) <= MOST_FONT_BYTES, fonts


@pytest.mark.wide
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", own_games())
def test_what_is_asked_is_within_reach_in_every_phase(company, open_browser, game, code):
    """At the declaration all statements stand there: this browser closed no hand."""
    table, phases = company(game, language=code), set[str]()
    table.until(lambda view: BEN in view.public.waiting)
    phone = open_browser(SMALLEST).new_page()
    phone.goto(table.address)
    phone.evaluate(SIT)
    phone.goto(f"{table.address}/phone/{BEN}")
    while {"seal", "open"} - phases or table.view().public.verdict is None:
        view = table.view()
        if BEN in view.public.waiting and view.public.phase not in {*phases, "declare"}:
            expect(phone.locator("#version")).to_have_js_property("value", str(view.at))
            within_reach(phone)
        phases.add(view.public.phase)
        before = view.at
        table.until(lambda view, before=before: view.at > before)


def within_reach(phone: Page) -> None:
    for size in (SMALLEST, PHONE):
        phone.set_viewport_size(size)
        phone.evaluate("document.fonts.ready")
        assert phone.evaluate(OUT_OF_REACH) == [], (phone.locator("#status").inner_text(), size)
        assert not phone.evaluate(TOO_WIDE)
        assert phone.evaluate(SMALL) == []
