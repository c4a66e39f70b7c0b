"""A record as one page: how large it is, and how soon it has checked itself after it is opened.

Measured in Chromium from a file on the disk, for a signed game of each box, until the page says
that all is checked; the best of a few runs, as other work of the machine only adds to it.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, sync_playwright

from bench.measure import Figure
from tests.browser.conftest import CALM, PHONE, find_chromium
from tests.worlds.signed_records import GAMES, sign_fully
from web.export.record_page import MOST_BYTES, make_record_page

RUNS = 3
LIMIT_MS = 1_000.0
CHECKED = "() => 'checked' in document.documentElement.dataset"
SINCE = "() => performance.now()"


def figures() -> Iterator[Figure]:
    """Return for each game the size of its page, and the time until it has checked itself."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        found = find_chromium()
        browser = playwright.chromium.launch(executable_path=found, args=[*CALM])
        for game in GAMES:
            path = Path(folder) / f"{game}.html"
            path.write_text(make_record_page(sign_fully(game, 0, Random(1)).record, "en"), "utf-8")
            size, took = path.stat().st_size, min(_open_page(browser, path) for _ in range(RUNS))
            yield Figure(f"{game}: a record as a page", size / 1000, "KB", MOST_BYTES / 1000,
                         False, "the limit", size / MOST_BYTES)  # fmt: skip
            yield Figure(f"{game}: a record as a page, opened and checked", took, "ms", LIMIT_MS,
                         False, "the limit", took / LIMIT_MS)  # fmt: skip
        browser.close()


def _open_page(browser: Browser, path: Path) -> float:
    """Open the file; return the milliseconds until it has checked itself."""
    page = browser.new_context(viewport=PHONE).new_page()  # type: ignore[arg-type]
    page.goto(path.as_uri())
    page.wait_for_function(CHECKED)
    took = float(page.evaluate(SINCE))
    page.context.close()
    return took
