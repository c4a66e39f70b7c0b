"""The first start in a real browser: from the pass to a game, with a mistake at each step."""

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import BrowserContext, expect

from companion.setup.steps import STEPS
from tests.browser.conftest import LANGUAGES, PHONE, SCREEN, SMALLEST
from tests.browser.test_page_behaviour import TOO_WIDE, looks_right
from tests.worlds.campaign import IS_WIDE
from tests.worlds.real_pages import become_host, violations
from tests.worlds.served import Workshop

CALM = {"reduced_motion": "reduce", "bypass_csp": True}
"""What fades in is pale for a moment; and axe is let in."""

IN_ITS_PAPER = """(list) => {
  const paper = list.closest(".paper"), padding = parseFloat(getComputedStyle(paper).paddingRight);
  return list.getBoundingClientRect().right <= paper.getBoundingClientRect().right - padding;
}"""

CODE = "QR code that makes a phone the host's"
ELSEWHERE = {"X-Forwarded-For": "192.168.4.77"}
"""Not at the machine of the table, which alone shows the code that makes a phone the host's."""


class Host:
    """Somebody with a pass, a browser, and a hand at the table."""

    def __init__(self, table: Workshop, context: BrowserContext) -> None:
        self.table, self.page = table, context.new_page()
        become_host(self.page, table.address, table.host.journal.path.parent)
        self.page.goto(f"{table.address}/first")

    def taps(self, name: str) -> None:
        """A button, by its words; until the table has answered."""
        with self.page.expect_response(lambda answer: answer.request.method == "POST"):
            self.page.get_by_role("button", name=name, exact=True).click()
        self.table.wait(0.5)

    def hand(self, does: str, times: int = 1) -> None:
        """A hand at the table does something, and the readers notice."""
        for _ in range(times):
            self.table.does(does)

    def reads(self, *sentences: str) -> None:
        for sentence in sentences:
            expect(self.page.locator("#ask")).to_contain_text(sentence)

    def leaves_for(self, step: int) -> None:
        self.taps("Next")
        self.reads(f"{step} of 9")

    def comes_to(self, step: str) -> None:
        with self.page.expect_response(lambda answer: answer.request.method == "POST"):
            self.page.locator(f".way [value={step}]").click()
        expect(self.page.locator(f"[data-step={step}]")).to_be_visible()


@pytest.fixture
def workshop(put_up: Callable[..., Workshop]) -> Callable[..., Workshop]:
    return partial(put_up, Workshop)


@pytest.mark.wide
def test_from_the_pass_to_the_first_game_with_a_mistake_at_each_step(workshop, open_browser):
    host = Host(workshop(), open_browser())
    choices(host)
    readers(host, 8)
    buttons(host, 6)
    lamps(host, 6)
    stickers(host, 61 if IS_WIDE else 3)
    checks(host, 61 if IS_WIDE else 3)
    begins(host)
    leads = [address.channel for address in host.table.wires.wiring.readers.values()]
    assert leads == [0, 2, 1, 3, 4, 5, 6, 7], "the cables of two readers are crossed"


def choices(host: Host) -> None:
    """Another language by mistake, another box by mistake; the wiring as it is."""
    host.taps("Deutsch")
    expect(host.page.locator("html")).to_have_attribute("lang", "de")
    host.taps("English")
    expect(host.page.locator("html")).to_have_attribute("lang", "en")
    host.leaves_for(2)
    for box in ("Banque Fatale", "Robby Solo"):
        with host.page.expect_response(lambda answer: answer.request.method == "POST"):
            host.page.locator(".boxes button", has_text=box).click()
        expect(host.page.locator(".boxes [aria-current]")).to_contain_text(box)
    host.leaves_for(3)
    host.leaves_for(4)


def readers(host: Host, many: int) -> None:
    """Two cards at once; then one after the other, and the page loaded anew in the middle."""
    host.hand("wrong")
    host.reads("Several cards came at once")
    host.hand("off")
    host.hand("asked", 2)
    host.page.reload()
    host.reads(f"2 of {many}")
    expect(host.page.locator(".coil.found")).to_have_count(2)
    expect(host.page.locator(".coil.asked")).to_have_text("3")
    host.hand("asked", many - 2)
    host.reads(f"{many} of {many}")
    host.leaves_for(5)


