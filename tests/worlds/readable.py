"""What of a page's text cannot be read: measured in the page, as it is painted.

Laws: text counts as painted only where it can be seen; what is kept for screen readers alone does
not count. A text is cut if it reaches out of what clips it, or out of the page to the side; it is
covered if another text lies over it. What scrolls and what stays put meet when one scrolls, so they
are not compared.
"""

from pathlib import Path

from playwright.sync_api import Page

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
