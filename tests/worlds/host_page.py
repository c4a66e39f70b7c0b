"""How a page in a real browser becomes the host's."""

from pathlib import Path

from playwright.sync_api import Page

from companion.host.host_pass import write_pass


def become_host(page: Page, address: str, folder: Path, leads: str = "**/host") -> None:
    """Open the link that the table with this data folder prints, and press its button."""
    page.goto(f"{address}/host/enter#{write_pass(folder)}")
    page.locator("#pass button").click()
    page.wait_for_url(leads)
