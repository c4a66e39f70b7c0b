"""One phone in a real browser plays a whole round of the other two games, against bots."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.app.default_players import NAMES
from companion.core.i18n import get_language
from companion.core.verdict import render_steps
from tests.browser.conftest import LANGUAGES, SCREEN, seal, sit
from tests.browser.test_page_behaviour import looks_right
from tests.browser.test_play_layout import in_step
from tests.worlds.simulated_hands import does

BEN = 2
ROB, LEAVE = "I rob it", "I leave it alone"
SHORT, SMALLEST = {"width": 390, "height": 664}, {"width": 360, "height": 640}
THUMB = 44
UNSEEN = """() => {
  const bar = document.querySelector(".yours").getBoundingClientRect().top;
  return [...document.querySelectorAll(".two-taps input:not([type=hidden]), .two-taps button")]
    .filter((e) => e.getBoundingClientRect().bottom > bar).map((e) => e.outerHTML);
}"""
"""What a declaration is made with, and cannot be seen without scrolling."""


def waits_for_ben(view: Any) -> bool:
    return BEN in view.public.waiting


def opened(view: Any) -> bool:
    """Whether every hand is open, but for Ben's, which opens by itself."""
    if view.public.phase == "open":
        return bool(view.public.waiting == (BEN,))
    return view.public.phase not in ("seal", "declare", "change")


def said(page: Page) -> list[str]:
    return page.locator(".verdict .said").all_text_contents()


def spoken(*verdicts: Any) -> list[str]:
    words = get_language("en")
    return [step["text"] for verdict in verdicts for step in render_steps(verdict, words)]


def fill(phone: Page, value: str) -> None:
    phone.locator("form.fill select").first.select_option(value)
    phone.get_by_role("button", name="Confirm").first.click()


