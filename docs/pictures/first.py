"""`make pictures`: the pictures of the first start, taken of a rehearsal in a real browser.

Law: nothing is shown that did not happen. The hand of the rehearsal lays what the page asks for,
and the picture is taken when the page says so.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
CALM = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--font-render-hinting=none"]
REHEARSE = [sys.executable, "-m", "companion", "rehearse", "--lang", "en", "--port", "18950"]
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
EACH = 20_000
"""Milliseconds in which the table has noticed what the hand did."""


@contextmanager
def rehearsal() -> Iterator[tuple[str, str]]:
    """The address of a rehearsal, and the link for its host, which only a terminal shows."""
    terminal, its_end = os.openpty()
    with subprocess.Popen(REHEARSE, stdout=its_end) as process, open(terminal) as lines:
        said = "".join(lines.readline() for _ in range(6))
        try:
            (address,) = re.findall(r"http://\S+/first", said)
            (link,) = re.findall(r"http://\S+#\S+", said)
            yield address, link
        finally:
            process.terminate()


def main() -> None:
    """Take both pictures."""
    with rehearsal() as (address, link), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CALM)
        wide = browser.new_context(
            viewport=WIDE, device_scale_factor=0.625, reduced_motion="reduce"
        )
        page = wide.new_page()
        page.goto(link)
        page.locator("#pass button").click()
        page.wait_for_url("**/host")
        page.goto(address)
        readers(page)
        page.screenshot(path=HERE / "first-readers.png")
        phone = browser.new_context(
            viewport=PHONE, reduced_motion="reduce", storage_state=wide.storage_state()
        )
        page = phone.new_page()
        page.goto(address)
        stickers(page)
        page.screenshot(path=HERE / "first-stickers.png")
        browser.close()


def come_to(page: Page, step: str) -> None:
    """Choose a step from the list of all."""
    page.locator(f".way [value={step}]").click()
    expect(page.locator("#ask")).to_have_attribute("data-step", step)


def readers(page: Page) -> None:
    """Three of the readers are found."""
    come_to(page, "banks")
    for n in (1, 2, 3):
        page.locator("#hand-asked").click()
        expect(page.locator(".now")).to_contain_text(f"place {n + 1}", timeout=EACH)


def stickers(page: Page) -> None:
    """Five cards of a box are enrolled; the sixth has two colours."""
    come_to(page, "box")
    page.locator("button[value=banque_fatale]").click()
    expect(page.locator("button[value=banque_fatale]")).to_have_attribute("aria-current", "true")
    come_to(page, "stickers")
    for colour in ("yellow", "green", "blue", "orange", "red–yellow"):
        page.locator("#hand-asked").click()
        expect(page.locator(".now")).to_have_text(f"Lay on any reader: {colour}.", timeout=EACH)


if __name__ == "__main__":
    main()
