"""Pages in a real browser: how one becomes the host's, and what axe-core finds wrong with it."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from companion.host.host_pass import write_pass

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with a page: the rule, and the elements."""
    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{page.url} {one['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for one in found
        for node in one["nodes"]
    ]


def become_host(page: Page, address: str, folder: Path, leads: str = "**/host") -> None:
    """Open the link that the table with this data folder prints, and press its button."""
    page.goto(f"{address}/host/enter#{write_pass(folder)}")
    page.locator("#pass button").click()
    page.wait_for_url(leads)


LEAST_PX = 12
UNREADABLE = Path(__file__).with_name("readable.js").read_text("utf-8")
SETTLE = """async () => {
  await document.fonts.ready;
  await new Promise(requestAnimationFrame);
}"""


def unreadable(page: Page, least: float = LEAST_PX, whole: bool = False) -> list[str]:
    """What is cut, covered, overlapping or smaller than so many pixels; a `whole` page does not
    scroll."""
    page.evaluate(SETTLE)
    found: list[str] = page.evaluate(UNREADABLE, {"least": least, "whole": whole})
    return found
