"""A verdict that is told moves by transform and opacity alone, and shifts nothing on the page."""

import pytest
from playwright.sync_api import Page, expect

from companion.app.default_players import NAMES
from companion.core.i18n import get_language
from companion.core.verdict import render_steps
from tests.browser.conftest import PHONE, SCREEN, sit
from tests.worlds.served import Company

CHEAP = {"transform", "opacity"}
WATCH = """() => {
  const holder = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement);
  const describe = (node) => node && holder(node)?.outerHTML.slice(0, 120);
  // The board is brought up to date while the stage lies over it.
  const stage = () => document.querySelector(".table #stage");
  const isCovered = (node) => Boolean(
    stage() && node?.isConnected && holder(node).closest(".cloth") && !stage().contains(node),
  );
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const seen = sources.filter(({ node }) => !isCovered(node));
      if (seen.length) window.shifts.push([value, ...seen.map(({ node }) => describe(node))]);
    }
  }).observe({ type: "layout-shift", buffered: false });
}"""
MOVING = """() => {
  const told = ["computedOffset", "offset", "easing", "composite"];
  const moving = document.getAnimations().flatMap(({ effect }) => effect.getKeyframes());
  return moving.flatMap((frame) => Object.keys(frame)).filter((name) => !told.includes(name));
}"""
SETTLED = """async () => {
  const ends = ({ effect }) => effect.getTiming().iterations !== Infinity;
  const ending = document.getAnimations().filter(ends);
  await Promise.all(ending.map((one) => one.finished.catch(() => null)));
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""


def watch_reveal(table: Company, page: Page, now_told: str) -> tuple[set[str], list[object]]:
    """Tell a verdict step by step; return which properties were animated, and what was shifted."""
    live, clock = table.evening.host.table, [0.0]
    table.until(lambda view: view.public.phase == "open")
    live.telling.use_clock(lambda: clock[0])
    table.until(lambda view: view.public.verdict is not None)
    expect(page.locator(".verdict.running").first).to_be_visible()
    page.evaluate(SETTLED)  # It has come, at the size that fits; what follows is how it is told.
    page.evaluate(WATCH)
    seen, moved, shifts = live.telling.current(), set[str](), list[object]()
    english = get_language("en").with_names(NAMES)
    steps = [step["text"] for step in render_steps(live.view().public.verdict, english)]
    while live.telling.current() is seen:
        clock[0] += live.telling.next_change() + 0.001
        live.notify_watchers()
        told = live.telling.told(seen)
        if told < len(steps):
            expect(page.locator(now_told)).to_have_text(steps[told - 1])
            moved |= {*page.evaluate(MOVING)}
            page.evaluate(SETTLED)
            shifts = page.evaluate("window.shifts")
        else:  # The result takes the place of what is told; under it a phone goes on below.
            expect(page.locator(RESULT).first).to_be_visible()
            page.evaluate(SETTLED)
    return moved, page.evaluate("window.shifts") if "table" in page.url else shifts


RESULT = ":is(.verdict:not(.running), .last > summary) >> visible=true"
"""In full while it has the stage; then a phone folds it to one line, under the question."""
GAMES = ["banque_fatale", "bankueberfall", "robby_solo"]
TOLD = {"table": ".headline[aria-hidden]", "phone/1": ".verdict .now-told"}


@pytest.mark.wide
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("path", TOLD)
def test_a_reveal_moves_only_what_is_cheap_and_shifts_nothing(company, open_browser, game, path):
    table = company(game)
    size = SCREEN if path == "table" else PHONE
    browser = open_browser(size, reduced_motion="no-preference")
    page = browser.new_page() if path == "table" else sit(browser, table.address, "Ana")
    page.goto(f"{table.address}/{path}")
    moved, shifts = watch_reveal(table, page, TOLD[path])
    if path != "table":
        expect(page.locator(".last > summary")).to_be_visible()
    assert moved
    assert moved <= CHEAP
    assert shifts == []
