"""The drawer: every fault is made once in a game that goes on and ends right, and bots are told how
to play.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.app.default_players import NAMES
from tests.worlds.browser_hands import WIDE, Mouse
from tests.worlds.browser_player import PIECE
from tests.worlds.campaign import IS_LARGE
from tests.worlds.served import Company
from tests.worlds.simulated_hands import looks

LONGEST = 60
"""Seconds after which a reader has surely been heard of."""


@pytest.fixture
def anas_table(company) -> Company:
    found: Company = company("bankueberfall", persons_seat=1, players=NAMES[:3])
    return found


@pytest.fixture
def ana(anas_table, open_browser) -> Mouse:
    player = Mouse(open_browser, anas_table.address, "Ana")
    player.table.locator("#drawer summary").click()
    return player


def fault(page: Page, kind: str, button: str) -> None:
    """Use this one of the drawer."""
    with page.expect_response("**/faults"):
        page.locator(f"#drawer [form^={kind}-]", has_text=button).click()


def until(table: Company, agreed: Callable[[], bool]) -> None:
    """Time passes until it is so."""
    for _ in range(LONGEST):
        if agreed():
            return
        looks(table.evening)
    raise AssertionError("this never comes")


def lay_one(table: Company, ana: Mouse) -> None:
    """Ana's next piece, once it is her turn to move one."""
    table.until(lambda view: view.public.phase in ("tile", "place") and 1 in view.public.waiting)
    ana.sees(table.view().at)
    ana.table.evaluate("scrollTo(0, 0)")
    ana.lay()
    seen = table.view().at
    until(table, lambda: table.view().at > seen)


def goes_on(table: Company) -> None:
    """Bots play on for everyone, to the end if there is time, and all is as it should be."""
    table.evening.bots.persons_seat, now = 0, table.view().public.round
    table.until(lambda view: view.public.phase == "over" if IS_LARGE else view.public.round > now)
    assert table.view().table.todos == ()
    assert table.view().table.by_hand == ()


def test_a_pulled_cable_makes_a_place_for_taps_until_it_is_plugged_in(anas_table, ana):
    page = ana.table
    fault(page, "cable", "Bank 3")
    expect(page.locator("#bank-3 .reader")).to_have_text("cable pulled")
    until(anas_table, lambda: anas_table.view().table.by_hand == (3,))
    expect(page.locator("#bank-3 .reader")).to_have_text("tap on the phone")
    expect(page.locator("#bill")).to_contain_text("Bank 3: enter cards on a phone.")
    lay_one(anas_table, ana)
    fault(page, "cable", "Bank 3")
    until(anas_table, lambda: anas_table.view().table.by_hand == ())
    expect(page.locator("#bank-3 .reader")).to_have_count(0)
    goes_on(anas_table)


@pytest.mark.wide
def test_a_second_sticker_is_asked_to_be_taken_off(anas_table, ana):
    page = ana.table
    fault(page, "stack", "Bank 2")
    looks(anas_table.evening, 3)
    strange = page.locator("#todos", has_text="an unknown sticker lies there")
    expect(strange).to_be_visible()
    fault(page, "stack", "Bank 2")
    until(anas_table, lambda: anas_table.view().table.todos == ())
    expect(strange).to_have_count(0)
    lay_one(anas_table, ana)
    goes_on(anas_table)


@pytest.mark.wide
def test_a_button_that_chatters_counts_once(anas_table, ana):
    page = ana.table
    fault(page, "bounce", "Ana")
    before = anas_table.view(1).table.woken
    with page.expect_response("**/press"):
        page.get_by_role("button", name="Press the button of your seat").click()
    looks(anas_table.evening, 2)
    assert anas_table.view(1).table.woken == before + 1
    fault(page, "bounce", "Ana")
    goes_on(anas_table)


@pytest.mark.wide
def test_lost_frames_lose_no_card(anas_table, ana):
    page = ana.table
    with page.expect_response("**/faults"):
        page.locator("#drawer").get_by_role("button", name="10 %").click()
    lay_one(anas_table, ana)
    with page.expect_response("**/faults"):
        page.locator("#drawer button[name=at][value='0']").click()
    goes_on(anas_table)


@pytest.mark.wide
def test_a_plug_that_cannot_be_pulled_is_refused_in_a_sentence(ana):
    ana.table.locator("#drawer").get_by_role("button", name="Pull the plug").click()
    said = ana.table.locator("#aside")
    expect(said).to_contain_text("its plug cannot be pulled from a page")
    expect(ana.table.locator("#link")).to_be_hidden()
    expect(said).to_be_in_viewport(ratio=1)


@pytest.mark.wide
def test_the_pace_of_the_bots_is_chosen(anas_table, ana):
    ana.table.locator("#drawer").get_by_role("button", name="slowly").click()
    expect(ana.table.locator("#drawer [aria-pressed=true]", has_text="slowly")).to_be_visible()
    assert anas_table.evening.bots.pace == "slow"


@pytest.mark.wide
def test_another_game_is_laid_out_for_as_many_as_one_likes(anas_table, ana):
    ana.table.get_by_role("button", name="Robby Solo with 4 seats").click()
    expect(ana.table.locator(".brand")).to_have_text("Robby Solo")
    expect(ana.table.locator("#wood .plate[id^=seat-]")).to_have_count(4)


@pytest.mark.wide
def test_whatever_is_refused_is_said_in_sight(ana):
    ana.table.locator(PIECE).evaluate("(piece) => (piece.value = 99)")
    ana.table.locator(PIECE).click()
    said = ana.table.locator("#aside")
    expect(said).to_contain_text("You cannot pick up that piece")
    expect(said).to_be_in_viewport(ratio=1)


@pytest.mark.wide
def test_a_seat_of_a_bot_is_taken_over_and_given_back(play, open_browser):
    address = play().address
    page = open_browser(WIDE).new_page()
    page.goto(address)
    page.locator("li", has_text="Ana").get_by_role("button").click()
    page.wait_for_url("**/phone/*")
    page.goto(f"{address}/play/1")
    page.locator("#drawer summary").click()
    page.get_by_role("button", name="Take over Ben").click()
    page.locator("#seat-2").get_by_role("link", name="yours too").click()
    expect(page.locator("#seat-2 .sort")).to_have_text("you")
    expect(page.locator("#spot-hand .face")).to_have_count(5)
    page.goto(f"{address}/play/1")
    page.locator("#drawer summary").click()
    page.get_by_role("button", name="Give back Ben").click()
    expect(page.locator("#seat-2 .sort")).to_have_text("bot")
