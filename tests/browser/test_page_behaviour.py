"""The pages themselves: a hand that was lost, a page that nobody sees, a file that did not come.

What fits a page is measured here for all tests.
"""

import pytest
from playwright.sync_api import Page, Route, expect

from companion.games.start import LONGEST_NAME
from tests.browser.conftest import FILES, seal, sit

SIZES = [(390, 844), (360, 640), (1920, 1080)]
SMALL = """() => {
  const least = (e) => (e.matches("[data-piece]") ? 24 : 48);
  return [...document.querySelectorAll(
    "button, a.button, nav a, select, summary, "
    + "input:not([type=hidden], [type=radio], [type=checkbox])")]
  .filter((e) => e.checkVisibility() && Math.min(e.offsetWidth, e.offsetHeight) < least(e))
  .map((e) => e.outerHTML);
}"""
"""What is too small for a thumb; the pieces of a table that is seen whole on a phone lie closer,
and a box is ticked by its label."""
COVERED = """() => [...document.querySelectorAll("h1, h2, h3, p, li:not(.piece), button, .mark")]
  .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1)
  .map((e) => e.outerHTML)"""
FORGET_HANDS = """Object.keys(localStorage).filter((key) => key.startsWith("companion seal "))
  .forEach((key) => localStorage.removeItem(key))"""
"""Unlike the key of the browser, without which it would be another one."""
TOO_WIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth <= clientWidth ? "" : [...document.body.querySelectorAll("*")]
    .filter((e) => e.getBoundingClientRect().right > clientWidth)
    .map((e) => e.outerHTML.slice(0, 200)).join(" ") || "the page";
}"""
"""What reaches out of the page to the right."""


def tap(phone: Page, name: str) -> None:
    """Tap a card that no reader sees."""
    phone.get_by_text("Enter it here instead").click()
    button = phone.get_by_role("button", name=name, exact=True)
    button.click()
    expect(button).to_have_count(0)


@pytest.fixture
def robbed(play, open_browser):
    """Ana and Ben sit at the table, and bank 3 is robbed; nobody touched a piece."""
    playing = play("--seats", "2", "--seed", "1")
    ana = sit(open_browser(), playing.address, "Ana")
    ben = sit(open_browser(), playing.address, "Ben")
    tap(ana, "Robbery")
    tap(ana, "Bank 3")
    expect(ben.get_by_role("button", name="Seal my bid")).to_be_enabled()
    return playing, ana, ben


def close_hand(phone: Page, coins: str) -> None:
    phone.get_by_label("Coins in your fist").fill(coins)
    seal(phone)


@pytest.mark.wide
def test_a_browser_that_lost_the_hand_says_so_and_the_table_closes_anew(robbed):
    _, ana, ben = robbed
    close_hand(ana, "4")
    expect(ana.get_by_text("Sealed. No one sees it")).to_be_visible()
    ana.goto("about:blank")
    close_hand(ben, "3")
    ana.add_init_script(FORGET_HANDS)
    ana.go_back()
    expect(ana.get_by_text("Your choice was sealed in another browser")).to_be_visible()
    ana.get_by_role("button", name="Have everyone seal again").click()
    expect(ben.get_by_role("button", name="Seal my bid")).to_be_enabled()


def test_nobody_looks_so_nothing_is_streamed(hall, open_browser):
    page = open_browser().new_page()
    with page.expect_request("**/stream/table*"):
        page.goto(f"{hall().address}/table")
    with page.expect_event("requestfailed", lambda request: "/stream/" in request.url):
        look(page, hidden=True)
    with page.expect_request("**/stream/table*"):
        look(page, hidden=False)


def look(page: Page, hidden: bool) -> None:
    page.evaluate(
        """(hidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


@pytest.mark.parametrize("file", ["early_taps.js", "signing.mjs"])
def test_a_script_of_a_page_that_was_lost_is_loaded_again(company, open_browser, file):
    context, lost = open_browser(), list[str]()

    def lose(route: Route) -> None:
        """Lose it once; twice where the browser asks once more by itself."""
        lost.append(route.request.url)
        route.abort() if len(lost) <= (1 if file.endswith(".js") else 2) else route.continue_()

    context.route(f"**{FILES}*/js/{file}", lose)
    sit(context, company("robby_solo").address, "Ana").wait_for_url("**/phone/1")
    assert lost


def looks_right(page: Page) -> None:
    """Nothing is too wide, too small for a thumb or cut, on a phone or a large screen."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(TOO_WIDE), (page.url, width)
        assert page.evaluate(SMALL) == [], (page.url, width)
        assert page.evaluate(COVERED) == [], (page.url, width)


def test_the_longest_name_fits_on_a_phone(hall, open_browser):
    table = hall()
    table.begin("Ana", "W" * LONGEST_NAME, "Cem")
    table.seats.open_house = True
    looks_right(sit(open_browser(), table.address, "Ana"))
