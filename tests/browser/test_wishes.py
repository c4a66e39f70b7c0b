"""Chips that are taken by an order of preference: set by a few taps, then by themselves."""

from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.app.wish_taker import PAUSE, WishTaker
from companion.core.commitment import make_seal
from companion.core.events import Opened, Sealed
from companion.games.banque_fatale.state import CardDealt
from companion.table.permissions import Author
from tests.browser.conftest import LANGUAGES, sit
from tests.browser.test_page_behaviour import looks_right

BEN = 2
EACH = {"red": 2, "yellow": 2, "green": 2, "blue": 2, "orange": 2}
BIDS = (EACH, EACH, {"red": 2, "yellow": 2, "green": 2}, {})
NONCE = "0" * 32
SMALLEST = {"width": 360, "height": 640}
SIZES = ({"width": 390, "height": 844}, {"width": 390, "height": 664}, SMALLEST)
MOST_TAPS = 3


class Taps:
    """A thumb that is counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.many = page, 0

    def __call__(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()
        self.many += 1


def connect_again(phone: Page) -> None:
    """Let the phone come back into the Wi-Fi, and wait until it shows the whole state anew."""
    version = phone.locator("#version")
    version.evaluate(
        "(version) => { version.dataset.old = ''; dispatchEvent(new Event('online')); }"
    )
    expect(version).not_to_have_attribute("data-old", "")


@pytest.fixture
def after_auction(company) -> Any:
    """A table at which 26 chips lie in the middle; Ben's phone is a person's."""

    def auction(language: str = "en") -> Any:
        table = company("banque_fatale", persons_seat=BEN, language=language)
        room = table.evening.host.table
        card = table.evening.source.pieces.reported_fields(BEN, "card_dealt", {})["card"]
        assert room.request(CardDealt(BEN, card), Author(BEN, f"phone {BEN}")) is None
        table.until(lambda view: view.public.phase == "seal")
        game, hands = room.state.id, room.state.hands.round
        for seat, bid in enumerate(BIDS, 1):
            sealed = Sealed(seat, make_seal(game, hands, seat, bid, NONCE))
            assert room.request(sealed, Author(seat, f"phone {seat}")) is None
        for seat, bid in enumerate(BIDS, 1):
            assert room.request(Opened(seat, bid, NONCE), Author(seat, f"phone {seat}")) is None
        room.telling.skip()
        assert sum(room.state.middle.values()) == 26
        return table

    return auction


def test_26_chips_are_taken_back_by_three_taps(after_auction, open_browser):
    table = after_auction()
    room, seconds = table.evening.host.table, count(0.0, PAUSE)
    taker = WishTaker(room, table.room.wishes, lambda: next(seconds))
    phone = sit(open_browser(SMALLEST), table.address, "Ben")
    tap = Taps(phone)
    tap("orange: earlier")
    tap("red: later")
    tap("Take mine in this order")
    expect(phone.get_by_text("The table takes yours in this order.")).to_be_visible()
    assert tap.many <= MOST_TAPS
    order = table.room.wishes.read(room.state.id, BEN).order
    assert order == ("yellow", "red", "green", "orange", "blue")
    while room.state.phase == "take":
        if room.state.active == BEN:
            before = room.state.players[BEN - 1].chips
            colour = next(c for c in order if room.state.middle[c])
            while room.state.players[BEN - 1].chips == before:
                taker.take_when_due()
            assert room.state.players[BEN - 1].chips[colour] == before[colour] + 1
        else:
            assert table.evening.bots.play_one()
    expect(phone.locator("#wishes")).to_be_visible()


def test_one_may_stop_and_take_a_chip_oneself(after_auction, open_browser):
    table = after_auction()
    room = table.evening.host.table
    phone = sit(open_browser(SMALLEST), table.address, "Ben")
    phone.get_by_role("button", name="Take mine in this order").click()
    phone.get_by_role("button", name="Stop", exact=True).click()
    expect(phone.get_by_role("button", name="Take mine in this order")).to_be_visible()
    assert table.room.wishes.active_seats(room.state.id) == {}


def test_the_order_is_made_with_keys_and_told(after_auction, open_browser):
    """Each press is told; at an end of the row the other button has the focus."""
    table = after_auction()
    phone = sit(open_browser(SMALLEST), table.address, "Ben")
    phone.get_by_role("button", name="yellow: earlier").focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("[data-order]")).to_have_text("yellow, red, green, blue, orange")
    expect(phone.get_by_role("button", name="yellow: later")).to_be_focused()
    connect_again(phone)
    expect(phone.get_by_role("button", name="yellow: later")).to_be_focused()
    phone.keyboard.press("Enter")
    phone.keyboard.press("Enter")
    expect(phone.locator("[data-order]")).to_have_text("red, green, yellow, blue, orange")
    expect(phone.get_by_role("button", name="yellow: later")).to_be_focused()
    phone.get_by_role("button", name="Take mine in this order").press("Enter")
    expect(phone.get_by_text("The table takes yours in this order.")).to_be_visible()
    order = table.room.wishes.read(table.evening.host.table.state.id, BEN).order
    assert order == ("red", "green", "yellow", "blue", "orange")


@pytest.mark.wide
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_order_fits_on_a_small_phone(after_auction, open_browser, language):
    table = after_auction(language)
    phone = sit(open_browser(SMALLEST), table.address, "Ben")
    for press in (None, "#wishes .main"):
        if press:
            phone.locator(press).click()
            expect(phone.locator("#wishes .main")).to_have_count(0)
        looks_right(phone)
        for size in SIZES:
            phone.set_viewport_size(size)
            phone.locator("#wishes").scroll_into_view_if_needed()
            expect(phone.locator("#wishes button >> visible=true").last).to_be_in_viewport(ratio=1)