def test_a_round_of_banque_fatale_on_a_phone(company, open_browser):
    table = company("banque_fatale", persons_seat=BEN)
    phone, screen = sit(open_browser(), table.address, "Ben"), open_browser(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    expect(phone.get_by_text("Say which card of a single colour")).to_be_visible()
    card = table.evening.source.pieces.reported_fields(BEN, "card_dealt", {})["card"]
    fill(phone, f'"{card}"')
    expect(screen.locator(f"#player-{BEN} .card")).to_contain_text(card)

    table.until(lambda view: view.public.phase == "seal")
    phone.locator("[data-value=red]").fill("3")
    seal(phone)
    wrong = phone.get_by_text("Take no more chips of a colour than you own.")
    expect(wrong).to_be_in_viewport(ratio=1)
    phone.locator("[data-value=red]").fill("2")
    phone.locator("[data-value=blue]").fill("1")
    seal(phone)
    expect(phone.get_by_text("Sealed. No one sees it")).to_be_visible()

    table.until(opened)
    expect(phone.locator("#verdict-head")).to_have_text("The last auction")
    while (
        table.until(
            lambda view: waits_for_ben(view) or view.public.phase in ("sell", "choose")
        ).public.phase
        == "take"
    ):
        expect(phone.get_by_text("Take one chip from the middle.")).to_be_visible()
        at = table.view().at
        phone.locator("form.act").get_by_role("button").first.click()
        expect(phone.locator("#version")).not_to_have_js_property("value", str(at))
    view = table.until(lambda view: view.public.phase == "choose").public
    assert "Ben 3 (red 2, blue 1)" in spoken(view.verdict)[0]
    expect(phone.get_by_text("Choose the open card to auction.")).to_be_visible()
    in_step(screen, table)  # The phones are told before it.
    assert said(phone) == said(screen) == spoken(view.verdict, view.sale)
    mine = table.view(BEN).mine
    expect(phone.locator(".sheet .token")).to_have_count(sum(n > 0 for n in mine.chips.values()))
    phone.locator("#tap-card_chosen summary").click()
    phone.locator("#tap-card_chosen").get_by_role("button").first.click()
    expect(screen.locator(".auction .card")).to_have_count(1)
    assert table.view().public.auctioned == view.open_cards[0]


@pytest.mark.wide
def test_two_rounds_of_robby_solo_on_a_phone(company, open_browser):
    """In the first one Ben lays again; in the second he is the Gentleman."""
    table = company("robby_solo", persons_seat=BEN)
    phone, screen = sit(open_browser(), table.address, "Ben"), open_browser(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    table.until(waits_for_ben)
    seal(phone)
    expect(phone.get_by_text("Choose a bank of the row first.")).to_be_visible()
    lay(phone, "green")
    expect(phone.get_by_text("Sealed. No one sees it")).to_be_visible()
    table.until(waits_for_ben)
    expect(phone.get_by_role("button", name="Keep my card")).to_be_visible()
    lay(phone, "yellow")
    expect(screen.locator(f"#player-{BEN} .relaid")).to_have_text("laid again")
    table.until(opened)
    expect(phone.locator("#verdict-head")).to_have_text("The last robberies")
    view = table.view().public
    steps = spoken(view.verdict)
    assert any("yellow" in step and "Ben" in step for step in steps)
    expect(phone.locator(".verdict .said")).to_have_count(len(steps))
    in_step(screen, table)
    assert said(phone) == said(screen) == steps

    for bank in view.banks:
        assert does(table.evening, BEN, do="loot_laid", bank=bank.name)
    table.until(waits_for_ben)
    lay(phone, "red")
    banks = phone.get_by_role("group", name="A bank of the row")
    expect(banks.get_by_role("radio")).to_have_count(len(view.banks))
    for bank in view.banks:
        tap(banks.get_by_role("radio", name=bank.name))
        expect(phone.get_by_role("button", name=ROB)).to_be_enabled(enabled=bank.name == "red")
        expect(phone.get_by_role("button", name=LEAVE)).to_be_enabled(enabled=bank.name != "red")
    tap(banks.get_by_role("radio", name="blue"))
    phone.get_by_role("button", name=LEAVE).click()
    expect(screen.locator("#bank-blue .mark")).to_have_text("will not be robbed")
    table.until(opened)
    expect(screen.locator(".gains")).to_be_visible()
    expect(phone.locator("#status")).to_contain_text("lay a loot card at every bank")
    steps = spoken(table.view().public.verdict)
    assert not any("against the declaration" in step for step in steps)


def tap(piece: Locator) -> None:
    """A finger hits the picture of a piece, which is large enough for it."""
    box = piece.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= THUMB
    piece.click()


def test_a_declaration_is_made_by_keys_alone_and_cannot_be_a_lie(company, open_browser):
    """Each of both sizes has it all in sight; the first bank is the one that was laid."""
    table = company("robby_solo", persons_seat=BEN)
    phone = sit(open_browser(SMALLEST), table.address, "Ben")
    table.until(waits_for_ben)
    lay(phone, "red")
    expect(phone.get_by_text("Sealed. No one sees it")).to_be_visible()
    table.until(waits_for_ben)
    keep = phone.get_by_role("button", name="Keep my card")
    keep.click()
    expect(keep).to_have_count(0)
    table.until(opened)
    expect(phone.locator("#verdict-head")).to_have_text("The last robberies")
    for bank in table.view().public.banks:
        assert does(table.evening, BEN, do="loot_laid", bank=bank.name)
    table.until(waits_for_ben)
    first, second = (bank.name for bank in table.view().public.banks[:2])
    lay(phone, first)
    expect(phone.get_by_role("button", name=ROB)).to_be_visible()
    looks_right(phone)  # It leaves the page in another size.
    for size in (SHORT, SMALLEST):
        phone.set_viewport_size(size)
        phone.evaluate("scrollTo(0, 0)")
        assert phone.evaluate(UNSEEN) == [], size
    phone.locator("#status").evaluate("(e) => { e.tabIndex = -1; e.focus(); }")
    press(phone, "Tab", "Space")
    expect(phone.get_by_role("radio", name=first)).to_be_checked()
    expect(phone.get_by_role("button", name=LEAVE)).to_be_disabled()
    press(phone, "ArrowDown")
    expect(phone.get_by_role("radio", name=second)).to_be_focused()
    expect(phone.get_by_role("button", name=ROB)).to_be_disabled()
    press(phone, "Tab")
    expect(phone.get_by_role("button", name=LEAVE)).to_be_focused()
    press(phone, "Enter")
    expect(phone.locator(".two-taps")).to_have_count(0)
    said = table.view().public.declaration
    assert (said.bank, said.will) == (second, False)


def press(phone: Page, *keys: str) -> None:
    for key in keys:
        phone.keyboard.press(key)


def lay(phone: Page, bank: str) -> None:
    """A robbery card comes down."""
    again = phone.get_by_text("Take it back and lay one again", exact=True)
    if again.is_visible():
        again.click()
    phone.get_by_role("radio", name=bank).check()
    seal(phone)


@pytest.mark.wide
def test_who_did_not_see_the_card_laid_may_declare_anything(company, open_browser):
    """Another browser does not know what was sealed: the truth is then up to its owner."""
    table = company("robby_solo")
    table.until(lambda view: view.public.phase == "declare" and view.public.active == BEN)
    phone = sit(open_browser(), table.address, "Ben")
    for bank in phone.get_by_role("group", name="A bank of the row").get_by_role("radio").all():
        tap(bank)
        expect(phone.locator(".answers button:enabled")).to_have_count(2)
    assert phone.request.get(f"{table.address}/stream/play").status == 404


@pytest.mark.wide
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "phases"), [("banque_fatale", ("seal", "take")), ("robby_solo", ("declare", "fill"))]
)
def test_the_pages_fit_in_every_language(company, open_browser, game, phases, code):
    table = company(game, language=code)
    screen = open_browser(SCREEN).new_page()
    table.until(lambda view: view.public.verdict is not None)
    for phase in phases:
        seat = table.until(lambda view, phase=phase: view.public.phase == phase).public.active
        phone = sit(open_browser(), table.address, NAMES[seat - 1])
        screen.goto(f"{table.address}/table")
        expect(screen.locator("#status")).to_be_visible()
        looks_right(phone)
        looks_right(screen)
