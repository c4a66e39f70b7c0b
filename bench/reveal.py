"""The table screen in a real browser while a verdict is told: its long tasks.

Measured on a processor slowed to a quarter, for a reveal of each game. A task is long if it keeps
the page busy for more than 50 ms (Long Tasks API); none is what is promised.
"""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from bench.measure import Figure
from bench.page import SLOWER
from tests.browser.conftest import CALM, SCREEN
from tests.worlds.served_bot_table import Company

GAMES = ("bankueberfall", "banque_fatale", "robby_solo")
LONG = 50.0
EACH_MS = 900
"""The time for each step: what it moves is at rest before the next one."""
WATCH = """() => {
  window.long_tasks = [0];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.long_tasks.push(duration);
  }).observe({ type: "longtask" });
}"""


def figures() -> Iterator[Figure]:
    """Return for each game the longest task while a verdict is told."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=found, args=[*CALM])
        for game in GAMES:
            table = Company(Path(folder) / f"{game}.sqlite3", game)
            page = browser.new_context(viewport=SCREEN).new_page()  # type: ignore[arg-type]
            longest = _longest_task(table, page)
            table.shut()
            yield Figure(f"{game}: longest task of a reveal, at a quarter", longest, "ms", LONG,
                         False, "50 ms", longest / LONG)  # fmt: skip
        browser.close()


def _longest_task(table: Company, page: Page) -> float:
    """Tell one verdict step by step on a slow device; return its longest task in ms, 0 without a
    long one."""
    page.goto(f"{table.address}/table")
    line = page.context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    live, clock = table.evening.host.table, [0.0]
    table.until(lambda view: view.public.phase == "open")
    live.telling.use_clock(lambda: clock[0])
    page.wait_for_timeout(EACH_MS)
    page.evaluate(WATCH)
    table.until(lambda view: view.public.verdict is not None)
    page.wait_for_timeout(EACH_MS)
    while (wait := live.telling.next_change()) is not None:
        clock[0] += wait + 0.001
        live.notify_watchers()
        page.wait_for_timeout(EACH_MS)
    return float(page.evaluate("Math.max(...window.long_tasks)"))
