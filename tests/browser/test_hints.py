"""Hints for a first game: seen in every language, had enough of, wanted back."""

import pytest
from playwright.sync_api import Page, expect

from companion.core.i18n import LANGUAGES, get_language, message
from companion.games import make_rulebook
from tests.browser.conftest import FILES, sit
from tests.browser.test_page_behaviour import SMALL, TOO_WIDE
from tests.browser.test_phone import SMALLEST
from tests.browser.test_play import some
from tests.worlds.axe import violations
from tests.worlds.own_games import own_games
from web.rendering.parts import current_hints

SPEAK = """async (language) => {
  const { sendSigned } = await import("/static/js/signing.mjs");
  const body = JSON.stringify({ language, key: "l1" });
  return (await sendSigned("/api/join/language", body, { "Content-Type": "application/json" })).ok;
}""".replace("/static", FILES)
HAD = """() => JSON.parse(localStorage.getItem("companion hints")).had"""
READ_MS = 10_500
"""A little more than a note is open until it counts as read."""
PLAYED_BEFORE = """() => localStorage.setItem("companion hints", JSON.stringify(
  { never: false, had: [], first: { bankueberfall: "yesterday" } }))"""


def hints(phone: Page):
    """The lines of the note, if it lies open."""
    return phone.locator("#hints[open] li")


@pytest.fixture
def ana(company, open_browser):
    """A simulated table, and Ana's small phone before the first tile."""
    table = company("bankueberfall")
    return table, sit(open_browser(SMALLEST, bypass_csp=True), table.address, "Ana")


@pytest.mark.wide
@pytest.mark.parametrize(("game", "code"), some([*own_games()], LANGUAGES))
def test_a_newcomer_is_told_in_every_language_what_happens_now(company, open_browser, game, code):
    table, rules, seen = company(game), make_rulebook(game), set[str]()
    phone = sit(open_browser(SMALLEST), table.address, "Ana")
    assert phone.evaluate(SPEAK, code)
    phone.reload()
    while table.view().public.verdict is None or len(seen) < 5:
        now = current_hints(rules, table.view(1))
        if now.phase not in seen:
            reads(phone, get_language(code), now)
        seen.add(now.phase)
        at = table.view().at
        table.until(lambda view, at=at: view.at > at)


def reads(phone, spoken, now):
    expect(hints(phone).first).to_have_text(spoken(message(now.sentences[0])))
    expect(hints(phone).last).to_have_text(spoken(message(now.sentences[2])))
    assert not phone.evaluate(TOO_WIDE)
    assert phone.evaluate(SMALL) == []


def test_what_somebody_has_got_stays_away_and_the_next_phase_has_its_own(ana):
    table, phone = ana
    phone.get_by_role("button", name="Got it").click()
    expect(hints(phone)).to_have_count(0)
    expect(phone.locator("#hints > summary")).to_be_focused()
    phone.reload()
    expect(phone.get_by_text("Hints", exact=True)).to_be_visible()
    expect(hints(phone)).to_have_count(0)
    assert violations(phone) == []
    table.until(lambda view: view.public.phase != "tile")
    expect(hints(phone)).to_have_count(3)


@pytest.mark.wide
def test_they_are_not_exchanged_by_others_and_fold_only_once_read(open_house, open_browser):
    house = open_house()
    ben = sit(open_browser(SMALLEST), house.address, "Ben")
    ben.clock.install()
    ben.clock.pause_at(4_000_000_000)  # A note counts as read when the test says so.
    ben.reload()
    lay_a_card(house, 1)
    expect(ben.locator("#hints[open][data-hints$=start]")).to_contain_text("You rob banks")
    house.do(2, 'tile_turned seat=2 tile="place"')
    expect(ben.locator("#hints[open][data-hints$=place]")).to_be_visible()
    house.do(2, "card_placed seat=2 bank=2")
    expect(ben.locator("#hints[open][data-hints$=start]")).to_be_visible()
    ben.clock.fast_forward(READ_MS)
    lay_a_card(house, 3)
    lay_a_card(house, 1)
    house.do(2, 'tile_turned seat=2 tile="rob"')
    expect(ben.locator("#hints[open][data-hints$=rob]")).to_be_visible()
    house.do(2, "bank_chosen seat=2 bank=3")
    expect(ben.locator("#hints[open][data-hints$=seal]")).to_be_visible()
    assert "bankueberfall start" in ben.evaluate(HAD)
    assert "bankueberfall rob" not in ben.evaluate(HAD)


def lay_a_card(house, seat: int) -> None:
    house.do(seat, f'tile_turned seat={seat} tile="place"', f"card_placed seat={seat} bank=1")


@pytest.mark.wide
def test_no_more_hints_means_none_until_they_are_asked_for(ana):
    table, phone = ana
    phone.get_by_role("button", name="No more hints").click()
    table.until(lambda view: view.public.phase == "seal")
    expect(phone.locator("#hints[data-hints$=seal]")).to_be_visible()
    expect(hints(phone)).to_have_count(0)
    phone.locator("#hints > summary").press("Enter")
    expect(hints(phone)).to_have_count(3)
    phone.reload()
    expect(hints(phone)).to_have_count(3)


@pytest.mark.wide
def test_at_a_real_table_the_second_game_is_no_first_one(open_house, open_browser):
    house = open_house()
    ben = sit(open_browser(SMALLEST), house.address, "Ben")
    expect(hints(ben)).to_have_count(3)
    ben.evaluate(PLAYED_BEFORE)
    ben.reload()
    expect(hints(ben)).to_have_count(0)
    ben.get_by_text("Hints", exact=True).click()
    house.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=3")
    expect(ben.locator("#hints[data-hints$=seal]")).to_be_visible()
    expect(hints(ben)).to_have_count(3)
