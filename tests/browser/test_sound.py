"""Sound: none before a tap allowed it, none where it is calm; a reveal is heard as it is told."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import SCREEN, sit
from tests.worlds.campaign import pick
from tests.worlds.served import Company

GAMES = ("bankueberfall", "banque_fatale", "robby_solo")
EARS = """() => {
  window.heard = [];
  window.contexts = 0;
  window.felt = [];
  navigator.vibrate = (how) => { window.felt.push(how); return true; };
  const told = () => Number(document.getElementById("stage")?.dataset.told ?? -1);
  const Real = window.AudioContext;
  window.AudioContext = class extends Real {
    constructor() { super(); window.contexts += 1; }
    createOscillator() {
      const oscillator = super.createOscillator();
      const start = oscillator.start;
      oscillator.start = (at) => { window.heard.push(told()); start.call(oscillator, at); };
      return oscillator;
    }
  };
}"""
"""Counts what the page asks of the browser: for each note the step that was told on the stage."""


@pytest.fixture
def come(open_browser: Callable[..., BrowserContext]) -> Callable[..., BrowserContext]:
    """A browser that notes what is heard and felt."""

    def open_(*size: dict[str, int]) -> BrowserContext:
        context = open_browser(*size, reduced_motion="no-preference")
        context.add_init_script(f"({EARS})()")
        return context

    return open_


def requested(page: Page) -> list[str]:
    """The addresses that a page asks for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


def sounds(asked: list[str]) -> list[str]:
    """Those of the script of the sounds."""
    return [address for address in asked if "/sounds" in address]


def ask_ben(table: Company) -> None:
    """Let bots play until seat 2 is asked for something that it was not asked for."""
    table.until(lambda view: 2 not in view.public.waiting)
    table.until(lambda view: view.public.phase == "seal" and 2 in view.public.waiting)


def test_a_phone_sounds_only_once_a_tap_allowed_it(company, come):
    table = company("bankueberfall")
    phone = sit(come(), table.address, "Ben")
    asked = requested(phone)
    switch = phone.get_by_role("button", name="Sound")
    expect(switch).to_have_attribute("aria-pressed", "false")
    phone.locator("h2").first.click()
    ask_ben(table)
    expect(phone.locator("[data-seals]")).to_be_enabled()
    assert (phone.evaluate("[contexts, heard.length]"), sounds(asked)) == ([0, 0], [])
    assert phone.evaluate("felt") != [], "it may be felt all the same"
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    phone.wait_for_function("() => heard.length === 2")
    assert (phone.evaluate("contexts"), len(sounds(asked))) == (1, 1)
    phone.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    ask_ben(table)
    expect(phone.locator("[data-seals]")).to_be_enabled()
    assert phone.evaluate("[contexts, heard.length]") == [0, 0], "not touched since it was loaded"
    phone.locator("h2").first.click()
    phone.wait_for_function("() => contexts === 1")
    switch.click()
    phone.evaluate("felt.length = 0")
    heard = phone.evaluate("heard.length")
    ask_ben(table)
    expect(phone.locator("[data-seals]")).to_be_enabled()
    assert phone.evaluate("[heard.length, felt.length]") == [heard, 0], "switched off is off"


def test_at_a_calm_table_nothing_is_heard_or_felt(company, come):
    table = company("bankueberfall")
    table.room.set_calm(True)
    phone = sit(come(), table.address, "Ben")
    phone.evaluate('localStorage.setItem("companion sound", "on")')
    phone.reload()
    asked = requested(phone)
    expect(phone.locator("[data-sound]")).to_be_hidden()
    phone.locator("h2").first.click()
    ask_ben(table)
    expect(phone.locator("[data-seals]")).to_be_enabled()
    assert phone.evaluate("[contexts, heard.length, felt.length]") == [0, 0, 0]
    assert sounds(asked) == []


@pytest.mark.parametrize("game", pick(GAMES[:1], GAMES, GAMES))
def test_a_reveal_is_heard_at_the_steps_that_are_told(company, come, game):
    table, clock = company(game), [0.0]
    live = table.evening.host.table
    screen = come(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    screen.get_by_role("button", name="Sound").click()
    screen.wait_for_function("() => heard.length > 0")
    table.until(lambda view: view.public.phase == "open")
    live.telling.use_clock(lambda: clock[0])
    screen.evaluate("heard.length = 0")
    view = table.until(lambda view: view.public.verdict is not None)
    stage, steps = screen.locator("#stage"), len(view.public.verdict.steps)
    expect(stage).to_have_attribute("data-told", "0")
    assert screen.evaluate("heard") == []
    for told in range(1, steps + 1):
        while live.telling.story_of(view.public.verdict).told < told:
            clock[0] += 0.1
        live.notify_watchers()
        expect(stage).to_have_attribute("data-told", str(told))
    heard = screen.evaluate("heard")
    assert heard == sorted(heard)
    assert {*heard} <= {*range(1, steps + 1)}
    assert heard[-1] == steps, "it ends with a bell"
    assert len({*heard}) > steps / 2, "most steps are heard"


def test_sounds_follow_the_steps_and_not_the_page(company, come):
    """A page that comes in the middle, or again, repeats nothing that was heard."""
    table = company("bankueberfall")
    table.evening.host.table.telling.use_clock(lambda: 3.0)
    table.until(lambda view: view.public.verdict is not None)
    screen = come(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    screen.get_by_role("button", name="Sound").click()
    screen.wait_for_function("() => heard.length > 0")
    screen.evaluate("heard.length = 0")
    for _ in range(3):
        table.evening.host.table.notify_watchers()
    expect(screen.locator("#stage")).to_have_count(1)
    assert screen.evaluate("heard") == []


@pytest.mark.wide
def test_the_end_of_a_game_has_a_fanfare(company, come):
    table, screen = company("robby_solo"), come(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    screen.get_by_role("button", name="Sound").click()
    screen.wait_for_function("() => heard.length > 0")
    screen.evaluate("heard.length = 0")
    table.until(lambda view: view.public.score is not None)
    expect(screen.locator(".ending")).to_have_count(1)
    screen.wait_for_function("() => heard.length === 4")
