"""What was seen is put right in a real browser, and every tap is counted."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from companion.core.events import Opened
from companion.core.table_events import Corrected
from tests.browser.conftest import sit
from tests.browser.test_host import sign_in
from tests.worlds.served import Company, House

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
def robbed(put_up: Callable[..., Any]) -> Company:
    """A bank was robbed, and what its cards brought was paid out."""
    company: Company = put_up(Company, "bankueberfall", players=("Ana", "Ben", "Cem", "Dora"))
    company.until(lambda view: view.public.phase == "refill")
    return company


def owed(page: Page) -> Locator:
    """What the last change came to: who owes whom."""
    return page.get_by_role("region", name="The last change")


LOOT = [("bankueberfall", "At bank . lay: "), ("robby_solo", "At the .* bank: ")]
"""What a verdict says of a card that it rests on, by the game."""


@pytest.mark.parametrize(("game", "said"), LOOT)
def test_the_host_says_that_it_was_another_card(
    put_up: Callable[..., Any], open_browser: Opener, game: str, said: str
) -> None:
    company: Company = put_up(Company, game, players=("Ana", "Ben", "Cem", "Dora"))
    company.until(lambda view: view.public.verdict is not None)
    page, finger = sign_in(open_browser(), company), Finger()
    finger.tap(page.locator('a[href="/judge"]').first)
    finger.tap(page.get_by_text("What it rests on"))
    finger.tap(page.get_by_role("link", name=re.compile(f"Put right: {said}")).first)
    page.locator("#reason").select_option(value='"misread"')
    finger.tap(page.locator(".instead button").first)
    expect(owed(page)).to_be_visible()
    corrected = company.evening.host.table.history.moments[-1].event
    assert isinstance(corrected, Corrected)
    assert corrected.reason == "misread"
    assert finger.n <= MOST_TAPS


def test_the_host_says_that_he_bid_4_and_not_3(robbed: Company, open_browser: Opener) -> None:
    page, finger = sign_in(open_browser(), robbed), Finger()
    moments = robbed.evening.host.table.history.moments
    opened = next(
        one.event
        for one in reversed(moments)
        if isinstance(one.event, Opened) and one.event.seat == 2
    )
    assert isinstance(opened.value, int)
    finger.tap(page.locator('a[href="/judge"]').first)
    finger.tap(page.get_by_text("What it rests on"))
    finger.link(page, f"Put right: Ben bid {coins(opened.value)}.")
    finger.button(page, str(opened.value + 1))
    expect(owed(page)).to_be_visible()
    assert finger.n <= MOST_TAPS


def coins(n: int) -> str:
    return f"{n}\u00a0coin{'s' * (n != 1)}"


def test_i_counted_i_own_23(open_house: Callable[..., House], open_browser: Opener) -> None:
    house = open_house()
    ben, finger = sit(open_browser(), house.address, "Ben"), Finger()
    finger.link(ben, "My count does not match")
    finger.tap(ben.get_by_role("spinbutton", name="Coins"))
    finger.types(ben, "23")
    finger.button(ben, "Confirm")
    expect(owed(ben)).to_contain_text("more than was noted.")
    assert house.state.players[1].coins == 23
    assert finger.n == MOST_TAPS
