"""Run axe-core on a page and list the accessibility violations."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with a page: the rule, and the elements."""
    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{page.url} {one['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for one in found
        for node in one["nodes"]
    ]
