"""What was seen is put right in a real browser, and every tap is counted."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from companion.core.events import Opened
from companion.core.table_events import Corrected
from tests.browser.conftest import sit
from tests.worlds.served_bot_table import Company
from tests.worlds.served_watched_table import House

MOST_TAPS = 5
Opener = Callable[..., BrowserContext]


class Finger:
    """A finger on phones, and how often it tapped."""

    def __init__(self) -> None:
        self.n = 0

    def tap(self, what: Locator) -> None:
        self.n += 1
        what.click()

    def link(self, page: Page, said: str) -> None:
        self.tap(page.get_by_role("link", name=said))

    def button(self, page: Page, said: str) -> None:
        self.tap(page.get_by_role("button", name=said, exact=True))

    def types(self, page: Page, written: str) -> None:
        """Tap keys on the keyboard of a phone."""
        self.n += len(written)
        page.keyboard.type(written)


@pytest.fixture
def robbed(put_up: Callable[..., Any]) -> House:
    """The reader of bank 1 read a detective; the bank was robbed."""
    house: House = put_up(House)
    for bank in range(1, 6):
        house.lay("detective" if bank == 1 else str(bank), bank)
    house.do(1, 'tile_turned seat=1 tile="place"')
    house.lay("10", 1)
    house.do(2, 'tile_turned seat=2 tile="rob"', "bank_chosen seat=2 bank=1")
    house.close(3, 4, 2).show(3, 4, 2)
    return house


def owed(page: Page) -> Locator:
    """What the last change came to: who owes whom."""
    return page.get_by_role("region", name="The last change")


def test_that_was_a_thief_and_not_a_detective(robbed: House, open_browser: Opener) -> None:
    ben, finger = sit(open_browser(), robbed.address, "Ben"), Finger()
    finger.link(ben, "Ask the judge")
    fact = ben.get_by_role("listitem").filter(has_text="At bank 1 lay: detective.")
    expect(fact.first).to_contain_text("reader 1")
    finger.link(ben, "Put right: At bank 1 lay: detective.")
    finger.button(ben, "thief")
    expect(owed(ben)).to_contain_text("Ana gets 1\u00a0red credit.")
    assert robbed.state.verdict.outcome == "stolen"
    assert finger.n == 3 <= MOST_TAPS


def test_he_bid_4_and_not_3(robbed: House, open_browser: Opener) -> None:
    ana, ben, cleo = (sit(open_browser(), robbed.address, name) for name in ("Ana", "Ben", "Cleo"))
    finger = Finger()
    finger.link(ben, "Ask the judge")
    finger.link(ben, "Put right: Ana bid 3\u00a0coins.")
    finger.button(ben, "4")
    expect(ben.get_by_role("alert").filter(has_text="must agree").first).to_be_visible()
    assert finger.n <= MOST_TAPS
    for phone in (ana, cleo):
        finger.button(phone, "I ask for it too")
    expect(owed(ana)).to_be_visible()
    expect(owed(ana)).to_contain_text("Ana")
    assert finger.n == MOST_TAPS, "three taps of the one who asks, and one of each other player"


def test_bots_agree_that_i_bid_4_and_not_3(put_up: Any, open_browser: Opener) -> None:
    table: Company = put_up(Company, "bankueberfall", players=("Ana", "Ben", "Cem", "Dora"))
    table.until(lambda view: view.public.phase == "refill")
    history = table.evening.host.table.history
    ben, finger = sit(open_browser(), table.address, "Ben"), Finger()
    table.evening.bots.persons_seat = 2
    opened = next(
        one.event
        for one in reversed(history.moments)
        if isinstance(one.event, Opened) and one.event.seat == 2
    )
    assert isinstance(opened.value, int)
    finger.link(ben, "Ask the judge")
    finger.link(ben, f"Put right: Ben bid {coins(opened.value)}.")
    finger.button(ben, str(opened.value + 1))
    expect(ben.get_by_role("alert").filter(has_text="must agree").first).to_be_visible()
    assert table.evening.bots.play_one()
    finger.link(ben, "Leave it as it is")
    expect(owed(ben)).to_be_visible()
    assert isinstance(table.evening.host.table.history.moments[-1].event, Corrected)
    assert finger.n <= MOST_TAPS


def coins(n: int) -> str:
    return f"{n}\u00a0coin{'s' * (n != 1)}"


def test_i_counted_i_own_23(robbed: House, open_browser: Opener) -> None:
    ben, finger = sit(open_browser(), robbed.address, "Ben"), Finger()
    finger.link(ben, "I counted what I own")
    finger.tap(ben.get_by_role("spinbutton", name="Coins"))
    finger.types(ben, "23")
    finger.button(ben, "That is what I own")
    expect(owed(ben)).to_contain_text("more than was noted.")
    assert robbed.state.players[1].coins == 23
    assert finger.n == MOST_TAPS
