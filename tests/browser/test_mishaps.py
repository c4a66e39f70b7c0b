"""What befalls phones: two tabs, somebody else's address, the back button, a page of yesterday."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.core.commitment import make_seal
from companion.core.events import Sealed
from companion.host.run_on_loop import TableBusy
from tests.browser.conftest import PHONE, SURE_MS, seal, sit
from tests.worlds.served import Company, House
from tests.worlds.watched_table import NONCE

BEN = 2
CLOSED = "Sealed. No one sees it"
ELSEWHERE = "This browser does not play from that seat."
BIDS = {"bankueberfall": "[data-value]", "banque_fatale": "[data-value=red]"}
"""The first field of a hand. That of Robby Solo is tried in test_phone."""


@pytest.fixture
def table_before_robbery(tmp_path: Path) -> Iterator[House]:
    """Three play; a card lies at each bank, and Ana is to say which one is robbed."""
    house = House(tmp_path / "house.sqlite3")
    for bank in range(1, 6):
        house.lay("5", bank)
    yield house.do(1, 'tile_turned seat=1 tile="rob"')
    house.shut()


@pytest.fixture
def company(tmp_path: Path) -> Iterator[Callable[..., Company]]:
    """A simulated table of a game."""
    tables: list[Company] = []

    def meet(game: str) -> Company:
        tables.append(Company(tmp_path / "company.sqlite3", game))
        return tables[-1]

    yield meet
    for table in tables:
        table.shut()


def rob(house: House) -> None:
    house.do(1, "bank_chosen seat=1 bank=3")


def close_hand(phone: Page, coins: str) -> None:
    phone.get_by_label("Coins in your fist").fill(coins)
    seal(phone)
    expect(phone.get_by_text(CLOSED)).to_be_visible()


def others_close(house: House) -> None:
    for seat in (1, 3):
        house.do(seat, Sealed(seat, make_seal(house.state.id, 1, seat, 0, NONCE)))


def opened(house: House) -> list[object]:
    events = (event for _, event in house.written() if event["event"] == "opened")
    return [event["value"] for event in events if event["seat"] == BEN]


def test_of_two_tabs_the_newer_goes_on_and_opens_what_the_older_closed(
    table_before_robbery, open_browser
):
    rob(table_before_robbery)
    context = open_browser()
    older = sit(context, table_before_robbery.address, "Ben")
    close_hand(older, "3")
    newer = context.new_page()
    newer.goto(older.url)
    expect(newer.get_by_text(CLOSED)).to_be_visible()
    expect(older.get_by_text("This page is open in another tab.")).to_be_visible()
    with newer.expect_response("**/api/seats/2/requests"):
        others_close(table_before_robbery)
    assert opened(table_before_robbery) == [3]


@pytest.mark.wide
def test_somebody_elses_address_leads_to_the_door_and_says_why(table_before_robbery, open_browser):
    rob(table_before_robbery)
    sit(open_browser(), table_before_robbery.address, "Ana")
    ben = sit(open_browser(), table_before_robbery.address, "Ben")
    ben.goto(f"{table_before_robbery.address}/phone/1")
    ben.wait_for_url("**/phone/elsewhere")
    expect(ben.get_by_text(ELSEWHERE)).to_be_visible()
    assert ben.request.get(f"{table_before_robbery.address}/api/seats/1").status == 403
    ben.goto(f"{table_before_robbery.address}/phone")
    close_hand(ben, "2")


@pytest.mark.wide
def test_a_cookie_of_another_table_is_a_strangers(table_before_robbery, open_browser):
    rob(table_before_robbery)
    ben = sit(open_browser(), table_before_robbery.address, "Ben")
    (cookie,) = ben.context.cookies()
    value = cookie["value"]
    other = "A" if value[-9] != "A" else "B"  # Of the last letter not every bit counts.
    ben.context.add_cookies([{**cookie, "value": f"{value[:-9]}{other}{value[-8:]}"}])
    ben.goto(f"{table_before_robbery.address}/phone/2")
    ben.wait_for_url("**/phone/elsewhere")


@pytest.mark.wide
def test_the_way_back_after_closing_leads_to_the_closed_hand(table_before_robbery, open_browser):
    rob(table_before_robbery)
    ben = sit(open_browser(), table_before_robbery.address, "Ben")
    close_hand(ben, "4")
    ben.get_by_role("link", name="Table", exact=True).click()
    ben.wait_for_url("**/table")
    ben.go_back()
    expect(ben.get_by_text(CLOSED)).to_be_visible()
    expect(ben.get_by_role("button", name="Seal my bid")).to_be_hidden()
    with ben.expect_response("**/requests"):
        others_close(table_before_robbery)
    expect(ben.get_by_text("Waiting for Ana and Cleo.")).to_be_visible()
    assert opened(table_before_robbery) == [4]


@pytest.mark.wide
def test_a_page_of_an_earlier_phase_shows_the_present_one(table_before_robbery, open_browser):
    ben = sit(open_browser(), table_before_robbery.address, "Ben")
    expect(ben.get_by_text("Waiting for Ana.")).to_be_visible()
    ben.goto(f"{table_before_robbery.address}/judge")
    rob(table_before_robbery)
    ben.go_back()
    close_hand(ben, "1")


@pytest.mark.wide
@pytest.mark.parametrize("game", BIDS)
def test_a_hand_is_filled_and_closed_by_keys_alone(company, open_browser, game):
    table = company(game)
    phone = sit(open_browser(PHONE), table.address, "Ben")
    table.until(lambda view: view.public.phase == "seal")
    expect(phone.get_by_role("button", name="Seal my bid")).to_be_enabled()
    phone.locator("#status").evaluate("(e) => { e.tabIndex = -1; e.focus(); }")
    for way in (BIDS[game], "form[data-seal] button.main"):
        go_to(phone, way)
        phone.keyboard.press("1" if way == BIDS[game] else "Enter")
    phone.wait_for_timeout(SURE_MS)
    phone.keyboard.press("Enter")
    expect(phone.get_by_text(CLOSED)).to_be_visible()
    phone.get_by_role("button", name="Pin open").press("Enter")
    expect(phone.locator("[data-held] [data-many]:visible")).to_have_text("1")


def go_to(phone: Page, way: str) -> None:
    """With the Tab key, as far as it takes."""
    for _ in range(40):
        if phone.evaluate("(way) => document.activeElement.matches(way)", way):
            return
        phone.keyboard.press("Tab")
    raise AssertionError(f"no key leads to {way}")


@pytest.mark.wide
def test_a_piece_is_put_back_by_itself_once_the_table_has_time_again(company, open_browser):
    table = company("bankueberfall")
    host, refused = table.evening.host, list[object]()
    free = host.run_on_loop

    def held_up_once(act: Callable[[], object]) -> object:
        host.run_on_loop = free
        refused.append(act)
        raise TableBusy

    page = sit(open_browser(), table.address, "Ana")
    page.goto(f"{table.address}/play/1")
    page.locator("#spot-tiles [data-piece]").last.click()
    expect(page.locator("#held")).to_be_visible()
    host.run_on_loop = held_up_once
    page.locator("#put-back").get_by_role("button").click()
    expect(page.locator("#held")).to_have_count(0)
    assert len(refused) == 1
    expect(page.locator("#aside")).to_be_empty()
