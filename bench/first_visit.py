"""The first visit of a phone and of the table screen in a home's Wi-Fi, and the second one.

The browser's line takes 10 Mbit/s each way, an answer begins after 20 ms, its processor is slowed
to a quarter. It counts the bytes that Chromium puts on the line: requests, and bytes with their
headers; the event stream counts as a request without its bytes. The fonts, which a page does
without until they come, count apart, but share the line. The scripts have run when
`DOMContentLoaded` begins, for which modules are waited for.
"""

import json
import tempfile
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from bench.measure import Figure, python_command
from bench.speed.measure import serve_table
from bench.speed.played_game import PhoneKey
from bench.speed.served_table import Order
from bench.viewers import play_game
from companion.core.events import to_json
from tests.browser.conftest import CALM, PHONE, SCREEN, find_chromium

RUNS = 7
SLOWER = 4
BYTES_A_SECOND = 1_250_000
LINE = {
    "offline": False, "latency": 20,
    "downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND,
}  # fmt: skip
BARS = {
    "phone": {"first": (40, 80, 0.9), "second": (8, 30, 0.9)},
    "table screen": {"first": (50, 90, 1.2), "second": (8, 35, 0.9)},
}
"""Requests, kilobytes and seconds that are promised for a visit; less for the table screen, which
has more to draw and is seldom far from the Pi."""
FONT_BARS = {"first": 60, "second": 0}
"""Kilobytes of fonts: they are kept for ever."""
FONT_FILE = ".woff2"
PAGES = {"phone": ("/phone/1", PHONE), "table screen": ("/table", SCREEN)}
RAN = """() => performance.getEntriesByType("navigation")[0].domContentLoadedEventStart"""


class Visit(NamedTuple):
    """Figures of one visit; `fonts` are kilobytes, and in none of the other figures."""

    requests: int
    kilobytes: float
    seconds: float
    fonts: float


def figures() -> Iterator[Figure]:
    """Measure the visits of both pages."""
    for page, visits in measure_pages().items():
        for which, runs in visits.items():
            took = Visit(*(median(each) for each in zip(*runs, strict=True)))
            bars, what = BARS[page][which], f"{which} visit, {page}"
            yield Figure(f"{what}: requests", took.requests, "", bars[0])
            yield Figure(f"{what}: on the line", took.kilobytes, "KB", bars[1])
            yield Figure(f"{what}: scripts ran", took.seconds, "s", bars[2])
            yield Figure(f"{what}: fonts on the line", took.fonts, "KB", FONT_BARS[which])


def measure_pages() -> dict[str, dict[str, list[Visit]]]:
    """Return all visits of each page, first and second ones."""
    game = play_game("robby_solo", 1)
    keys = [PhoneKey().public_key for _ in range(game.seats)]
    command = python_command("-m", "bench.speed.served_table", "ours")
    with tempfile.TemporaryDirectory() as folder:
        order = Order(folder, game.game, json.loads(to_json(game.start)), keys)
        with serve_table(command, order, {}) as table, sync_playwright() as playwright:
            found, address = find_chromium(), f"http://localhost:{table.port}"
            browser = playwright.chromium.launch(executable_path=found, args=[*CALM])
            return {
                page: _visit_often(browser, address, path, size, table.cookies[0])
                for page, (path, size) in PAGES.items()
            }


def _visit_often(
    browser: Browser, address: str, path: str, size: dict[str, int], cookie: str
) -> dict[str, list[Visit]]:
    """Return the visits of a page with an empty cache, and those right after them."""
    visits: dict[str, list[Visit]] = {"first": [], "second": []}
    for _ in range(RUNS):
        context = browser.new_context(viewport=size)  # type: ignore[arg-type]
        context.add_cookies([{"name": "companion", "value": cookie, "url": address}])
        for runs in visits.values():
            runs.append(_visit(context, address + path))
        context.close()
    return visits


def _visit(context: BrowserContext, address: str) -> Visit:
    """Open a page, and wait until it follows its stream."""
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sent: set[str] = set()
    fonts: set[str] = set()
    packed: dict[str, float] = {}
    line.on("Network.requestWillBeSent", lambda told: (
        (fonts if told["request"]["url"].partition("?")[0].endswith(FONT_FILE) else sent).add(
            told["requestId"]
        )
    ))  # fmt: skip
    line.on("Network.requestServedFromCache", lambda told: sent.discard(told["requestId"]))
    line.on("Network.responseReceived", lambda told: (
        sent.discard(told["requestId"]) if told["response"].get("fromDiskCache") else None
    ))  # fmt: skip
    line.on("Network.loadingFinished", lambda told: packed.update(
        {told["requestId"]: told["encodedDataLength"]}
    ))  # fmt: skip
    with page.expect_response("**/stream/**"):
        page.goto(address, wait_until="load")
    seconds = float(page.evaluate(RAN)) / 1000
    page.close()
    in_fonts = sum(packed.get(each, 0) for each in fonts)
    return Visit(len(sent), (sum(packed.values()) - in_fonts) / 1000, seconds, in_fonts / 1000)
