"""The table screen in a real browser while a verdict is told: its longest task.

Measured for a reveal of each game as the processor time that the main thread of the page spends on
a task, so that other work of the machine does not count, times four for a slow device. Nothing is
seen to stutter if no task takes more than 50 ms.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bench.measure import Figure
from bench.page import SLOWER
from tests.browser.conftest import CALM, SCREEN, find_chromium
from tests.worlds.served_bot_table import Company

GAMES = ("bankueberfall", "banque_fatale", "robby_solo")
LONG = 50.0
EACH_MS = 700
"""The time for each step: what it moves is at rest before the next one."""
MAIN_THREAD, TASK = "CrRendererMain", "ThreadControllerImpl::RunTask"


def figures() -> Iterator[Figure]:
    """Return for each game the longest task while a verdict is told."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        found = find_chromium()
        browser = playwright.chromium.launch(executable_path=found, args=[*CALM])
        for game in GAMES:
            table = Company(Path(folder) / f"{game}.sqlite3", game)
            page = browser.new_context(viewport=SCREEN).new_page()  # type: ignore[arg-type]
            tasks = _trace_reveal(table, browser, page)
            page.close()
            table.shut()
            longest = SLOWER * max(tasks)
            yield Figure(f"{game}: longest task of a reveal, at a quarter", longest, "ms", LONG,
                         False, "the limit", longest / LONG)  # fmt: skip
        browser.close()


def _trace_reveal(table: Company, browser: Browser, page: Page) -> list[float]:
    """Tell one verdict step by step; return the processor time of each task of the page, in ms."""
    page.goto(f"{table.address}/table")
    live, clock = table.evening.host.table, [0.0]
    table.until(lambda view: view.public.phase == "open")
    live.telling.use_clock(lambda: clock[0])
    page.wait_for_timeout(EACH_MS)
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
    table.until(lambda view: view.public.verdict is not None)
    page.wait_for_timeout(EACH_MS)
    while (wait := live.telling.next_change()) is not None:
        clock[0] += wait + 0.001
        live.notify_watchers()
        page.wait_for_timeout(EACH_MS)
    return _task_times(json.loads(browser.stop_tracing())["traceEvents"])


def _task_times(events: list[dict[str, Any]]) -> list[float]:
    named = (one for one in events if one.get("name") == "thread_name")
    mains = {(one["pid"], one["tid"]) for one in named if one["args"]["name"] == MAIN_THREAD}
    return [
        one["tdur"] / 1000
        for one in events
        if one.get("name") == TASK and "tdur" in one and (one["pid"], one["tid"]) in mains
    ]
