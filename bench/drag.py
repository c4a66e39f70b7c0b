"""The simulated table in a real browser: frames a second while a piece is dragged and bots play on.

Measured on a desktop, and on a processor slowed to a quarter.
"""

import re
import subprocess
import tempfile
import time
from collections.abc import Iterator

from playwright.sync_api import Page, sync_playwright

from bench.measure import Figure, python_command
from bench.page import SLOWER
from tests.browser.conftest import CALM, COMPANION, find_chromium
from tests.worlds.browser_hands import WIDE

LASTS = 2.0
"""Seconds of one drag."""
RUNS = 3
COUNT = """() => {
  const running = "frames_seen" in window;
  window.frames_seen = 0;
  window.counted_from = performance.now();
  const frame = () => { window.frames_seen += 1; requestAnimationFrame(frame); };
  if (!running) requestAnimationFrame(frame);
}"""
A_SECOND = "() => 1000 * window.frames_seen / (performance.now() - window.counted_from)"


def figures() -> Iterator[Figure]:
    """Measure on a desktop, and on a processor at a quarter of its speed."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["play", "--no-browser", "--seed", "7", "--address", "127.0.0.1", "--data", folder]
        command = python_command("-u", "-c", COMPANION, *words, "--port", "18800")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
            assert table.stdout is not None
            said = next(line for line in table.stdout if "/table" in line)
            (address,) = re.findall(r"http://localhost:\d+", said)
            try:
                yield from _measure_drag(address)
            finally:
                table.terminate()


def _measure_drag(address: str) -> Iterator[Figure]:
    with sync_playwright() as playwright:
        found = find_chromium()
        browser = playwright.chromium.launch(executable_path=found, args=[*CALM])
        page = browser.new_context(viewport=WIDE).new_page()  # type: ignore[arg-type]
        page.goto(address)
        page.locator("li", has_text="Ana").get_by_role("button").click()
        page.wait_for_url("**/phone/*")
        page.goto(f"{address}/play/1")
        for name, slower, bar in (("", 1, 60), (", processor at a quarter", SLOWER, 30)):
            dragging, idle = max(_frame_rates(page, slower) for _ in range(RUNS))
            yield Figure(f"a piece is dragged{name}", round(dragging), "frames/s", bar, True,
                         "a page at rest", dragging / idle)  # fmt: skip
        browser.close()


def _frame_rates(page: Page, slower: int) -> tuple[float, float]:
    """Return the frames a second with a piece under the pointer, and at rest."""
    line = page.context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.evaluate(COUNT)
    page.wait_for_timeout(1000 * LASTS)
    idle = float(page.evaluate(A_SECOND))
    box = page.locator("#wood [data-piece]").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.evaluate(COUNT)
    begun, step = time.monotonic(), 0
    while time.monotonic() < begun + LASTS:
        step += 1
        page.mouse.move(100 + 7 * step % 700, 200 + 5 * step % 400)
    dragging = float(page.evaluate(A_SECOND))
    page.keyboard.press("Escape")
    page.mouse.up()
    page.locator("#held").wait_for(state="detached")
    page.reload()
    return dragging, idle