def buttons(host: Host, many: int) -> None:
    """The button of another seat is pressed; that is taken back."""
    host.hand("wrong")
    host.reads("Found: button of seat 1.")
    host.taps("Take back")
    host.reads(f"0 of {many}")
    host.hand("asked", many)
    host.reads(f"{many} of {many}")
    host.leaves_for(6)


def lamps(host: Host, many: int) -> None:
    """Nobody saw that a lamp shines; that is taken back."""
    host.taps("No lamp is lit")
    host.reads("One lamp stays dark")
    host.taps("Take back")
    host.hand("asked", many)
    host.reads(f"{many} of {many}")
    host.leaves_for(7)


def stickers(host: Host, many: int) -> None:
    """A sticker of the wrong kind, a card skipped by mistake; each is drawn."""
    expect(host.page.locator(".lies .face").first).to_be_visible()
    host.hand("wrong")
    host.reads("cannot be used: take one of the kind NTAG213")
    host.hand("off")
    host.taps("Skip")
    host.reads("Left out")
    host.taps("Take back")
    host.hand("asked", many)
    host.reads(f"{many} of 61")
    host.leaves_for(8)


def checks(host: Host, many: int) -> None:
    """A strange sticker lies there; then all that is known is swept over the readers."""
    host.hand("wrong")
    host.reads("An unknown sticker lies on reader")
    host.hand("off")
    host.hand("asked", 1 + many // 8)
    host.reads(f"{many} of {many}")
    host.leaves_for(9)


def begins(host: Host) -> None:
    """And there is a game."""
    host.taps("Begin a game of Robby Solo")
    for seat, name in enumerate(("Ana", "Ben", "Cleo"), 1):
        host.page.get_by_label(f"Name at seat {seat}").fill(name)
    host.page.get_by_role("button", name="Begin this game").click()
    host.page.get_by_role("link", name="People").click()
    expect(host.page.locator("#chair-3")).to_contain_text("Cleo")
    host.page.goto(f"{host.table.address}/first")
    host.reads("the table is set up between two games")


def test_with_keys_only_a_step_is_gone_through(workshop, open_browser):
    host = Host(workshop(), open_browser(SCREEN))
    for n in range(2, 5):
        host.page.locator(".next button").focus()
        host.page.keyboard.press("Enter")
        host.reads(f"{n} of 9")
    host.page.keyboard.press("Shift+Tab")
    host.page.keyboard.press("Enter")
    host.reads("place 2")
    host.page.keyboard.press("Shift+Tab")
    host.page.keyboard.press("Enter")
    host.reads("place 1")


@pytest.mark.wide
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_fits_and_can_be_used_by_everyone(workshop, open_browser, language):
    host = Host(workshop(language=language), open_browser(**CALM))
    wrong = violations(host.page)
    for step in STEPS[1:]:
        host.comes_to(step)
        if step in ("banks", "stickers"):
            host.hand("wrong")
            expect(host.page.locator(".trouble")).to_be_visible()
        if step == "banks":
            host.page.locator("#modes summary").click()
            host.page.set_viewport_size(SMALLEST)
            assert host.page.locator("#modes ul").evaluate(IN_ITS_PAPER)
        host.page.evaluate("scrollTo(0, document.body.scrollHeight)")  # The bar covers nothing.
        wrong += violations(host.page)
        looks_right(host.page)
        host.page.set_viewport_size(PHONE)
    assert wrong == []


@pytest.mark.wide
def test_the_table_screen_says_how_and_another_screen_where_it_is_set_up(workshop, open_browser):
    table = workshop()
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    expect(screen.get_by_role("img", name=CODE)).to_be_visible()
    expect(screen.locator("#status")).to_have_text("Scan the code to set this table up.")
    tablet = open_browser(SCREEN, extra_http_headers=ELSEWHERE).new_page()
    tablet.goto(f"{table.address}/table")
    expect(tablet.locator(".fresh")).to_contain_text("sudo companion host")
    expect(tablet.get_by_role("img", name=CODE)).to_have_count(0)
    expect(tablet.locator("#status")).to_have_text("This table is new")
    assert not screen.evaluate(TOO_WIDE)
    assert not tablet.evaluate(TOO_WIDE)
    host = Host(table, open_browser())
    host.comes_to("done")
    host.taps("Begin a game of Banküberfall")
    host.page.wait_for_url("**/host/new/bankueberfall")
    screen.bring_to_front()
    expect(screen.locator(".fresh")).to_have_count(0)
