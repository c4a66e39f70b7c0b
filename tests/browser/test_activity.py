"""What goes on besides the game, in a real browser: differences, undo, the judge, the button."""

import pytest
from playwright.sync_api import expect

from companion.core.table_events import Counted
from tests.browser.conftest import SCREEN, sit
from tests.worlds.served import House


def test_a_difference_shows_everywhere_and_one_tap_settles_it(open_house, open_browser):
    house = open_house()
    ana, table = sit(open_browser(), house.address, "Ana"), open_browser(SCREEN).new_page()
    table.goto(f"{house.address}/table")
    house.clear(3)
    missing = "Bank 3: was a card taken away?"
    expect(table.get_by_text(missing)).to_be_visible()
    expect(table.get_by_role("button", name="No, all is there")).to_have_count(0)
    ana.get_by_role("button", name="No, all is there").click()
    expect(table.get_by_text(missing)).to_have_count(0)
    expect(ana.get_by_text(missing)).to_have_count(0)
    assert house.last() == ("phone 1", "settled")


def test_a_moment_is_undone_and_the_difference_it_made_is_shown(open_house, open_browser):
    house = open_house()
    house.do(1, Counted(1, {"coins": 13}))
    ana = sit(open_browser(), house.address, "Ana")
    expect(ana.locator("#peek .purse").first).to_have_text("13\u00a0coins")
    ana.get_by_text("What happened last").click()
    at = house.table.version
    ana.locator(f"#moment-{at} summary").click()
    ana.locator(f"#moment-{at}").get_by_role("button").click()
    expect(ana.locator(f"#moment-{at} s")).to_have_text("Ana counted: 13\u00a0coins.")
    expect(ana.locator("#log")).to_have_attribute("open", "")
    expect(ana.get_by_text("Ana gives back 3\u00a0coins.")).to_be_visible()
    expect(ana.locator("#peek .purse").first).to_have_text("10\u00a0coins")


CALLED = "Your button called: look here."


@pytest.mark.wide
def test_a_button_calls_its_own_phone_only(open_house, open_browser):
    house = open_house()
    ana, ben = (sit(open_browser(), house.address, name) for name in ("Ana", "Ben"))
    expect(ben.locator("#ask")).to_have_attribute("data-woken", "0")
    ben.clock.install()
    ben.clock.pause_at(4_000_000_000)  # What stands for seconds only stays for as long as it takes.
    house.press(2)
    expect(ben.get_by_text(CALLED)).to_be_visible()
    expect(ben.locator("body.woken")).to_have_count(1)
    expect(ana.locator("#ask")).to_have_attribute("data-woken", "0")
    expect(ana.get_by_text(CALLED)).to_have_count(0)
    ben.clock.run_for(4_000)
    expect(ben.get_by_text(CALLED)).to_have_count(0)


def test_a_tap_whose_answer_was_lost_counts_once(open_house, open_browser):
    house = open_house()
    ana, at = sit(open_browser(), house.address, "Ana"), house.table.version
    ana.route("**/stream/**", lambda route: route.abort())
    ana.reload()
    ana.get_by_text("Enter it here instead").click()
    ana.route("**/requests", lose_the_answer)
    placement = ana.get_by_role("button", name="Placement", exact=True)
    placement.click()
    expect(ana.locator("#tap-tile_turned .refusal")).to_contain_text("cannot be reached")
    assert house.table.version == at + 1
    ana.unroute("**/requests")
    with ana.expect_response("**/requests") as answer:
        placement.click()
    assert answer.value.status == 204
    assert house.table.version == at + 1


def lose_the_answer(route) -> None:
    route.fetch()
    route.abort()


def all_at_once(house: House) -> None:
    """Differences, a place by hand, a correction, and the judge."""
    house.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    house.close(3, 0, 0).show(3, 0, 0)
    house.do(0, f'undone target={house.table.version} reason="mislaid"')
    house.settle(5, "hand")
    house.clear(3)
    house.lay("10", 1)
    house.lay_tag("04ffffffffffff", 4)
    house.press(2, held=True)
