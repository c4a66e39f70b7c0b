"""The table screen is read from three metres: what must be read is high enough, the stage is wide,
and nothing scrolls however long the names are.

On a screen of 1080 lines a text is read from there if its x-height is 22 px; of a number, its
digits are. What must be read bears `data-afar` in the templates; the letters in a coloured chip are
an aid to its pattern, and count as a picture.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LANGUAGES, SCREEN
from tests.browser.test_table_screen import LONG, nothing_spills
from tests.worlds.campaign import IS_WIDE

LEAST = 22
STAGE = 0.6
MEASURE = """() => {
  const canvas = document.createElement("canvas").getContext("2d");
  const found = [];
  for (const marked of document.querySelectorAll("[data-afar]")) {
    const texts = document.createTreeWalker(marked, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.data.trim();
      const holder = texts.currentNode.parentElement;
      if (!text || holder.closest(".token, .empty")) continue;
      const { width } = holder.getBoundingClientRect();
      if (!holder.checkVisibility({ visibilityProperty: true }) || width <= 1) continue;
      const { fontWeight, fontFamily, fontSize } = getComputedStyle(holder);
      canvas.font = `${fontWeight} 100px ${fontFamily}`;
      const drawn = canvas.measureText(/\\p{L}/u.test(text) ? "x" : "0").actualBoundingBoxAscent;
      const scale = holder.ownerSVGElement ? holder.getScreenCTM().a : 1;
      const high = (drawn * parseFloat(fontSize) * scale) / 100;
      found.push([text, high, marked.className.baseVal ?? marked.className]);
    }
  }
  return found;
}"""
PARTS = ("now headline", "name", "stage")
"""What is marked in every game: what is asked, of whom, and a verdict."""

STAGES = {
    "bankueberfall": (5, ["seal", "refill", "open"], ("has",)),
    "banque_fatale": (4, ["choose", "take", "open"], ("doing", "chart", "scale")),
    "robby_solo": (6, ["seal", "fill"], ("has",)),
}


def is_read_from_afar(screen: Page) -> set[str]:
    """Check the texts that must be readable; return the classes of the marked ones."""
    screen.evaluate("document.fonts.ready.then(() => null)")
    found = screen.evaluate(MEASURE)
    assert [one for one in found if one[1] < LEAST] == []
    return {marked for _, _, marked in found}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", STAGES if IS_WIDE else ["robby_solo"])
def test_what_is_asked_of_whom_is_read_from_three_metres_and_nothing_scrolls(
    company, open_browser, game, lang
):
    seats, phases, others = STAGES[game]
    table = company(game, language=lang, players=[name[:20] for name in LONG[:seats]])
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    telling, clock = table.evening.host.table.telling, [0.0]
    telling.use_clock(lambda: clock[0])
    marked = set[str]()
    for phase in phases:
        table.until(lambda view, phase=phase: view.public.phase == phase)
        if telling.current() is not None:
            marked |= is_told_from_afar(screen, table, clock)
        at = str(table.view().at)
        expect(screen.locator("#version")).to_have_js_property("value", at)
        marked |= is_read_from_afar(screen)
        nothing_spills(screen)
        screen.set_viewport_size(SCREEN)
    board = screen.locator(".board").bounding_box()
    assert board["width"] >= STAGE * SCREEN["width"]
    assert {*PARTS, *others} <= marked
    if IS_WIDE:
        table.until(lambda view: view.public.phase == "over")
        clock[0] += 10**9
        table.evening.host.table.notify_watchers()
        expect(screen.locator(".ending .podium")).to_be_visible()
        nothing_spills(screen)


def is_told_from_afar(screen: Page, table, clock: list[float]) -> set[str]:
    """Check the picture of a verdict when it is whole, then free the stage."""
    live = table.evening.host.table
    clock[0] += live.telling.current().seconds + 0.1
    live.notify_watchers()
    expect(screen.locator(".story .verdict:not(.running) .picture")).to_be_visible()
    marked = is_read_from_afar(screen)
    assert screen.locator("[textLength]").count() == 0, "letters are squeezed"
    box = screen.locator("#stage").bounding_box()
    assert box["width"] >= STAGE * SCREEN["width"]
    while live.telling.next_change() is not None:
        clock[0] += 1
    live.notify_watchers()
    expect(screen.locator("#stage")).to_have_count(0)
    return marked
