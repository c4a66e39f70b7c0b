"""`make pictures`: the pictures of the first start, taken of a simulated table in a real browser.

Law: nothing is shown that did not happen. A hand lays what the page asks for, and the picture is
taken when the page says so.
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, expect, sync_playwright

from tests.worlds.real_pages import become_host
from tests.worlds.served import Workshop

HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
CALM = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--font-render-hinting=none"]
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


def main() -> None:
    """Take both pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        table = Workshop(Path(folder) / "first")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CALM)
        wide = browser.new_context(
            viewport=WIDE, device_scale_factor=0.625, reduced_motion="reduce"
        )
        page = wide.new_page()
        become_host(page, table.address, table.folder)
        page.goto(f"{table.address}/first")
        readers(page, table)
        page.screenshot(path=HERE / "first-readers.png")
        phone = browser.new_context(
            viewport=PHONE, reduced_motion="reduce", storage_state=wide.storage_state()
        )
        page = phone.new_page()
        page.goto(f"{table.address}/first")
        stickers(page, table)
        page.screenshot(path=HERE / "first-stickers.png")
        browser.close()
        table.shut()


def come_to(page: Page, step: str) -> None:
    """Choose a step from the list of all."""
    page.locator(f".way [value={step}]").click()
    expect(page.locator("#ask")).to_have_attribute("data-step", step)


def readers(page: Page, table: Workshop) -> None:
    """Three of the readers are found."""
    come_to(page, "banks")
    for n in (1, 2, 3):
        table.does()
        expect(page.locator(".now")).to_contain_text(f"place {n + 1}")


def stickers(page: Page, table: Workshop) -> None:
    """Five cards of a box are enrolled; the sixth has two colours."""
    come_to(page, "box")
    page.locator("button[value=banque_fatale]").click()
    expect(page.locator("button[value=banque_fatale]")).to_have_attribute("aria-current", "true")
    come_to(page, "stickers")
    table.wait()
    for colour in ("yellow", "green", "blue", "orange", "red–yellow"):
        table.does()
        expect(page.locator(".now")).to_have_text(f"Lay this on any reader: {colour}.")


if __name__ == "__main__":
    main()
