"""One phone, two players, a cover in between; and all their hands open by themselves."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ALSO, SMALLEST, seal, sit
from tests.browser.test_phone import close_hand
from tests.worlds.served import House


@pytest.fixture
def table_being_robbed(open_house: Callable[..., House]) -> House:
    """Three play, a card lies at each bank, and bank 3 is robbed."""
    return open_house().do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=3")


@pytest.fixture
def shared(table_being_robbed: House, open_browser: Callable[..., object]) -> Page:
    """Ana's phone, from which Ben plays as well."""
    phone = sit(open_browser(SMALLEST), table_being_robbed.address, "Ana")  # type: ignore[arg-type]
    phone.evaluate(ALSO, 2)
    phone.goto(f"{table_being_robbed.address}/phone")
    phone.wait_for_url("**/share")
    return phone


def take_over(phone: Page, name: str) -> None:
    """The phone comes into somebody's hands."""
    phone.get_by_role("link", name=f"Hand the phone to {name}").click()
    phone.get_by_role("link", name=f"I am {name}").click()
    phone.wait_for_url("**/phone/*")


def test_the_phone_goes_from_hand_to_hand_and_opens_all_of_them(
    table_being_robbed, shared, open_browser
):
    cleo = sit(open_browser(), table_being_robbed.address, "Cleo")
    take_over(shared, "Ana")
    close_hand(shared, "4")
    shared.get_by_role("link", name="Hand the phone to Ben").click()
    expect(shared.get_by_text("This is for Ben alone.")).to_be_visible()
    shared.get_by_role("link", name="I am Ben").click()
    close_hand(shared, "3")
    shared.get_by_role("link", name="Hand the phone on").click()
    expect(shared.locator("#hand-1")).to_contain_text("sealed")
    cleo.get_by_label("Coins in your fist").fill("0")
    seal(cleo)
    expect(shared.get_by_text("Ben +3")).to_be_visible()
    assert opened(table_being_robbed) == [(1, 4), (2, 3), (3, 0)]


def opened(house: House) -> list[tuple[int, object]]:
    events = [event for _, event in house.written() if event["event"] == "opened"]
    return sorted((event["seat"], event["value"]) for event in events)
