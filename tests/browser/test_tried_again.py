"""What a page sends by itself is sent until it is done; a tap that was refused says why.

At the edge of the Wi-Fi single requests are lost, and a table that is asked too much at once
answers some with 429 or 503.
"""

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import FILES, SCREEN, sit
from tests.browser.test_judge import called, visit
from tests.worlds.host_page import become_host
from tests.worlds.served import House
from tests.worlds.served import ServedDemo as Quiet

EARLY = f"**{FILES}/js/early_taps.js"
MAIN = f"**{FILES}*/js/main.mjs"
IMPORTED = f"**{FILES}*/js/signing.mjs"
SHEET = f"**{FILES}*/css/main.css"
TOO_MUCH = "Too much at once. Please wait a moment."
STYLED = "() => getComputedStyle(document.body).marginTop === '0px'"
EAGER = 2
"""A browser that lost what it fetched beforehand asks once more by itself."""


def refuse_first(context, address, times, refuse):
    """Have the first requests for an address fail; return those that came, as they come."""
    came = []

    def decide(route):
        came.append(route.request.url)
        refuse(route) if len(came) <= times else route.continue_()

    context.route(address, decide)
    return came


def lose(route: Route) -> None:
    route.abort()


def put_off(route: Route) -> None:
    route.fulfill(status=429, json={"code": "http_429", "title": TOO_MUCH})


def be_busy(route: Route) -> None:
    route.fulfill(status=503, body="")


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(EARLY, id="early taps"),
        pytest.param(MAIN, id="script", marks=pytest.mark.wide),
        pytest.param(IMPORTED, id="imported script"),
        pytest.param(SHEET, id="sheet", marks=pytest.mark.wide),
    ],
)
def test_a_file_of_a_page_that_was_lost_is_loaded_again(company, open_browser, file):
    table, context = company("robby_solo"), open_browser()
    refuse_first(context, file, 1 if file == EARLY else EAGER, lose)
    page = context.new_page()
    page.goto(table.address)
    page.wait_for_function(STYLED)
    page.locator("li", has_text="Ana").get_by_role("button").click()
    page.wait_for_url("**/phone/1")
    expect(page.locator("#link")).to_be_hidden()


@pytest.mark.wide
@pytest.mark.parametrize("refuse", [lose, put_off, be_busy])
def test_the_slider_of_the_judge_shows_its_moment_though_the_table_was_busy(
    put_up, open_browser, refuse
):
    house, context = called(put_up(House)), open_browser()
    page = visit(context, house, "/judge")
    expect(page.locator(".told")).to_contain_text("Cleo reveals the choice.")
    refuse_first(context, "**/judge/back?*", 1, refuse)
    page.get_by_role("button", name="The moment before").click()
    expect(page.locator(".told")).to_contain_text("Ben reveals the choice.")


@pytest.mark.wide
@pytest.mark.parametrize("refuse", [lose, put_off, be_busy])
def test_a_case_is_judged_as_it_was_tapped_though_the_table_was_busy(put_up, open_browser, refuse):
    house, context = called(put_up(House)), open_browser()
    page = visit(context, house, "/judge/case?game=bankueberfall&kind=robbery")
    refuse_first(context, "**/judge/case?*", 1, refuse)
    page.locator("[data-tap] .face").nth(3).click()
    expect(page.locator(".gist")).to_contain_text("Player 1 gets nothing")


@pytest.mark.wide
def test_the_rule_of_a_refusal_comes_later_if_it_must(put_up, open_browser):
    house, context = put_up(House), open_browser()
    page = sit(context, house.address, "Ana")
    refused = {"code": "x", "title": "Not now.", "rule": "B.pay"}
    refuse_first(context, "**/requests", 1, lambda it: it.fulfill(status=409, json=refused))
    came = refuse_first(context, "**/rules/one/*", 2, put_off)
    page.get_by_text("Enter it here instead").click()
    page.get_by_role("button", name="Robbery", exact=True).click()
    expect(page.locator(".refusal details")).to_be_visible()
    assert len(came) == 3


@pytest.mark.wide
@pytest.mark.parametrize("refuse", [lose, put_off, be_busy])
def test_a_page_is_left_only_for_one_that_the_table_shows(company, open_browser, refuse):
    """The host has signed in, and just then the table is out of reach."""
    table, context = company("bankueberfall"), open_browser()
    page = context.new_page()
    came = refuse_first(context, f"{table.address}/host", 2, refuse)
    become_host(page, table.address, table.evening.host.journal.path.parent)
    expect(page.locator(".doors")).to_be_visible()
    assert len(came) > 2


@pytest.mark.wide
def test_an_idle_kiosk_returns_as_soon_as_the_table_is_there(put_up, open_browser):
    quiet, context = put_up(Quiet), open_browser(SCREEN, has_touch=True)
    quiet.turn()
    context.clock.install()
    screen = context.new_page()
    screen.goto(f"{quiet.url}/table?kiosk")
    screen.goto(f"{quiet.url}/judge/case?game=bankueberfall&kind=robbery")
    came = refuse_first(context, f"{quiet.url}/table", 2, lose)
    context.clock.run_for("05:01")
    screen.wait_for_url("**/table")
    assert len(came) > 2
