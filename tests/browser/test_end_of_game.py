"""The end of a game on a phone: it is kept and signed, though the Wi-Fi is bad just then."""

import re

import pytest

from tests.browser.conftest import ALSO
from tests.worlds.served_phone_table import PhoneTable

BEN = 2
LATE = re.compile(r"/end_of_game[^/]*\.(js|mjs)(\?|$)")
WRITES = re.compile(rf"/api/seats/{BEN}/requests$")
KEPT = """() => JSON.parse(localStorage.getItem("companion ends"))?.[0]?.words.length === 1"""
SIGNED = """() => JSON.parse(localStorage.getItem("companion ends"))?.[0]?.signed.length === 1"""


def sit_down(context, table):
    page = context.new_page()
    page.goto(table.address)
    page.locator("#who-name").fill("Ben")
    page.locator("#who button").click()
    page.locator(f".at-{BEN} button").click()
    page.wait_for_url(f"**/phone/{BEN}")
    return page


def refuse_first(context, address, times, refuse):
    """Have the first requests for an address fail; return those that came, as they come."""
    came = []

    def decide(route):
        came.append(route.request.url)
        refuse(route) if len(came) <= times else route.continue_()

    context.route(address, decide)
    return came


FAILURES = (
    pytest.param(LATE, lambda route: route.abort(), id="no script"),
    pytest.param(WRITES, lambda route: route.abort(), id="no network"),
    pytest.param(
        WRITES,
        lambda route: route.fulfill(status=429, json={"code": "too_many_requests"}),
        id="too quick",
    ),
)


@pytest.mark.wide
@pytest.mark.parametrize(("address", "refuse"), FAILURES)
def test_what_fails_at_the_end_is_tried_again(put_up, open_browser, address, refuse):
    table, context = put_up(PhoneTable, "robby_solo"), open_browser()
    page = sit_down(context, table)
    table.start()
    came = refuse_first(context, address, 1, refuse)
    table.play_until("over")
    page.wait_for_function(SIGNED)
    assert len(came) >= 2
    (signed,) = [event for _, event in table.written() if event["event"] == "end_signed"]
    assert signed["seat"] == BEN


def test_a_phone_that_is_handed_on_keeps_the_end_that_comes_while_it_lies_there(
    put_up, open_browser
):
    table = put_up(PhoneTable, "robby_solo")
    page = sit_down(open_browser(), table)
    table.start()
    page.evaluate(ALSO, BEN + 1)
    page.goto(f"{table.address}/share")
    page.locator("#version[value]").wait_for(state="attached")
    table.play_until("over")
    page.wait_for_function(KEPT)
    assert not [event for _, event in table.written() if event["event"] == "end_signed"]
