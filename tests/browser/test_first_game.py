"""The thin line through the whole house, in a real browser.

A card laid on a simulated reader becomes an event, a journal line, a new state, a changed table
page and a request on a phone; hands close and open; one robbery is resolved and explained.
"""

import re

from playwright.sync_api import Page, expect

from companion.app.default_players import NAMES
from companion.core.i18n import get_language
from companion.core.verdict import render_steps
from companion.games import make_rulebook
from companion.journal import Journal
from tests.browser.conftest import FILES, SCREEN, seal, sit
from tests.worlds.journal_lines import every_line

PLACEMENT_THEN_ROBBERY = "7"
"""With this shuffle seat 1 of three first turns a Placement, and then the Robbery."""
BID = 2


def test_a_robbery_from_a_card_on_a_reader_to_the_verdict_on_every_page(play, open_browser):
    playing = play("--seed", PLACEMENT_THEN_ROBBERY)
    mine = open_browser()
    phone = sit(mine, playing.address, "Ana")
    cards, table = mine.new_page(), open_browser(SCREEN).new_page()
    cards.goto(f"{playing.address}/play")
    table.goto(f"{playing.address}/table")
    expect(phone.locator("#status")).to_have_text("Your turn. Turn over a tile.")

    turn_a_tile(cards)
    expect(phone.locator("#status")).to_have_text(
        "Your turn. Lay a card from your hand face down at a bank."
    )
    lay_a_card(cards, bank=4)
    expect(table.locator("#bank-4 .card")).not_to_have_count(1)

    turn_a_tile(cards)
    cards.locator("#spot-figure .wanted").get_by_role("button").click()
    cards.get_by_role("button", name="Lay it here (Bank 4)").click()
    close_hand(phone)

    expect(phone.locator("#status")).to_contain_text("Lay a new card from the pile")
    expect(table.locator("#bank-4")).to_contain_text("no cards")
    my_line = phone.locator(".my-line").inner_text()
    coins = phone.locator("#peek .purse").first.text_content()
    steps = said(phone)

    assert playing.stop() == 0
    state = replay(playing.journal)
    english = get_language("en").with_names(NAMES)
    assert steps == [step["text"] for step in render_steps(state.verdict, english)]
    assert steps[0].startswith(f"The bids: Ana {BID}, ")
    assert my_line == worded(state.verdict.change["seat 1"])
    assert coins == f"{state.players[0].coins}\u00a0coins"


def turn_a_tile(cards: Page) -> None:
    cards.locator("#spot-tiles .wanted").get_by_role("button").click()
    cards.get_by_role("button", name="Lay it here (Eighth spot)").click()


def lay_a_card(cards: Page, bank: int) -> None:
    cards.locator("#spot-hand .wanted").first.get_by_role("button").click()
    cards.get_by_role("button", name=f"Lay it here (Bank {bank})").click()


def close_hand(phone: Page) -> None:
    """+1 twice, and close; it opens by itself once everybody's hand is in."""
    for _ in range(BID):
        phone.get_by_role("button", name="+1").click()
    expect(phone.get_by_label("Coins in your fist")).to_have_value(str(BID))
    seal(phone)


def said(page: Page) -> list[str]:
    return page.locator(".verdict .said").all_text_contents()


def worded(change: int) -> str:
    coins = f"{abs(change)}\u00a0coin{'' if abs(change) == 1 else 's'}"
    if not change:
        return "No change."
    return f"You won {coins}." if change > 0 else f"You lost {coins}."


def replay(path):
    """The game as its journal tells it."""
    rules, journal, state = make_rulebook("bankueberfall"), Journal(path), None
    for line in every_line(journal):
        state = rules.apply(state, line.decode_event(rules.event_types))
    journal.close()
    return state


def test_a_seal_made_in_the_browser_is_the_seal_of_the_table(hall, open_browser):
    from companion.core.commitment import make_seal

    page = open_browser().new_page()
    page.goto(hall().address)
    for game, round, seat, value in (
        ("g1", 3, 2, 12),
        ("a|b", 1, 1, 0),
        ("é", 20, 6, "yellow"),
        ("g", 1, 4, {"red": 2, "blue": 1, "green": 0}),
    ):
        nonce, sealed = page.evaluate(
            """async ([game, round, seat, value]) => {
                const { randomHex, seal } = await import("/static/js/seal.mjs");
                const secret = randomHex();
                return [secret, seal(game, round, seat, value, secret)];
            }""".replace("/static", FILES),
            [game, round, seat, value],
        )
        assert re.fullmatch("[0-9a-f]{32}", nonce)
        assert sealed == make_seal(game, round, seat, value, nonce)
