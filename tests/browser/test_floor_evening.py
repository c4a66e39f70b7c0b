"""The evening in numbers, in a browser: for all, at each size, by day and by night."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.worlds.kept_evening import keep_evening
from tests.worlds.served_floor import ServedFloor

SIZES = ((390, 844), (1920, 1080))


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServedFloor]:
    served = ServedFloor(evening=keep_evening(tmp_path, tables=12))
    yield served
    served.close()


@pytest.mark.wide
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_read_it_at_each_size(
    floor: ServedFloor, chromium: Browser, scheme: str
) -> None:
    page = chromium.new_context(color_scheme=scheme).new_page()  # type: ignore[arg-type]
    page.goto(floor.address)
    page.get_by_role("link", name="The evening in numbers").click()
    page.get_by_role("link", name="30 days").click()
    expect(page.locator("html")).to_have_attribute("data-dark", str(scheme == "dark").lower())
    expect(page.get_by_role("img", name="Readers that tire")).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()
    expect(page.get_by_role("cell", name="tires")).to_have_count(1)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found] == []
