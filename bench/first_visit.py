"""The first visit of a phone and of the table screen on a slow line, and the second one.

The browser's line is DevTools' slow 3G (400 kbit/s each way, 400 ms until an answer begins), its
processor is slowed to a quarter. What is counted is what Chromium puts on the line: requests, and
bytes with their headers; the event stream counts as a request without its bytes. The scripts have
run when `DOMContentLoaded` begins, for which modules are waited for. `python -m bench.first_visit`
prints the spread of all runs as well.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from bench.measure import Figure, python_command
from tests.browser.conftest import CALM, PHONE, SCREEN

RUNS = 7
SLOWER = 4
LINE = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
PAGES = {"phone": ("/phone/1", PHONE), "table screen": ("/table", SCREEN)}
BARS = {"first": (8, 30, 1.5), "second": (8, 30, 0.8)}
"""Requests, kilobytes and seconds that are promised for a visit."""
RAN = """() => performance.getEntriesByType("navigation")[0].domContentLoadedEventStart"""


class Visit(NamedTuple):
    """What one visit took."""

    requests: int
    kilobytes: float
    seconds: float


def figures() -> Iterator[Figure]:
    """Measure the visits of both pages."""
    for page, visits in measure_pages().items():
        for which, runs in visits.items():
            requests, kilobytes, seconds = (median(each) for each in zip(*runs, strict=True))
            bars, what = BARS[which], f"{which} visit of a {page}"
            least = LINE["latency"] / 1000
            yield Figure(f"{what}: requests", requests, "", bars[0], False,
                         "the page alone", requests)  # fmt: skip
            yield Figure(f"{what}: on the line", kilobytes, "KB", bars[1], False,
                         "what is promised", kilobytes / bars[1])  # fmt: skip
            yield Figure(f"{what}: scripts have run, slow 3G", seconds, "s", bars[2], False,
                         "one answer on this line", seconds / least)  # fmt: skip


def measure_pages() -> dict[str, dict[str, list[Visit]]]:
    """Return all visits of each page, first and second ones."""
    with tempfile.TemporaryDirectory() as folder:
        command = python_command("-m", "bench.watched_table", folder)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
            assert table.stdout is not None
            port, cookies = json.loads(table.stdout.readline())
            try:
                return _visit_pages(f"http://localhost:{port}", cookies)
            finally:
                table.terminate()


def _visit_pages(address: str, cookies: Sequence[str]) -> dict[str, dict[str, list[Visit]]]:
    with sync_playwright() as playwright:
        found = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=found, args=[*CALM])
        told = {}
        for page, (path, size) in PAGES.items():
            runs = [_visit_twice(browser, address, path, size, cookies[0]) for _ in range(RUNS)]
            told[page] = dict(zip(BARS, map(list, zip(*runs, strict=True)), strict=True))
        browser.close()
        return told


def _visit_twice(
    browser: Browser, address: str, path: str, size: dict[str, int], cookie: str
) -> tuple[Visit, Visit]:
    """Visit a page with an empty cache, then again."""
    context = browser.new_context(viewport=size)  # type: ignore[arg-type]
    context.add_cookies([{"name": "companion", "value": cookie, "url": address}])
    visits = _visit(context, address + path), _visit(context, address + path)
    context.close()
    return visits


def _visit(context: BrowserContext, address: str) -> Visit:
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sent: set[str] = set()
    bytes_: list[float] = []
    line.on("Network.requestWillBeSent", lambda told: sent.add(told["requestId"]))
    line.on("Network.requestServedFromCache", lambda told: sent.discard(told["requestId"]))
    line.on("Network.responseReceived", lambda told: (
        sent.discard(told["requestId"]) if told["response"].get("fromDiskCache") else None
    ))  # fmt: skip
    line.on("Network.loadingFinished", lambda told: bytes_.append(told["encodedDataLength"]))
    with page.expect_response("**/stream/**"):
        page.goto(address, wait_until="load")
    seconds = float(page.evaluate(RAN)) / 1000
    page.close()
    return Visit(len(sent), sum(bytes_) / 1000, seconds)


def main() -> None:
    """Print the median and the spread of every figure."""
    for page, visits in measure_pages().items():
        for which, runs in visits.items():
            for what, each in zip(Visit._fields, zip(*runs, strict=True), strict=True):
                print(f"{which} visit of a {page}, {what}: {median(each):.2f}"
                      f" ({min(each):.2f} to {max(each):.2f} in {len(each)} runs)")  # fmt: skip


if __name__ == "__main__":
    main()
