"""The phone's page in a real browser: weight, first view and catching up after unlocking.

The first view is measured on a processor slowed to a quarter.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from statistics import median

from playwright.sync_api import Page, sync_playwright

from bench.measure import Figure, python_command
from tests.browser.conftest import CALM, PHONE, find_chromium
from tests.browser.test_page_behaviour import look

SLOWER = 4
RUNS = 5
SEEN = """() => new Promise((done) => {
  new PerformanceObserver((list) => list.getEntriesByName("first-contentful-paint")
    .forEach((entry) => done(entry.startTime))).observe({ type: "paint", buffered: true });
})"""
IN_STEP = """(version) => new Promise((done) => {
  const begun = performance.now();
  const there = () => Number(document.getElementById("version")?.value) >= version;
  new MutationObserver(() => there() && done(performance.now() - begun))
    .observe(document.getElementById("live"), { subtree: true, childList: true, attributes: true });
  Object.defineProperty(document, "hidden", { configurable: true, value: false });
  document.dispatchEvent(new Event("visibilitychange"));
})"""
FETCHED = """async () => {
  const begun = performance.now();
  await (await fetch("/static/icon.svg")).text();
  return performance.now() - begun;
}"""
ASK = """async ([seat, event, version]) => {
  const { sendSigned } = await import("/static/js/signing.mjs");
  const body = JSON.stringify({ event, version, key: `bench-${version}` });
  const headers = { "Content-Type": "application/json" };
  return (await sendSigned(`/api/seats/${seat}/requests`, body, headers)).status;
}"""


def figures() -> Iterator[Figure]:
    """Measure the weight of the page, its first view, and how soon it is in step again."""
    with tempfile.TemporaryDirectory() as folder:
        command = python_command("-m", "bench.watched_table", folder)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
            assert table.stdout is not None
            port, cookies = json.loads(table.stdout.readline())
            try:
                yield from _measure_page(f"http://localhost:{port}", cookies)
            finally:
                table.terminate()


def _measure_page(address: str, cookies: Sequence[str]) -> Iterator[Figure]:
    with sync_playwright() as playwright:
        found = find_chromium()
        browser = playwright.chromium.launch(executable_path=found, args=[*CALM])

        def phone() -> Page:
            context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
            cookie = {"name": "companion", "value": cookies[0], "url": address}
            context.add_cookies([cookie])  # type: ignore[list-item]
            return context.new_page()

        packed, plain = _page_weight(phone(), f"{address}/phone/1")
        yield Figure("the phone page, all in all", packed / 1024, "KB", 60, False,
                     "the same, not packed", packed / plain)  # fmt: skip
        seen, bare = (
            median(_first_view(phone(), address + path) for _ in range(RUNS))
            for path in ("/phone/1", "/nowhere")
        )
        yield Figure("… first seen, processor at a quarter", seen, "ms", 1000, False,
                     "a page of one sentence", seen / bare)  # fmt: skip
        back, fetch = _back_in_step(phone(), f"{address}/phone/1")
        yield Figure("… in step after unlocking, at a quarter", back, "ms", 1000, False,
                     "a bare fetch", back / fetch)  # fmt: skip
        browser.close()


def _page_weight(page: Page, url: str) -> tuple[float, float]:
    """Return the bytes over the wire until the page follows the game, and unpacked."""
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    packed: list[float] = []
    plain: list[float] = []
    line.on("Network.loadingFinished", lambda told: packed.append(told["encodedDataLength"]))
    line.on("Network.dataReceived", lambda told: plain.append(told["dataLength"]))
    with page.expect_request("**/stream/**"):
        page.goto(url, wait_until="networkidle")
    page.context.close()
    return sum(packed), sum(plain)


def _slow_down(page: Page) -> None:
    line = page.context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def _first_view(page: Page, url: str) -> float:
    _slow_down(page)
    page.goto(url)
    seen = float(page.evaluate(SEEN))
    page.context.close()
    return seen


def _back_in_step(page: Page, url: str) -> tuple[float, float]:
    """Return the milliseconds from unlocking to the newest state, and of a bare fetch."""
    _slow_down(page)
    page.goto(url)
    took, fetches = list[float](), list[float]()
    for n in range(RUNS):
        version = int(page.locator("#version").get_attribute("value") or 0)
        look(page, hidden=True)
        asked = {"event": "thawed"} if n % 2 else {"event": "frozen"}
        assert page.evaluate(ASK, [1, asked, version]) == 204
        took.append(float(page.evaluate(IN_STEP, version + 1)))
        fetches.append(float(page.evaluate(FETCHED)))
    page.context.close()
    return median(took), median(fetches)
